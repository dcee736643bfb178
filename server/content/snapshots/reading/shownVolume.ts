import { sql } from 'kysely'
import { rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import { type Scope, showsStorage } from '#server/platform/callers/scope.ts'
import { dayOf } from '#server/platform/days.ts'

/** Name of a volume in history: `Films`, or `Films (removed on 2026-11-29)` if it was deleted. */
export const shownName = (name: string, deletedAt: Date | string | null): string =>
  deletedAt === null ? name : `${name} (removed on ${dayOf(new Date(deletedAt))})`

/**
 * For use with `snapshots` and `scans`: the disk according to the newest scan of the same file system on the date, so
 * storages on one disk show the same values. Null unless the scope shows all storages on it. Bytes; `asShownVolume` renames the columns for
 * the wire.
 */
export const shownDisk = (scope: Scope) =>
  sql<Disk>`LATERAL (
  SELECT CASE WHEN is_seen THEN one.capacity_total END AS disk_total, CASE WHEN is_seen THEN one.capacity_used END AS disk_used,
    CASE WHEN is_seen THEN one.capacity_free END AS disk_free, one.indexing_date AS disk_day
  FROM (
    SELECT one.*, bool_and(${showsStorage(scope, sql`one.volume_id`)}) OVER () AS is_seen
    FROM snapshots AS shown JOIN scans AS one ON one.id = shown.scan_id
    WHERE shown.indexing_date = snapshots.indexing_date AND (one.id = scans.id OR one.file_system = scans.file_system)) AS one
  ORDER BY one.capacity_total IS NULL, one.id DESC LIMIT 1)`.as('disk')
export const diskColumns = ['disk.diskTotal', 'disk.diskUsed', 'disk.diskFree'] as const
type Disk = { diskTotal: number | null; diskUsed: number | null; diskFree: number | null }

/** The share that contains a volume, selected with `volumes`; null for a folder on an agent's own machine. */
export const shareOfVolume = sql<ShareAddress | null>`(
  SELECT json_build_object('type', type, 'host', host, 'shareName', share_name)
  FROM network_volumes WHERE volume_id = volumes.id)`.as('share')

/** Sizes of a scan on disk, and as costs count them; selected with `scans` and `volumes`. */
export const otherSizes = [
  'scans.allocatedBytes as sizeOnDisk',
  sql<number>`CASE WHEN size_basis = 'apparent' THEN bytes ELSE allocated_bytes END`.as('billedSize'),
] as const

type Sizes = { sizeOfFiles: number; sizeOnDisk: number; billedSize: number }
type Row = Disk & Sizes & { path: string; share: ShareAddress | null }

/** A row with the disk, the sizes and the share of a volume, in the form of the wire. */
export const asShownVolume = <R extends Row>({ diskTotal, diskUsed, diskFree, share, ...all }: R) => {
  const { sizeOnDisk, billedSize, ...row } = all
  return {
    ...row,
    ...(sizeOnDisk !== row.sizeOfFiles && { sizeOnDisk }),
    ...(billedSize !== row.sizeOfFiles && { billedSize }),
    fullPath: rootPath(row.path, share),
    total: diskTotal,
    used: diskUsed,
    free: diskFree,
  }
}
