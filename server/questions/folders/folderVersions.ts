import type { OneFolder } from '#events/folders/calls.ts'
import type { AccessTimes } from '#events/storages.ts'
import { isFolder, knownSeconds } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
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
  folder: OneFolder,
  days: Days = {},
): Promise<ShownVersion[]> {
  const dates = await readDates(db, folder.storageId, days)
  const [volume] = dates
  if (!volume) return []
  const versions = await readVersions(clickhouse, volume, folder.path)
  const isShown = (scan: number) => (version: FolderVersion) =>
    version.fromScan <= scan && (version.toScan === null || scan < version.toScan)
  return dates.flatMap(({ indexingDate, scanId, accessTimes }) => {
    const version = versions.find(isShown(scanId))
    return version ? [{ indexingDate, version: asRecorded(version, accessTimes) }] : []
  })
}

/** Without an access time that the storage did not record. */
const asRecorded = (version: FolderVersion, accessTimes: AccessTimes): FolderVersion =>
  accessTimes === 'recorded' ? version : { ...version, lastAccess: null }

type Days = { from?: string | undefined; to?: string | undefined }

/** The scan of a volume in each date's snapshot, with what has to be read of it. */
const readDates = async (db: Db, volumeId: number, { from, to }: Days) =>
  db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select(['snapshots.volumeId', 'snapshots.indexingDate', 'scanId', 'generation', 'committedScan', 'accessTimes'])
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

type VolumeRead = { volumeId: number; generation: number | null; committedScan: number | null }

function readVersions(clickhouse: ClickHouse, { volumeId, generation, committedScan }: VolumeRead, path: string) {
  const isIt = sql`volume = ${volumeId} AND ${isFolder(path)}`
  return clickhouse.rows<FolderVersion>(
    sql`
      SELECT ${columns}, NULL AS toScan FROM entries WHERE ${isIt} AND generation = ${generation ?? 0}
      UNION ALL
      SELECT ${columns}, to_scan AS toScan FROM entry_history WHERE ${isIt} AND to_scan <= ${committedScan ?? 0}`,
    { quick: true },
  )
}
