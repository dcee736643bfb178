import type { QueryOptions } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { EntrySelection } from './selectEntries.ts'

/** Where entries are read, and which of them. */
export type Source = Pick<EntrySelection, 'from' | 'where' | 'heavy'>

/** How a question about entries that are meant is asked: a heavy one has its turn among those of the same entries. */
export const queryOptions = ({ from, where, heavy }: Source): QueryOptions => ({
  heavy,
  condition: sql`${from} ${where}`,
})
