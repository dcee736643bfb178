import type { Asked } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import type { Meant } from './meantEntries.ts'

/** Where entries are read, and which of them. */
export type Source = Pick<Meant, 'from' | 'where' | 'heavy'>

/** How a question about entries that are meant is asked: a heavy one has its turn among those of the same entries. */
export const askedOf = ({ from, where, heavy }: Source): Asked => ({
  heavy,
  condition: sql`${from} ${where}`,
})
