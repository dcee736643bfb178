import { sql as postgres } from 'kysely'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { dropPartition } from '#server/platform/clickhouse/statements.ts'
import { countedLast, versionsInUse } from './duplicatesOfScans.ts'
import { rowsOfVersions } from './groupVersions.ts'
import { withDuplicatesLockIfFree } from '#server/content/snapshots/locks.ts'

/** Maximum rows of versions kept for older dates: a multiple of the newest groups' rows, and a minimum. */
const maxKept = { timesNewest: 16, minRows: 1_000_000 }

/**
 * Drops versions of duplicates that no date has used for this many milliseconds, and those left by killed commits. If
 * dates need too many rows, drops the ones counted longest ago: their copies are then counted on request. Must not run
 * while a commit counts.
 */
export const dropUnusedDuplicates = ({ db, clickhouse }: Stores, olderThanMs: number, kept = maxKept): Promise<void> =>
  withDuplicatesLockIfFree(db, async (held) => {
    const rows = await rowsOfVersions(clickhouse)
    await leaveUnshown(held)
    await leaveTooMany(held, rows, kept)
    await dropLeft(held, clickhouse, rows, olderThanMs)
  })

/** Deletes the groups of scans that no date shows together. */
const leaveUnshown = (db: Db) =>
  postgres`
    UPDATE duplicates_of_scans SET unused_since = now()
    WHERE unused_since IS NULL AND scans NOT IN (
      SELECT array_agg(scan_id ORDER BY scan_id) FROM snapshots GROUP BY indexing_date)`.execute(db)

async function leaveTooMany(
  db: Db,
  rows: Map<number, number>,
  { timesNewest, minRows }: typeof maxKept,
): Promise<void> {
  const sum = (versions: Set<number>) => [...versions].reduce((all, version) => all + (rows.get(version) ?? 0), 0)
  let kept = new Set((await countedLast(db)).versions)
  const enough = Math.max(minRows, timesNewest * sum(kept))
  const known = await db.selectFrom('duplicatesOfScans').selectAll().where('unusedSince', 'is', null).execute()
  for (const { scans, versions } of known.sort((a, b) => newest(b) - newest(a))) {
    const more = new Set([...kept, ...versions])
    if (sum(more) <= enough) kept = more
    else await leave(db, scans)
  }
}

const newest = ({ versions }: { versions: number[] }): number => versions.at(-1) ?? 0

const leave = (db: Db, scans: number[]) =>
  postgres`
    UPDATE duplicates_of_scans SET unused_since = now()
    WHERE unused_since IS NULL AND scans = ${scans}::bigint[]`.execute(db)

async function dropLeft(db: Db, clickhouse: ClickHouse, rows: Map<number, number>, olderThanMs: number): Promise<void> {
  await db
    .deleteFrom('duplicatesOfScans')
    .where('unusedSince', '<', postgres<Date>`now() - ${olderThanMs} * interval '1 millisecond'`)
    .execute()
  const used = await versionsInUse(db)
  for (const version of rows.keys())
    if (!used.has(version)) await clickhouse.command(dropPartition('duplicate_groups', version))
}
