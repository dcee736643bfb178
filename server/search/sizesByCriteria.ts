import type { Criteria } from '#events/criteria.ts'
import type { Totals } from '#events/search.ts'
import { askedOf, type Meant } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import { canBe } from './meantByCriteria.ts'

/** How many entries meet criteria, and their bytes: those of a folder are those of its files, and counted once. */
export async function sizesByCriteria(clickhouse: ClickHouse, meant: Meant, criteria: Criteria): Promise<Totals> {
  const counted = canBe(criteria, 'isDirectory', false) ? sql`NOT is_directory` : sql`1`
  const { count, bytes } = await clickhouse.one<{ count: number; bytes: number }>(
    sql`
      SELECT count() AS count, sumIf(greatest(size, 0), ${counted}) AS bytes
      FROM ${meant.from} WHERE ${meant.where}`,
    askedOf(meant),
  )
  return { count, size: bytes }
}
