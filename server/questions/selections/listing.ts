import type { SelectedEntry } from '#events/selections.ts'
import { folderOf, nameOf, placeKey } from '#server/content/entries/places.ts'
import { escape } from '#server/platform/clickhouse/checkRows.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { EntryRows } from './countEntries.ts'
import { dropRows, nextSelectionId, rowsOfSelection } from './rows.ts'

/** Places of listed entries as rows of ClickHouse, because a statement has no room for thousands of paths. */
export type Listing = EntryRows & { entries: readonly SelectedEntry[] }

/** Stores the places of listed entries, each once, while `work` runs. */
export async function withListing<T>(
  stores: Stores,
  listed: readonly SelectedEntry[],
  work: (listing: Listing) => Promise<T>,
): Promise<T> {
  const id = await nextSelectionId(stores.db)
  const entries = [...new Map(listed.map(inTable).map((entry) => [placeKey(entry), entry])).values()]
  const lines = entries.map((entry, index) => lineOf(id, index + 1, entry))
  try {
    await stores.clickhouse.insert('selected_entries', columns, Buffer.from(lines.join('')), `selection-${id}`)
    return await work({ ...rowsOfSelection(id), entries })
  } finally {
    await dropRows(stores.clickhouse, id)
  }
}

/** The root of a storage has an empty path in the tables. */
const inTable = (entry: SelectedEntry): SelectedEntry => (entry.path === '/' ? { ...entry, path: '' } : entry)

const columns = ['selection', 'position', 'volume', 'parent_path', 'name', 'is_directory']
const lineOf = (id: number, position: number, { volumeId, path, isDirectory }: SelectedEntry): string =>
  `${[id, position, volumeId, escape(folderOf(path)), escape(nameOf(path)), isDirectory ? 1 : 0].join('\t')}\n`

/** Number of listed places that have none of the entries. */
export async function countMissing({ clickhouse }: Stores, listing: Listing, entries: EntryRows): Promise<number> {
  const { count } = await clickhouse.one<{ count: number }>(
    sql`
      SELECT count() AS count FROM ${listing.from}
      WHERE ${listing.where} AND (volume, parent_path, name, is_directory) NOT IN (
        SELECT volume, parent_path, name, is_directory FROM ${entries.from} WHERE ${entries.where})`,
    { heavy: true },
  )
  return count
}
