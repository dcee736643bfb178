import type { EntryPage, EntrySort, ListSort } from '#events/entries.ts'
import type { Direction, PageQuery } from '#events/contract/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { asEntries } from './asEntries.ts'
import type { Order } from './cursor.ts'
import { entryColumns, type EntryRecord } from './entryRecord.ts'
import type { EntrySelection } from './selectEntries.ts'
import { readPage } from './readPage.ts'
import { sortBy } from './sorts.ts'

/** The sort order of a list without one in the request. */
export type DefaultSort = { sort: EntrySort; direction: Direction }

/** The sort order requested for a list; throws 400 if it is unknown. */
export const orderOf = (
  { sort, direction = sort ? 'asc' : undefined }: { sort?: string | undefined; direction?: Direction | undefined },
  defaultSort: DefaultSort,
  snapshot: Snapshot,
): Order<ListSort> => ({
  sort: sortBy(sort ?? defaultSort.sort, snapshot),
  direction: direction ?? defaultSort.direction,
})

/** A page of the selected entries, in the requested or the default order; throws 400 beyond the window. */
export async function listEntries(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  query: PageQuery & { cursor?: string | undefined },
  defaultSort: DefaultSort,
): Promise<EntryPage> {
  const { snapshot } = selection
  const { sort, direction } = orderOf(query, defaultSort, snapshot)
  const columns = selection.deleted === 'each' ? sql`${entryColumns}, is_deleted` : entryColumns
  const { rows, about } = await readPage<EntryRecord>(clickhouse, selection, columns, sort, { ...query, direction })
  return {
    elements: await asEntries(clickhouse, rows, selection),
    ...about,
    indexingDate: snapshot.indexingDate || null,
  }
}
