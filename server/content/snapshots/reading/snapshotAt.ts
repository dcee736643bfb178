import { sql } from 'kysely'
import { now } from '#events/contract/endpoint.ts'
import type { ImportOrigin } from '#events/imports/formats.ts'
import type { AccessTimes } from '#events/storages.ts'
import type { SizeBasis } from '#events/contract/sizeBasis.ts'
import type { PathMapping } from '#events/sources/pathMapping.ts'
import { rootPath, type ShareAddress } from '#events/sources/fullPath.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { foldersIn, type LimitedScope, limitsKey, type Scope } from '#server/platform/callers/scope.ts'
import { type RepeatedPlace, repeatedPlaces, type VolumePlaces } from './repeatedPlaces.ts'
import { type DuplicateRules, duplicateRules } from './duplicateRules.ts'

/** A volume on a date: its scan, and the generation to read, which is up to date with a committed scan. */
export type ShownVolume = {
  volumeId: number
  name: string
  type: string
  /** Its root path as users write it. */
  root: string
  scanId: number
  /** The day the scan started. */
  scannedOn: string
  generation: number
  /** Older generations that are read with it, oldest first; see `isInPartitions`. */
  layers: number[]
  /** True if the rows that layers ended were removed, so that no list of them has to be read. */
  isSettled?: boolean | undefined
  committedScan: number
  /** Set if its scan is an import: all its rows are versions in `entry_history` that end with the next number. */
  imported?: ImportOrigin | undefined
  /** The changes since the committed scan, up to a flush; only in the live state. */
  live?: { generation: number; flush: number } | undefined
  /** In a snapshot of `now`: the time that the volume's state is of, in milliseconds UTC; see `asOf`. */
  asOf?: number | undefined
}

/** An indexing date with data, and its volumes. */
export type Snapshot = {
  indexingDate: string
  volumes: ShownVolume[]
  /** The versions of the date's groups of duplicates; undefined if these are unknown. */
  duplicatesVersions: number[] | undefined
  rules: DuplicateRules
  /** Folders whose files another storage of the snapshot shows, too. */
  repeated: RepeatedPlace[]
  archives: ArchiveSettings
  /** IDs of the volumes whose access times mean nothing, because the storage doesn't record them. */
  unrecordedAccess: number[]
  /** IDs of the volumes whose costs are for apparent sizes instead of those on disk. */
  apparentVolumes: number[]
  /** The folders of volumes that the caller sees only in part, in the form of `parent_path`, by volume. */
  partial: ReadonlyMap<number, readonly string[]>
  /** The tags of reports that a caller with limits may see; undefined for all. */
  reportTags: readonly string[] | undefined
  /** Leaves out the folders above the visible ones. Finding them takes as long as a small search. */
  withoutAbove?: boolean
  /** Prices per GB and year by volume, for lists in the order of costs (`withPrices`). */
  prices?: ReadonlyMap<number, number>
}

/** Folders of archive indexes that are scanned, as typed, by volume; and the mappings of paths to them. */
type ArchiveSettings = { folders: { volumeId: number; path: string }[]; mappings: PathMapping[] }

const noArchives: ArchiveSettings = { folders: [], mappings: [] }

/** Used before the first snapshot. */
export const emptySnapshot: Snapshot = {
  indexingDate: '',
  volumes: [],
  duplicatesVersions: undefined,
  rules: { minimumSize: 0, ofFolders: true },
  repeated: [],
  archives: noArchives,
  unrecordedAccess: [],
  apparentVolumes: [],
  partial: new Map(),
  reportTags: undefined,
}

/**
 * The newest snapshot on or before a day, or of all, with what the scope shows; undefined if no snapshot qualifies. Use it at once, don't
 * store it. In a limited scope duplicates are counted: copies outside don't count. For `now` it is the newest one, with the live states of
 * its volumes: their entries are newer than its day, and tags and groups of duplicates are those of the day.
 */
export async function snapshotAt(db: Db, scope: Scope, date?: string): Promise<Snapshot | undefined> {
  const [{ rows }, rules, archives, reportTags] = await Promise.all([
    rowsAt(date).execute(db),
    duplicateRules(db),
    archiveSettings(db),
    scope === 'everything' ? undefined : ownReportTags(db, scope),
  ])
  const [first] = rows
  if (!first) return undefined
  const { indexingDate, versions } = first
  const { seen, partial } =
    scope === 'everything' ? { seen: rows, partial: emptySnapshot.partial } : within(scope, rows)
  return {
    indexingDate,
    volumes: seen.flatMap(asShown),
    duplicatesVersions: scope === 'everything' ? (versions ?? undefined) : undefined,
    rules,
    repeated: repeatedPlaces(seen.filter(({ volumeId }) => !partial.has(volumeId))),
    archives: scope === 'everything' ? archives : noArchives,
    unrecordedAccess: seen.filter((row) => row.accessTimes !== 'recorded').map(({ volumeId }) => volumeId),
    apparentVolumes: seen.filter((row) => row.sizeBasis === 'apparent').map(({ volumeId }) => volumeId),
    partial,
    reportTags,
  }
}

/**
 * The tags of a user's own reports as far as they ran within the limits of now: other reports compared data outside. Reports that ran
 * several times on a day used the same tag, and the last of these runs counts.
 */
async function ownReportTags(db: Db, scope: LimitedScope): Promise<string[]> {
  if (scope.userId === undefined) return []
  const { rows } = await sql<{ tag: string }>`
    SELECT DISTINCT report_tag AS tag FROM report_runs AS own
    WHERE limits = ${limitsKey(scope.userId, scope)} AND status = 'SUCCESS' AND NOT EXISTS (
      SELECT FROM report_runs AS later
      WHERE later.template_id = own.template_id AND later.id > own.id
        AND later.report_tag = own.report_tag AND later.limits IS DISTINCT FROM own.limits)`.execute(db)
  return rows.map(({ tag }) => tag)
}

