import type { Tagged } from '#events/tags.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { deletedAt, entriesAt, type Snapshot } from '#server/snapshots/index.ts'
import { keyOf, rowsOf } from './readPeriods.ts'
import { kindOf } from './writableSnapshot.ts'

/** Throws 404 unless a snapshot shows all of these entries, be it as deleted. */
export async function checkThere(
  { db, clickhouse }: { db: Db; clickhouse: ClickHouse },
  snapshot: Snapshot,
  entries: Tagged[],
): Promise<void> {
  const volumes = snapshot.volumes.filter(({ volumeId }) => entries.some((entry) => entry.volumeId === volumeId))
  const meant = { ...snapshot, volumes }
  const missing = await missingIn(clickhouse, entriesAt(meant), entries)
  if (missing.length === 0) return
  const [unknown] = await missingIn(clickhouse, await deletedAt(db, meant), missing)
  if (unknown) notFound(kindOf(unknown), unknown.path)
}

async function missingIn(clickhouse: ClickHouse, from: Sql, entries: Tagged[]): Promise<Tagged[]> {
  const found = await rowsOf(clickhouse, entries, { columns: sql`1 AS here`, from, where: sql`1` })
  const keys = new Set(found.map(keyOf))
  return entries.filter((entry) => !keys.has(keyOf(entry)))
}
