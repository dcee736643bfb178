import { type Place, placeKey, tagsAt } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Period } from './planTags.ts'

/** The tags that users see and that entries have on a day or after it, by the keys of the entries' places. */
export async function readPeriods(
  clickhouse: ClickHouse,
  entries: Place[],
  day: string,
): Promise<Map<string, Period[]>> {
  const tags = await tagsAt(clickhouse, entries)
  return Map.groupBy(
    tags.filter(({ to }) => to > day),
    placeKey,
  )
}
