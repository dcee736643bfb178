import { configuredNumber } from '#server/configurations/index.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, join, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { daysBefore } from '#server/snapshots/reading/deletedAt.ts'

/** A volume's committed scan, and the scans that snapshots show of it, by date. */
type ShownScans = {
  volumeId: number
  committedScan: number
  shown: { indexingDate: string; scanId: number }[]
}

export async function shownScans(db: Db, volumeId: number): Promise<ShownScans> {
  const { committedScan } = await db
    .selectFrom('volumes')
    .select('committedScan')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const shown = await db
    .selectFrom('snapshots')
    .select(['indexingDate', 'scanId'])
    .where('volumeId', '=', volumeId)
    .orderBy('scanId')
    .execute()
  return { volumeId, committedScan: committedScan ?? Number.MAX_SAFE_INTEGER, shown }
}

/**
 * Which closed versions of a volume are of no use: no snapshot shows them, none lists them as deleted or leaves out others
 * for them, today's and later ones included, and none needs them to tell where an entry of its own went. It stays so
 * whatever is scanned meanwhile.
 */
export async function unusedVersions(db: Db, scans: ShownScans): Promise<Sql> {
  const listed = await listedAsDeleted(db, scans)
  const isListed = sql`${listed} AND (ended = 'deleted' OR ${key} IN ${lostAgain(scans, listed)})`
  const tellsWay = sql`previous_path != '' OR (${key}, to_scan) IN ${tellingEnds(scans)}`
  return sql`${unshown(scans)} AND (ended = 'changed' OR NOT ((${isListed}) OR ${tellsWay}))`
}

const closed = ({ volumeId, committedScan }: ShownScans) => sql`volume = ${volumeId} AND to_scan <= ${committedScan}`
/** The last scan before another one, that one included, that some snapshot shows; 0 is none. */
const lastShown = (scan: Sql, { shown }: ShownScans) =>
  sql`roundDown(${scan}, ${[0, ...new Set(shown.map(({ scanId }) => scanId))]})`
const shownLast = (scans: ShownScans) => lastShown(sql`to_scan - 1`, scans)
const shownBefore = (scans: ShownScans) => lastShown(sql`from_scan - 1`, scans)
const unshown = (scans: ShownScans) => sql`${closed(scans)} AND ${shownLast(scans)} < from_scan`

const key = sql`sipHash128(parent_path, name, is_directory)`

/** What was deleted, came back and was lost in another way: its later end says that it is not to be listed as deleted. */
const lostAgain = (scans: ShownScans, listed: Sql) => sql`(
  SELECT ${key} FROM entry_history WHERE ${closed(scans)} AND ended = 'deleted' AND ${listed} AND ${key} IN (
    SELECT ${key} FROM entry_history
    WHERE ${unshown(scans)} AND ended NOT IN ('changed', 'deleted') AND ${listed}))`

/**
 * How what a snapshot shows was lost, though it had changed once more by then: between two snapshots it is followed from
 * its first loss on. (What was moved before says so itself, by its previous path.)
 */
const tellingEnds = (scans: ShownScans) => sql`(
  SELECT ${key}, min(to_scan) FROM entry_history WHERE ${unshown(scans)} AND ended != 'changed'
  GROUP BY ${key}, ${shownBefore(scans)}
  HAVING (${key}, ${shownBefore(scans)}) IN (
    SELECT ${key}, ${shownLast(scans)} FROM entry_history
    WHERE ${closed(scans)} AND ${shownLast(scans)} >= from_scan AND ended = 'changed' AND ${key} IN (
      SELECT ${key} FROM entry_history WHERE ${unshown(scans)} AND ended != 'changed')))`

/** Statistics of scans that no snapshot shows; a commit that finds no change copies those of the committed scan. */
export function unshownStatistics({ volumeId, committedScan, shown }: ShownScans): Sql {
  const scans = typed([...new Set(shown.map(({ scanId }) => scanId))], 'Array(UInt64)')
  return sql`volume = ${volumeId} AND scan < ${committedScan} AND NOT has(${scans}, scan)`
}

/** The condition on the end of a version that some date lists among what was deleted in the days before it. */
async function listedAsDeleted(db: Db, { volumeId, committedScan, shown }: ShownScans): Promise<Sql> {
  const scans = await db
    .selectFrom('scans')
    .select(['id', 'indexingDate'])
    .where('volumeId', '=', volumeId)
    .orderBy('id', 'desc')
    .execute()
  const days = await configuredNumber(db, 'deletedFilesNumberOfDays')
  const tooOld = (date: string): number => {
    const last = daysBefore(date, days)
    return scans.find(({ indexingDate }) => indexingDate <= last)?.id ?? 0
  }
  const toCome = { after: tooOld(today()), upTo: committedScan }
  const windows = shown.map(({ indexingDate, scanId }) => ({ after: tooOld(indexingDate), upTo: scanId }))
  const conditions = merged([...windows, toCome]).map(
    ({ after, upTo }) => sql`(to_scan > ${after} AND to_scan <= ${upTo})`,
  )
  return sql`(${join(conditions, ' OR ')})`
}

type Window = { after: number; upTo: number }

/** The same scans in as few windows as can be. */
function merged(windows: Window[]): Window[] {
  const found: Window[] = []
  for (const window of windows.sort((a, b) => a.after - b.after)) {
    const last = found.at(-1)
    if (last && window.after <= last.upTo) last.upTo = Math.max(last.upTo, window.upTo)
    else found.push({ ...window })
  }
  return found
}
