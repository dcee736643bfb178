import { rowKinds } from '#events/scans/entryRow.ts'
import { type Sql, name, text } from '#server/platform/clickhouse/sql.ts'

/** The kinds of rows as statements have them. */
export const kindOf = Object.fromEntries(
  Object.entries(rowKinds).map(([kind, number]) => [kind, text(String(number))]),
) as Record<keyof typeof rowKinds, Sql>

/** Working tables of a scan and its commit, with the prefixes of their names. */
const words = {
  /** Observations of the agent. */
  staging: 'scan',
  /** Folders, or parts of an object store, to list in the current attempt. */
  pending: 'pending',
  next: 'next',
  half: 'half',
  firstLinks: 'first_links',
  totals: 'totals',
  /** Of commits that an earlier version began. */
  folders: 'folders',
  changes: 'changes',
  moves: 'moves',
  touched: 'touched',
  carried: 'carried',
  /** Known folders that a delta moved or removed, with their current paths. */
  displaced: 'displaced',
  /** Parent paths of the entries that a delta may change. */
  scope: 'scope',
} as const
type ScanTable = keyof typeof words

export const scanTableName = (table: ScanTable, scanId: number): string => `${words[table]}_${scanId}`

/** The tables of one scan; a commit drops them all at its end. */
export const tablesOf = (scanId: number) =>
  Object.fromEntries(
    Object.keys(words).map((table) => [table, name(scanTableName(table as ScanTable, scanId))]),
  ) as Record<ScanTable, Sql>

const scanTable = new RegExp(`^(?:${Object.values(words).join('|')})_(\\d+)$`)

/** The scan that one of these tables belongs to; undefined for all other tables. */
export function scanOfTable(table: string): number | undefined {
  const [, scan] = scanTable.exec(table) ?? []
  return scan === undefined ? undefined : Number(scan)
}
