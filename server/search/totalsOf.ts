import type { Totals } from '#events/search.ts'
import type { Meant } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'

/** How many entries are meant, and their bytes; unknown sizes add nothing. */
export async function totalsOf(clickhouse: ClickHouse, { from, where, heavy }: Meant): Promise<Totals> {
  const { count, bytes } = await clickhouse.one<{ count: number; bytes: number }>(
    sql`SELECT count() AS count, sum(greatest(size, 0)) AS bytes FROM ${from} WHERE ${where}`,
    { heavy },
  )
  return { count, size: bytes }
}
