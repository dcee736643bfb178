import type { EntryPage, EntrySort } from '#events/entries.ts'
import type { PageQuery } from '#events/page.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import { asEntries } from './asEntries.ts'
import { entryColumns, type EntryRecord } from './entryRecord.ts'
import type { Meant } from './meantEntries.ts'
import { readPage } from './readPage.ts'
import { sortBy } from './sorts.ts'

/** A page of the entries that are meant, as asked or by the default sort; throws 400 beyond the window. */
export async function listEntries(
  clickhouse: ClickHouse,
  meant: Meant,
  asked: PageQuery & { cursor?: string | undefined },
  usual: { sort: EntrySort; direction: 'asc' | 'desc' },
): Promise<EntryPage> {
  const { snapshot } = meant
  const { direction = asked.sort ? 'asc' : usual.direction } = asked
  const sort = sortBy(asked.sort ?? usual.sort, snapshot)
  const columns = meant.deleted === 'each' ? sql`${entryColumns}, is_deleted` : entryColumns
  const { rows, about } = await readPage<EntryRecord>(clickhouse, meant, columns, sort, { ...asked, direction })
  return {
    elements: await asEntries(clickhouse, rows, meant),
    ...about,
    indexingDate: snapshot.indexingDate || null,
  }
}
