import { today } from '#server/platform/days.ts'
import type { Db } from '#server/platform/postgres.ts'
import { type Sql, join, sql, typed } from '#server/platform/sql.ts'
import { daysBefore, deletedFilesNumberOfDays } from './deletedAt.ts'

/** A volume's committed scan, and the scans that snapshots show of it, by date. */
export type ShownScans = {
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
 * Which closed versions of a volume no snapshot shows and none lists as deleted, today's and later ones included. The
 * last shown scan before a version's end lies before its beginning. It stays so whatever is scanned meanwhile.
 */
export async function unshownVersions(db: Db, { volumeId, committedScan, shown }: ShownScans): Promise<Sql> {
  const listed = await listedAsDeleted(db, { volumeId, committedScan, shown })
  const scans = [0, ...new Set(shown.map(({ scanId }) => scanId))]
  return sql`volume = ${volumeId} AND to_scan <= ${committedScan} AND roundDown(to_scan - 1, ${scans}) < from_scan
    AND NOT (ended = 'deleted' AND ${listed})`
}

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
  const tooOld = (date: string): number => {
    const last = daysBefore(date, deletedFilesNumberOfDays)
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
