import { configuredNumber } from '#server/access/configurations/index.ts'
import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, join, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { daysBefore } from '#server/content/snapshots/reading/deletedAt.ts'

/** A volume's committed scan, and its scans in snapshots, by date. */
type ShownScans = {
  volumeId: number
  committedScan: number
  shown: { indexingDate: string; scanId: number }[]
  /** Imports of the volume, whose versions no scan shows: those in snapshots, and all others. */
  imports: { shown: number[]; unshown: number[] }
}

/** Later than any scan. */
const noScan = Number.MAX_SAFE_INTEGER

export async function shownScans(db: Db, volumeId: number): Promise<ShownScans> {
  const { committedScan } = await db
    .selectFrom('volumes')
    .select('committedScan')
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const all = await db
    .selectFrom('snapshots')
    .select(['indexingDate', 'scanId'])
    .where('volumeId', '=', volumeId)
    .orderBy('scanId')
    .execute()
  const imported = await db
    .selectFrom('scans')
    .select('id')
    .where('volumeId', '=', volumeId)
    .where('state', '=', 'imported')
    .execute()
  const ids = imported.map(({ id }) => id)
  const isShown = (id: number) => all.some(({ scanId }) => scanId === id)
  const imports = { shown: ids.filter(isShown), unshown: ids.filter((id) => !isShown(id)) }
  const shown = all.filter(({ scanId }) => !ids.includes(scanId))
  return { volumeId, committedScan: committedScan ?? noScan, shown, imports }
}

/**
 * Condition on closed versions of a volume that are no longer needed: no snapshot shows them, lists them as deleted or
 * excludes others because of them, including today's and later ones, and none needs them to follow its entries. This
 * stays true after further scans.
 */
export async function unusedVersions(db: Db, scans: ShownScans): Promise<Sql> {
  const { shown, unshown } = scans.imports
  const unused = await unusedOfScans(db, scans)
  if (shown.length + unshown.length === 0) return unused
  const isIn = (ids: number[]) => sql`has(${typed(ids, 'Array(UInt64)')}, from_scan)`
  return sql`((${unused}) AND NOT ${isIn([...shown, ...unshown])}) OR (volume = ${scans.volumeId} AND ${isIn(unshown)})`
}

async function unusedOfScans(db: Db, scans: ShownScans): Promise<Sql> {
  if (isForgotten(scans)) return closed(scans)
  const listed = await listedAsDeleted(db, scans)
  const isListed = sql`${listed} AND (ended = 'deleted' OR ${key} IN ${lostAgain(scans, listed)})`
  const tellsWay = sql`previous_path != '' OR (${key}, to_scan) IN ${tellingEnds(scans)}`
  return sql`${unshown(scans)} AND (ended = 'changed' OR NOT ((${isListed}) OR ${tellsWay}))`
}

/** No snapshot shows the volume, and its next scan is a first one: nothing of it is followed any more. */
const isForgotten = ({ committedScan, shown }: ShownScans): boolean => committedScan === noScan && shown.length === 0

const closed = ({ volumeId, committedScan }: ShownScans) => sql`volume = ${volumeId} AND to_scan <= ${committedScan}`
/** The last scan up to another one (inclusive) that a snapshot shows; 0 means none. */
const lastShown = (scan: Sql, { shown }: ShownScans) =>
  sql`roundDown(${scan}, ${[0, ...new Set(shown.map(({ scanId }) => scanId))]})`
const shownLast = (scans: ShownScans) => lastShown(sql`to_scan - 1`, scans)
const shownBefore = (scans: ShownScans) => lastShown(sql`from_scan - 1`, scans)
const unshown = (scans: ShownScans) => sql`${closed(scans)} AND ${shownLast(scans)} < from_scan`

const key = sql`sipHash128(parent_path, name, is_directory)`

/**
 * Entries that were deleted, returned and were lost in another way: because of their later end they are not listed as
 * deleted.
 */
const lostAgain = (scans: ShownScans, listed: Sql) => sql`(
  SELECT ${key} FROM entry_history WHERE ${closed(scans)} AND ended = 'deleted' AND ${listed} AND ${key} IN (
    SELECT ${key} FROM entry_history
    WHERE ${unshown(scans)} AND ended NOT IN ('changed', 'deleted') AND ${listed}))`

/**
 * Endings of entries in a snapshot that had changed once more before: between two snapshots an entry is followed from
 * its first loss. (A moved entry itself has its previous path.)
 */
const tellingEnds = (scans: ShownScans) => sql`(
  SELECT ${key}, min(to_scan) FROM entry_history WHERE ${unshown(scans)} AND ended != 'changed'
  GROUP BY ${key}, ${shownBefore(scans)}
  HAVING (${key}, ${shownBefore(scans)}) IN (
    SELECT ${key}, ${shownLast(scans)} FROM entry_history
    WHERE ${closed(scans)} AND ${shownLast(scans)} >= from_scan AND ended = 'changed' AND ${key} IN (
      SELECT ${key} FROM entry_history WHERE ${unshown(scans)} AND ended != 'changed')))`

/** Statistics of scans that no snapshot shows; a commit without changes copies those of the committed scan. */
export function unshownStatistics({ volumeId, committedScan, shown, imports }: ShownScans): Sql {
  const scans = typed([...new Set([...shown.map(({ scanId }) => scanId), ...imports.shown])], 'Array(UInt64)')
  const removed = typed(imports.unshown, 'Array(UInt64)')
  return sql`volume = ${volumeId} AND ((scan < ${committedScan} AND NOT has(${scans}, scan)) OR has(${removed}, scan))`
}

/** Condition on the end of versions that some date lists as deleted in the days before it. */
async function listedAsDeleted(db: Db, { volumeId, committedScan, shown }: ShownScans): Promise<Sql> {
  const scans = await db
    .selectFrom('scans')
    .select(['id', 'indexingDate'])
    .where('volumeId', '=', volumeId)
    .where('state', '!=', 'imported')
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

/** The same scans in as few windows as possible. */
function merged(windows: Window[]): Window[] {
  const found: Window[] = []
  for (const window of windows.sort((a, b) => a.after - b.after)) {
    const last = found.at(-1)
    if (last && window.after <= last.upTo) last.upTo = Math.max(last.upTo, window.upTo)
    else found.push({ ...window })
  }
  return found
}
