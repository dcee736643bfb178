import { rowKinds } from '#events/scans/entryRow.ts'
import { type Sql, name, text } from '#server/platform/clickhouse/sql.ts'

/** The kinds of rows as statements have them. */
export const kindOf = Object.fromEntries(
  Object.entries(rowKinds).map(([kind, number]) => [kind, text(String(number))]),
) as Record<keyof typeof rowKinds, Sql>

/** The tables that a scan and its commit keep what they work on in, and the words their names begin with. */
const words = {
  /** What the agent saw. */
  staging: 'scan',
  /** The folders, or the parts of an object store, that the current attempt is to list. */
  pending: 'pending',
  next: 'next',
  half: 'half',
  firstLinks: 'first_links',
  totals: 'totals',
  folders: 'folders',
  changes: 'changes',
  moves: 'moves',
  touched: 'touched',
  carried: 'carried',
  /** Known folders that a delta moved or removed, and where they are now. */
  displaced: 'displaced',
} as const
type ScanTable = keyof typeof words

export const scanTableName = (table: ScanTable, scanId: number): string => `${words[table]}_${scanId}`

/** The tables of one scan; a commit drops them all at its end. */
export const tablesOf = (scanId: number) =>
  Object.fromEntries(
    Object.keys(words).map((table) => [table, name(scanTableName(table as ScanTable, scanId))]),
  ) as Record<ScanTable, Sql>

/** A regular expression of the names of all such tables, whatever their scan; its number is behind the last `_`. */
export const scanTablePattern = `^(${Object.values(words).join('|')})_\\d+$`
