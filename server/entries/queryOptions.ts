import type { QueryOptions } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { EntrySelection } from './selectEntries.ts'

/** Table and condition of a selection of entries. */
export type Source = Pick<EntrySelection, 'from' | 'where' | 'heavy'>

/** Query options for selected entries: heavy queries of the same entries take turns. */
export const queryOptions = ({ from, where, heavy }: Source): QueryOptions => ({
  heavy,
  condition: sql`${from} ${where}`,
})
