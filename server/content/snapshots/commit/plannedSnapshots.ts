import { sql } from 'kysely'
import { dayOf } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import {
  type RepeatedPlace,
  repeatedPlaces,
  type VolumePlaces,
} from '#server/content/snapshots/reading/repeatedPlaces.ts'
import type { Commit } from '#server/content/snapshots/commit/commit.ts'

export type SnapshotRow = { indexingDate: string; volumeId: number; scanId: number }

/**
 * The snapshot rows written by a commit's switch: the scan's own date; later dates, which so far show an older state of
 * the volume or lack it; and, if other volumes are kept, those missing on the date, in their last state.
 */
export async function plannedSnapshots({ db, scan, volume }: Commit): Promise<SnapshotRow[]> {
  const { indexingDate } = scan
  const own = { indexingDate, volumeId: volume.id, scanId: scan.id }
  const later = await datesAfter(db, indexingDate, volume.id)
  const cloned = scan.cloneIndex ? await volumesLackedBy(db, indexingDate, volume.id) : []
  return [own, ...later.map((row) => ({ ...own, ...row })), ...cloned.map((row) => ({ ...row, indexingDate }))]
}

/**
 * Later dates that show the volume, or that keep all volumes known then, without this one. Those include dates without scans, on which
 * another volume was deleted.
 */
export async function datesAfter(db: Db, indexingDate: string, volumeId: number) {
  const { rows } = await sql<{ indexingDate: string }>`
    SELECT DISTINCT indexing_date FROM snapshots
    WHERE indexing_date > ${indexingDate} AND (volume_id = ${volumeId} OR indexing_date NOT IN (
      SELECT indexing_date FROM scans WHERE state IN ('done', 'partial') GROUP BY 1 HAVING NOT bool_or(clone_index)))`.execute(
    db,
  )
  return rows
}

export async function volumesLackedBy(db: Db, indexingDate: string, except: number) {
  const newest = await newestDate(db)
  const rows = await db
    .selectFrom('snapshots')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .distinctOn('volumeId')
    .select(['volumeId', 'scanId', 'deletedAt'])
    .where('indexingDate', '<', indexingDate)
    .where('volumeId', '!=', except)
    .where('volumeId', 'not in', (of) =>
      of.selectFrom('snapshots').select('volumeId').where('indexingDate', '=', indexingDate),
    )
    .orderBy('volumeId')
    .orderBy('indexingDate', 'desc')
    .execute()
  return rows
    .filter(({ deletedAt }) => isShownOn(indexingDate, deletedAt, newest))
    .map(({ volumeId, scanId }) => ({ volumeId, scanId }))
}

/** Returns whether a date shows a volume: deleted ones are on dates before their deletion, but never on the newest. */
export const isShownOn = (date: string, deletedAt: Date | null, newest: string): boolean =>
  deletedAt === null || (date < newest && date < dayOf(deletedAt))

/** The newest date with a snapshot; empty before the first one. */
export async function newestDate(db: Db | Trx): Promise<string> {
  const { rows } = await sql<{ newest: string | null }>`SELECT max(indexing_date) AS newest FROM snapshots`.execute(db)
  return rows[0]?.newest ?? ''
}

/**
 * The volumes of the newest date after these rows are written, in their last committed state. A volume whose newest
 * snapshot was deleted is shown in its earlier state until the next scan.
 */
export async function volumesOfNewestDate({ db, scan, volume }: Commit, planned: SnapshotRow[]): Promise<number[]> {
  const newest = await db
    .selectFrom('snapshots')
    .select(['indexingDate', 'volumeId', 'scanId'])
    .where('indexingDate', '=', (of) => of.selectFrom('snapshots').select(sql<string>`max(indexing_date)`.as('newest')))
    .execute()
  const rows = [...newest, ...planned]
  const date = rows.map(({ indexingDate }) => indexingDate).reduce((a, b) => (a > b ? a : b))
  const committed = await db.selectFrom('volumes').select(['id', 'committedScan']).execute()
  const scans = new Map([...committed.map((row) => [row.id, row.committedScan] as const), [volume.id, scan.id]])
  const shown = rows.filter((row) => row.indexingDate === date && row.scanId === scans.get(row.volumeId))
  return [...new Set(shown.map(({ volumeId }) => volumeId))]
}

/** Folders whose files two of these volumes show, in their last states; that of the committed volume is this scan's. */
export async function repeatedAmong({ db, scan, volume }: Commit, volumes: number[]): Promise<RepeatedPlace[]> {
  const { rows } = await sql<VolumePlaces>`
    SELECT volumes.id AS volume_id, scans.agent_id, scans.announced -> 'places' AS places
    FROM volumes JOIN scans ON scans.id = CASE WHEN volumes.id = ${volume.id} THEN ${scan.id} ELSE committed_scan END
    WHERE volumes.id = ANY (${volumes}::integer[]) ORDER BY volumes.id`.execute(db)
  return repeatedPlaces(rows)
}
