import { type Place, placeKey, rowsAt } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { type Sql, sql } from '#server/platform/sql.ts'
import { deletedAt, entriesAt, type Snapshot } from '#server/snapshots/index.ts'
import { kindOf } from './writableSnapshot.ts'

/** Throws 404 unless a snapshot shows all of these entries, be it as deleted. */
export async function checkThere(
  { db, clickhouse }: { db: Db; clickhouse: ClickHouse },
  snapshot: Snapshot,
  entries: Place[],
): Promise<void> {
  const volumes = snapshot.volumes.filter(({ volumeId }) => entries.some((entry) => entry.volumeId === volumeId))
  const meant = { ...snapshot, volumes }
  const missing = await missingIn(clickhouse, entriesAt(meant), entries)
  if (missing.length === 0) return
  const [unknown] = await missingIn(clickhouse, await deletedAt(db, meant), missing)
  if (unknown) notFound(kindOf(unknown), unknown.path)
}

async function missingIn(clickhouse: ClickHouse, from: Sql, entries: Place[]): Promise<Place[]> {
  const found = await rowsAt(clickhouse, entries, { columns: sql`1 AS here`, from, where: sql`1` })
  const keys = new Set(found.map(placeKey))
  return entries.filter((entry) => !keys.has(placeKey(entry)))
}