/** The rows of visible volumes, and the visible folders of those that are visible only in part. */
function within(scope: LimitedScope, rows: readonly Row[]) {
  const folders = new Map(rows.map((row) => [row.volumeId, foldersIn(scope, row)]))
  const seen = rows.filter(({ volumeId }) => folders.get(volumeId)?.length)
  return { seen, partial: new Map([...folders].filter(([, shown]) => shown.length > 0 && !shown.includes('/'))) }
}

type Row = Nullable<Omit<ShownVolume, 'root' | 'imported'>> &
  VolumePlaces & {
    imported: ImportOrigin | null
    indexingDate: string
    versions: number[] | null
    accessTimes: AccessTimes
    sizeBasis: SizeBasis
    path: string
    share: ShareAddress | null
  }

/**
 * Nearly every query runs this first; it is plain text, because building it takes as long as running it. The newest date has no deleted
 * volumes: it may be older than their deletion only if no others remain.
 */
const rowsAt = (date?: string) => sql<Row>`
  WITH asked AS (
    SELECT max(indexing_date) AS date FROM snapshots WHERE ${date === undefined || date === now ? sql`true` : sql`indexing_date <= ${date}`}
  ), shown AS (
    SELECT array_agg(scan_id ORDER BY scan_id) AS scans FROM snapshots JOIN asked ON date = indexing_date
  ), known AS (
    SELECT versions FROM duplicates_of_scans JOIN shown USING (scans) WHERE unused_since IS NULL LIMIT 1
  )
  SELECT snapshots.indexing_date, snapshots.volume_id, ${date === now ? liveScan : sql`snapshots.scan_id`}, name, volumes.type, generation, layers, committed_scan,
    NOT EXISTS (SELECT FROM ended_layers WHERE ended_layers.volume_id = volumes.id AND NOT removed) AS is_settled,
    scans.indexing_date AS scanned_on, access_times, size_basis, scans.agent_id, scans.announced -> 'places' AS places, scans.imported, (SELECT versions FROM known), path,
    CASE WHEN host IS NOT NULL THEN json_build_object('type', shares.type, 'host', host, 'shareName', share_name) END AS share${date === now ? liveColumns : sql``}
  FROM snapshots
  JOIN asked ON date = snapshots.indexing_date
  JOIN volumes ON volumes.id = snapshots.volume_id
    AND (deleted_at IS NULL OR date < (SELECT max(indexing_date) FROM snapshots))
  LEFT JOIN network_volumes AS shares ON shares.volume_id = volumes.id
  JOIN scans ON scans.id = snapshots.scan_id
  ${date === now ? joinLiveStates : sql``}
  ORDER BY snapshots.volume_id`

/**
 * The live state of a volume, unless it is based on another scan than the committed one or has no flush yet. While the volume is followed, its
 * state is as new as the oldest change that the agent has not sent; otherwise it is as of the last flush, or the end of the scan.
 */
const joinLiveStates = sql`LEFT JOIN LATERAL (
    SELECT CASE WHEN flush > 0 THEN json_build_object('generation', followed.generation, 'flush', flush) END AS live,
      CASE WHEN state = 'LIVE' THEN greatest(as_of, seen_at - behind_ms * interval '1 millisecond') ELSE as_of END AS known_at
    FROM live_volumes AS followed WHERE followed.volume_id = volumes.id AND base_scan = committed_scan) AS followed ON true`
const liveColumns = sql`, live, (extract(epoch FROM coalesce(known_at, scans.finished_at)) * 1000)::bigint AS as_of`
const liveScan = sql`CASE WHEN live IS NULL THEN snapshots.scan_id ELSE committed_scan END AS scan_id`

async function archiveSettings(db: Db): Promise<ArchiveSettings> {
  const { rows } = await sql<ArchiveSettings>`
    SELECT
      (SELECT coalesce(json_agg(json_build_object('volumeId', volume_id, 'path', path)), '[]') FROM archiwares) AS folders,
      (SELECT coalesce(json_agg(json_build_object(
        'volumeId', volume_id, 'dataintellPath', dataintell_path, 'externalPath', archiware_path)), '[]')
        FROM archiware_mappings) AS mappings`.execute(db)
  const [settings = noArchives] = rows
  return settings
}

/** The snapshot of a day, empty before the first one. */
export const snapshotOrEmpty = async (db: Db, scope: Scope, date?: string): Promise<Snapshot> =>
  (await snapshotAt(db, scope, date)) ?? emptySnapshot

function asShown({ path, share, imported, ...row }: Row): ShownVolume[] {
  // A storage that was never scanned has imports only.
  const { volumeId, name, type, scanId, scannedOn, layers, isSettled, live, asOf } = row
  const none = imported ? 0 : null
  const [generation, committedScan] = [row.generation ?? none, row.committedScan ?? none]
  if (generation === null || committedScan === null) return []
  const shown = {
    volumeId,
    name,
    type,
    root: rootPath(path, share),
    scanId,
    scannedOn,
    generation,
    layers,
    isSettled,
    committedScan,
  }
  return [{ ...shown, ...(imported && { imported }), ...(live && { live }), ...(asOf && { asOf }) }]
}

type Nullable<S extends Omit<ShownVolume, 'root' | 'imported'>> = Omit<S, 'generation' | 'committedScan'> & {
  generation: number | null
  committedScan: number | null
}
