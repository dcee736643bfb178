import { sql } from 'kysely'
import { rootPath, type ShareAddress } from '#events/sources/fullPath.ts'

/**
 * To stand beside `snapshots` and `scans`: what the newest scan of the same file system found of it, of all that the date shows.
 * So storages that lie on one disk say the same of it. Bytes; `asShownVolume` gives it the names of the wire.
 */
export const shownDisk = sql<Disk>`LATERAL (
  SELECT one.capacity_total AS disk_total, one.capacity_used AS disk_used, one.capacity_free AS disk_free
  FROM snapshots AS shown JOIN scans AS one ON one.id = shown.scan_id
  WHERE shown.indexing_date = snapshots.indexing_date AND (one.id = scans.id OR one.file_system = scans.file_system)
  ORDER BY one.capacity_total IS NULL, one.id DESC LIMIT 1)`.as('disk')
export const diskColumns = ['disk.diskTotal', 'disk.diskUsed', 'disk.diskFree'] as const
type Disk = { diskTotal: number | null; diskUsed: number | null; diskFree: number | null }

/** The share that a volume is a folder of, to be selected beside `volumes`; null of a folder of an agent's own machine. */
export const shareOfVolume = sql<ShareAddress | null>`(
  SELECT json_build_object('type', type, 'host', host, 'shareName', share_name)
  FROM network_volumes WHERE volume_id = volumes.id)`.as('share')

type Row = Disk & { path: string; share: ShareAddress | null }

/** A row with the disk and the share of a volume, as the wire has it. */
export const asShownVolume = <R extends Row>({ diskTotal, diskUsed, diskFree, share, ...row }: R) => ({
  ...row,
  fullPath: rootPath(row.path, share),
  total: diskTotal,
  used: diskUsed,
  free: diskFree,
})
