import { sql } from 'kysely'
import {
  type FileTotals,
  type Project,
  type ProjectItem,
  type ProjectShare,
  type ProjectStatistics,
  projectAges,
} from '#events/projects/calls.ts'
import { fullPathOf, rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import { storagePriceOn } from '#server/price-books/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { activeDate, foldersOn } from './figures/shownFolders.ts'
import { openMoves } from './moves/openMoves.ts'

/** A project on a date. Throws 404. */
export async function readProject(db: Db, id: number, day: string | undefined): Promise<Project> {
  const row = db.selectFrom('projects').select(['id', 'name', 'description', 'allocatedSize']).where('id', '=', id)
  const project = (await row.executeTakeFirst()) ?? notFound('project', id)
  const [folders, { rows }] = await Promise.all([readFolders(db, id, day), activeDate(day).execute(db)])
  const counted = folders.filter(({ isNested }) => !isNested)
  const shares = [...Map.groupBy(folders, ({ volumeId }) => volumeId).values()].map(shareOf)
  return {
    ...project,
    sizeOfFiles: sum(counted, ({ bytes }) => bytes),
    numberOfFiles: sum(counted, ({ files }) => files),
    numberOfFolders: sum(counted, (row) => row.folders),
    lastAccessDate: newest(counted.map(({ lastAccess }) => lastAccess)),
    lastModifiedDate: newest(counted.map(({ lastModified }) => lastModified)),
    indexingDate: rows[0]?.day ?? null,
    loadingReport: folders.some(({ isCounted }) => !isCounted),
    projectShares: shares.sort((a, b) => b.sizeOfFiles - a.sizeOfFiles || a.volumeId - b.volumeId),
  }
}

type Row = {
  id: number
  volumeId: number
  path: string
  isNested: boolean
  isCounted: boolean
  isThere: boolean
  bytes: number
  files: number
  folders: number
  lastAccess: Date | null
  lastModified: Date | null
  statistics: ProjectStatistics | null
  classBytes: Record<string, number> | null
  trackedPath: string
  movedTo: string | null
  volumeName: string
  type: string
  isDeleted: boolean
  root: string
  share: ShareAddress | null
  storagePrice: ProjectShare['storagePrice']
}

async function readFolders(db: Db, projectId: number, day: string | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT folders.*, tracked.path AS tracked_path, moved_to, volumes.name AS volume_name, volumes.type, volumes.deleted_at IS NOT NULL AS is_deleted,
      volumes.path AS root, ${storagePriceOn('folders.volume_id', 'folders.day')} AS storage_price,
      CASE WHEN host IS NOT NULL THEN json_build_object('type', shares.type, 'host', host, 'shareName', share_name) END AS share
    FROM ${foldersOn(activeDate(day), projectId)}
    JOIN project_folders AS tracked ON tracked.id = folders.id
    JOIN volumes ON volumes.id = folders.volume_id
    LEFT JOIN (SELECT folder_id, moved_to FROM ${openMoves}) AS moves ON moves.folder_id = folders.id
    LEFT JOIN network_volumes AS shares ON shares.volume_id = volumes.id
    ORDER BY folders.bytes DESC, folders.id`.execute(db)
  return rows
}

/** The part of a project on one storage; it has at least one tracked folder there. */
function shareOf(folders: Row[]): ProjectShare {
  const [{ volumeId, volumeName, type, isDeleted, storagePrice }] = folders as [Row]
  const counted = folders.filter(({ isNested }) => !isNested)
  return {
    volumeId,
    volumeName: isDeleted ? 'Invalid' : volumeName,
    type,
    isDeleted,
    ...added(counted.map(wholeOf)),
    storagePrice,
    statistics: addedStatistics(counted.map(({ statistics }) => statistics ?? nothing)),
    projectItems: folders.map(itemOf),
  }
}

const itemOf = ({ root, share, statistics, isThere, isCounted, movedTo, ...row }: Row): ProjectItem => ({
  id: row.id,
  volumeId: row.volumeId,
  volumeName: row.isDeleted ? 'Invalid' : row.volumeName,
  path: row.trackedPath,
  fullPath: fullPathOf(rootPath(root, share), row.trackedPath),
  pathOnDate: row.path,
  movedTo: movedTo === null ? null : { path: movedTo, fullPath: fullPathOf(rootPath(root, share), movedTo) },
  sizeOfFiles: row.bytes,
  numberOfFiles: row.files,
  lastModifiedDate: row.lastModified?.toISOString() ?? null,
  lastAccessDate: row.lastAccess?.toISOString() ?? null,
  statistics: statistics ?? nothing,
  isGone: isCounted && !isThere,
  isNested: row.isNested,
})

const none: FileTotals = { sizeOfFiles: 0, numberOfFiles: 0 }
const nothing: ProjectStatistics = {
  DUPLICATE: { duplicate: none, reclaimable: none },
  MODIFIED_DATE: {},
  ACCESS_DATE: {},
}

const wholeOf = ({ bytes, files, classBytes }: Row): FileTotals => ({
  sizeOfFiles: bytes,
  numberOfFiles: files,
  ...(classBytes && Object.keys(classBytes).length > 0 && { classes: classBytes }),
})

function added(all: FileTotals[]): FileTotals {
  const classes: Record<string, number> = {}
  for (const [name, bytes] of all.flatMap((one) => Object.entries(one.classes ?? {})))
    classes[name] = (classes[name] ?? 0) + bytes
  return {
    sizeOfFiles: sum(all, ({ sizeOfFiles }) => sizeOfFiles),
    numberOfFiles: sum(all, ({ numberOfFiles }) => numberOfFiles),
    ...(Object.keys(classes).length > 0 && { classes }),
  }
}

function addedStatistics(all: ProjectStatistics[]): ProjectStatistics {
  const ages = (of: 'MODIFIED_DATE' | 'ACCESS_DATE') =>
    Object.fromEntries(
      projectAges.flatMap((age) => {
        const found = all.flatMap((statistics) => statistics[of][age] ?? [])
        return found.length === 0 ? [] : [[age, added(found)]]
      }),
    )
  return {
    DUPLICATE: {
      duplicate: added(all.map(({ DUPLICATE }) => DUPLICATE.duplicate)),
      reclaimable: added(all.map(({ DUPLICATE }) => DUPLICATE.reclaimable)),
    },
    MODIFIED_DATE: ages('MODIFIED_DATE'),
    ACCESS_DATE: ages('ACCESS_DATE'),
  }
}

const sum = <T>(rows: T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0)

function newest(moments: (Date | null)[]): string | null {
  const known = moments.flatMap((moment) => moment?.getTime() ?? [])
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString()
}
