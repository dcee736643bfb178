import { type Selectable, sql } from 'kysely'
import type {
  FileTotals,
  Project,
  ProjectItem,
  ProjectShare,
  ProjectStatistics,
  ShownStatistics,
} from '#events/projects/calls.ts'
import { fullPathOf, rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { ProjectTables } from '#server/platform/postgres/projectTables.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { addStatistics, addTotals, noStatistics, withoutRepeated } from './addStatistics.ts'
import { shownName } from '#server/content/snapshots/reading/shownVolume.ts'
import { activeDate, foldersOn } from './figures/shownFolders.ts'
import { checkProject } from './checkProject.ts'
import { openMoves } from './moves/openMoves.ts'

/** A project on a date. Throws 404. */
export async function readProject(db: Db, scope: Scope, id: number, day: string | undefined): Promise<Project> {
  await checkProject(db, scope, id)
  const row = db.selectFrom('projects').select(['id', 'name', 'description', 'allocatedSize']).where('id', '=', id)
  const project = (await row.executeTakeFirst()) ?? notFound('project', id)
  const [folders, { rows }] = await Promise.all([readFolders(db, scope, id, day), activeDate(day).execute(db)])
  const counted = folders.filter(({ isNested }) => !isNested)
  const shares = [...Map.groupBy(folders, ({ volumeId }) => volumeId).values()].map((all) => shareOf(all, scope))
  return {
    ...project,
    ...sizesOf(counted),
    numberOfFiles: sum(counted, ({ files }) => files),
    numberOfFolders: sum(counted, (row) => row.folders),
    lastAccessDate: newest(counted.map(({ lastAccess }) => lastAccess)),
    lastModifiedDate: newest(counted.map(({ lastModified }) => lastModified)),
    indexingDate: rows[0]?.day ?? null,
    loadingReport: folders.some(({ isCounted }) => !isCounted),
    projectShares: shares.sort((a, b) => b.sizeOfFiles - a.sizeOfFiles || a.volumeId - b.volumeId),
  }
}

type Figures = Selectable<ProjectTables['folderFigures']>
type Row = Omit<Figures, 'indexingDate' | 'pathHash' | 'scanId' | 'shown' | 'statistics' | 'classBytes'> & {
  id: number
  path: string
  isNested: boolean
  isCounted: boolean
  statistics: ProjectStatistics | null
  repeated: ProjectStatistics | null
  classBytes: Record<string, number> | null
  trackedPath: string
  movedTo: string | null
  volumeName: string
  type: string
  deletedAt: Date | null
  root: string
  share: ShareAddress | null
  storagePrice: ProjectShare['storagePrice']
}

async function readFolders(db: Db, scope: Scope, projectId: number, day: string | undefined): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT folders.*, tracked.path AS tracked_path, moved_to, volumes.name AS volume_name, volumes.type, volumes.deleted_at,
      volumes.path AS root, ${storagePriceOn('folders.volume_id', 'folders.day')} AS storage_price,
      CASE WHEN host IS NOT NULL THEN json_build_object('type', shares.type, 'host', host, 'shareName', share_name) END AS share
    FROM ${foldersOn(activeDate(day), projectId)}
    JOIN project_folders AS tracked ON tracked.id = folders.id
    JOIN volumes ON volumes.id = folders.volume_id
    LEFT JOIN (SELECT folder_id, moved_to FROM ${openMoves(scope)}) AS moves ON moves.folder_id = folders.id
    LEFT JOIN network_volumes AS shares ON shares.volume_id = volumes.id
    ORDER BY folders.bytes DESC, folders.id`.execute(db)
  return rows
}

/** The part of a project on one storage; it has at least one tracked folder there. */
function shareOf(folders: Row[], scope: Scope): ProjectShare {
  const [{ volumeId, volumeName, type, deletedAt, storagePrice }] = folders as [Row]
  const counted = folders.filter(({ isNested }) => !isNested)
  return {
    volumeId,
    volumeName: shownName(volumeName, deletedAt),
    type,
    isDeleted: deletedAt !== null,
    ...addTotals(counted.map(wholeOf)),
    ...sizesOf(counted),
    storagePrice,
    statistics: shownIn(scope, addStatistics(counted.map(statisticsOf))),
    projectItems: folders.map((row) => itemOf(row, scope)),
  }
}

const statisticsOf = ({ statistics, repeated }: Pick<Row, 'statistics' | 'repeated'>): ProjectStatistics =>
  statistics === null ? noStatistics : withoutRepeated(statistics, repeated)

/** Duplicates are counted among all files of a date, also those that the scope doesn't show. */
const shownIn = (scope: Scope, { DUPLICATE, ...ages }: ProjectStatistics): ShownStatistics =>
  scope === 'everything' ? { DUPLICATE, ...ages } : ages

const itemOf = ({ root, share, isThere, isCounted, movedTo, ...row }: Row, scope: Scope): ProjectItem => ({
  id: row.id,
  volumeId: row.volumeId,
  volumeName: shownName(row.volumeName, row.deletedAt),
  path: row.trackedPath,
  fullPath: fullPathOf(rootPath(root, share), row.trackedPath),
  pathOnDate: row.path,
  movedTo: movedTo === null ? null : { path: movedTo, fullPath: fullPathOf(rootPath(root, share), movedTo) },
  ...sizesOf([row]),
  numberOfFiles: row.files,
  lastModifiedDate: row.lastModified?.toISOString() ?? null,
  lastAccessDate: row.lastAccess?.toISOString() ?? null,
  statistics: shownIn(scope, statisticsOf(row)),
  isGone: isCounted && !isThere,
  isNested: row.isNested,
})

const wholeOf = ({ bytes, files, classBytes }: Row): FileTotals => ({
  sizeOfFiles: bytes,
  numberOfFiles: files,
  ...(classBytes && Object.keys(classBytes).length > 0 && { classes: classBytes }),
})

function sizesOf(folders: Pick<Row, 'bytes' | 'apparentBytes'>[]): Pick<Project, 'sizeOfFiles' | 'apparentSize'> {
  const sizeOfFiles = sum(folders, ({ bytes }) => bytes)
  const apparentSize = sum(folders, ({ apparentBytes }) => apparentBytes)
  return { sizeOfFiles, ...(apparentSize !== sizeOfFiles && { apparentSize }) }
}

const sum = <T>(rows: T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0)

function newest(moments: (Date | null)[]): string | null {
  const known = moments.flatMap((moment) => moment?.getTime() ?? [])
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString()
}
