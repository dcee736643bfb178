import { sql as postgres } from 'kysely'
import type { OneFolder } from '#events/folders/calls.ts'
import type { ImportOrigin } from '#events/imports/formats.ts'
import type { AccessTimes } from '#events/storages.ts'
import { childrenOf, isFolder, knownSeconds } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import { foldersIn, type LimitedScope, type Scope } from '#server/platform/callers/scope.ts'
import {
  foldersAboveAt,
  isInPartitions,
  lastEnd,
  type ReadVolume,
} from '#server/content/snapshots/reading/entriesAt.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** State of a folder from one scan until another; the newest version has no end. Seconds UTC, null if unknown. */
export type FolderVersion = {
  fromScan: number
  toScan: number | null
  bytes: number
  lastAccess: number | null
  lastModified: number | null
  created: number | null
  ownerName: string
  groupName: string
  inodeNumber: string
  numberOfFiles: number
  numberOfFolders: number
  isUnreadable: boolean
  notEntered: string
}
export type ShownVersion = { indexingDate: string; version: FolderVersion }

/** A folder in each snapshot of some days that has it, oldest first. Reads its versions, not the snapshots. */
export async function folderVersions(
  { db, clickhouse }: Stores,
  scope: Scope,
  folder: OneFolder,
  days: Days = {},
): Promise<ShownVersion[]> {
  const dates = await readDates(db, folder.storageId, days)
  const seen = scope === 'everything' ? dates : dates.filter((date) => isWithin(scope, date, folder.path))
  const [volume] = seen
  const [versions, above] = await Promise.all([
    volume ? readVersions(clickhouse, volume, folder.path, Math.max(...seen.map(lastEnd))) : [],
    scope === 'everything' ? undefined : versionsAbove(clickhouse, scope, dates, folder.path),
  ])
  const isShown =
    ({ scanId, imported }: ReadVolume) =>
    ({ fromScan, toScan }: FolderVersion) =>
      imported
        ? fromScan === scanId && toScan === scanId + 1
        : fromScan <= scanId && (toScan === null || scanId < toScan)
  return dates.flatMap((date) => {
    const version = seen.includes(date) ? versions.find(isShown(date)) : above?.get(date.scanId)
    return version ? [{ indexingDate: date.indexingDate, version: asRecorded(version, date.accessTimes) }] : []
  })
}

/** True if the caller sees a folder with all below it in a scan. */
const isWithin = (scope: LimitedScope, scan: ReadVolume, path: string): boolean =>
  foldersIn(scope, scan).some((folder) => childrenOf(path).startsWith(folder))

/** A folder above those that the caller sees, with the totals of the visible entries below it, by scan. */
async function versionsAbove(clickhouse: ClickHouse, scope: LimitedScope, scans: ReadVolume[], path: string) {
  const above = scans.flatMap((scan) => {
    const folders = foldersIn(scope, scan)
    const isAbove = folders.some((folder) => folder !== childrenOf(path) && folder.startsWith(childrenOf(path)))
    return isAbove && !isWithin(scope, scan, path) ? [[scan.scanId, { scan, folders }] as const] : []
  })
  const read = async ({ scan, folders }: { scan: ReadVolume; folders: string[] }) => {
    const from = foldersAboveAt({ volumes: [scan], partial: new Map([[scan.volumeId, folders]]) })
    const rows = sql`SELECT ${columns}, NULL AS toScan FROM ${from} WHERE ${isFolder(path)}`
    return (await clickhouse.rows<FolderVersion>(rows, { quick: true })).map(
      (version) => [scan.scanId, version] as const,
    )
  }
  return new Map((await Promise.all([...new Map(above).values()].map(read))).flat())
}

/** Without an access time that the storage did not record. */
const asRecorded = (version: FolderVersion, accessTimes: AccessTimes): FolderVersion =>
  accessTimes === 'recorded' ? version : { ...version, lastAccess: null }

type Days = { from?: string | undefined; to?: string | undefined }

/** Volumes without a committed scan have no entries. */
const zero = postgres.lit(0)

/** The scan of a volume in each date's snapshot, with what has to be read of it. */
const readDates = async (db: Db, volumeId: number, { from, to }: Days) =>
  db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select(['snapshots.volumeId', 'snapshots.indexingDate', 'scanId', 'accessTimes', 'layers'])
    .select(postgres<ImportOrigin | undefined>`imported`.as('imported'))
    .select(({ fn }) => [
      fn.coalesce('generation', zero).as('generation'),
      fn.coalesce('committedScan', zero).as('committedScan'),
    ])
    .where('snapshots.volumeId', '=', volumeId)
    .$if(from !== undefined, (query) => query.where('snapshots.indexingDate', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('snapshots.indexingDate', '<=', to ?? ''))
    .orderBy('snapshots.indexingDate')
    .execute()

/** The scan of a date decides later if accesses are recorded. */
const all = { unrecordedAccess: [] }
/** Times by the columns of folders only: names shared by files and folders are computed for each row. */
const columns = sql`
  from_scan AS fromScan, size AS bytes, ${knownSeconds('accessed_below', all)} AS lastAccess,
  ${knownSeconds('modified_below', all)} AS lastModified,
  ${knownSeconds('created', all)} AS created, owner AS ownerName,
  \`group\` AS groupName, toString(inode) AS inodeNumber, files AS numberOfFiles, folders AS numberOfFolders,
  unreadable AS isUnreadable, not_entered AS notEntered`

function readVersions(clickhouse: ClickHouse, volume: ReadVolume, path: string, until: number) {
  const isIt = sql`volume = ${volume.volumeId} AND ${isFolder(path)}`
  return clickhouse.rows<FolderVersion>(
    sql`
      SELECT ${columns}, NULL AS toScan FROM entries WHERE ${isIt} AND ${isInPartitions([volume])}
      UNION ALL
      SELECT ${columns}, to_scan AS toScan FROM entry_history WHERE ${isIt} AND to_scan <= ${until}`,
    { quick: true },
  )
}
