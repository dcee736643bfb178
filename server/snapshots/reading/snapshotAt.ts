import { sql } from 'kysely'
import { rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type DuplicateRules, duplicateRules } from '#server/snapshots/duplicates/duplicateRules.ts'

/** A volume as a date shows it: at a scan, to be read from a generation that goes up to a committed scan. */
export type ShownVolume = {
  volumeId: number
  name: string
  /** Where it begins, as its users write it. */
  root: string
  scanId: number
  /** The day the scan began. */
  scannedOn: string
  generation: number
  committedScan: number
}

/** An indexing date that has indexed data, and what it shows. */
export type Snapshot = {
  indexingDate: string
  volumes: ShownVolume[]
  /** The versions that make the groups of duplicates of what this date shows; nothing where those are not known. */
  duplicatesVersions: number[] | undefined
  rules: DuplicateRules
}

/** What is shown while nothing is. */
export const nothingIndexed: Snapshot = {
  indexingDate: '',
  volumes: [],
  duplicatesVersions: undefined,
  rules: { minimumSize: 0, ofFolders: true },
}

/** The newest snapshot on or before a day, or of all; nothing when there is none. It is to be used at once, not kept. */
export async function snapshotAt(db: Db, date?: string): Promise<Snapshot | undefined> {
  const [{ rows }, rules] = await Promise.all([rowsAt(date).execute(db), duplicateRules(db)])
  const [first] = rows
  if (!first) return undefined
  const { indexingDate, versions } = first
  return { indexingDate, volumes: rows.flatMap(asShown), duplicatesVersions: versions ?? undefined, rules }
}

type Row = Nullable<Omit<ShownVolume, 'root'>> & {
  indexingDate: string
  versions: number[] | null
  path: string
  share: ShareAddress | null
}

/** Nearly every question asks this first; it stands as text, for to put it together takes as long as to answer it. */
const rowsAt = (date?: string) => sql<Row>`
  WITH asked AS (
    SELECT max(indexing_date) AS date FROM snapshots WHERE ${date === undefined ? sql`true` : sql`indexing_date <= ${date}`}
  ), shown AS (
    SELECT array_agg(scan_id ORDER BY scan_id) AS scans FROM snapshots JOIN asked ON date = indexing_date
  ), known AS (
    SELECT versions FROM duplicates_of_scans JOIN shown USING (scans) WHERE unused_since IS NULL LIMIT 1
  )
  SELECT snapshots.indexing_date, snapshots.volume_id, snapshots.scan_id, name, generation, committed_scan,
    scans.indexing_date AS scanned_on, (SELECT versions FROM known), path,
    CASE WHEN host IS NOT NULL THEN json_build_object('type', shares.type, 'host', host, 'shareName', share_name) END AS share
  FROM snapshots
  JOIN asked ON date = snapshots.indexing_date
  JOIN volumes ON volumes.id = snapshots.volume_id
  LEFT JOIN network_volumes AS shares ON shares.volume_id = volumes.id
  JOIN scans ON scans.id = snapshots.scan_id
  ORDER BY snapshots.volume_id`

/** What a day shows, which is nothing while nothing is indexed. */
export const shownOn = async (db: Db, date?: string): Promise<Snapshot> =>
  (await snapshotAt(db, date)) ?? nothingIndexed

function asShown({ generation, committedScan, path, share, ...row }: Row): ShownVolume[] {
  if (generation === null || committedScan === null) return []
  const { volumeId, name, scanId, scannedOn } = row
  return [{ volumeId, name, root: rootPath(path, share), scanId, scannedOn, generation, committedScan }]
}

type Nullable<S extends Omit<ShownVolume, 'root'>> = Omit<S, 'generation' | 'committedScan'> & {
  generation: number | null
  committedScan: number | null
}
