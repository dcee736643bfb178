import type { Criteria } from '#events/criteria.ts'
import type { Totals } from '#events/search.ts'
import { type Meant, totalsOf } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { canBe } from './meantByCriteria.ts'

/** How many entries meet criteria, and their bytes: those of a folder are those of its files, and counted once. */
export async function sizesByCriteria(clickhouse: ClickHouse, meant: Meant, criteria: Criteria): Promise<Totals> {
  const { count, bytes, fileBytes } = await totalsOf(clickhouse, meant)
  return { count, size: canBe(criteria, 'isDirectory', false) ? fileBytes : bytes }
}
