import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** Whether a text is what was typed, whatever the case: `*` is any characters, `?` exactly one; without either, wholly. */
export const matches = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${likeOf(typed)}`

/** Likewise, but a text without `*` or `?` need only be contained. */
export const contains = (column: Sql, typed: string): Sql =>
  sql`${column} ILIKE ${isPattern(typed) ? likeOf(typed) : `%${likeOf(typed)}%`}`

/** Whether a text begins with what was typed, whatever the case; `*` and `?` stand for themselves. */
export const beginsWith = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${`${literal(typed)}%`}`

const isPattern = (typed: string): boolean => /[*?]/.test(typed)

const literal = (typed: string): string => typed.replaceAll(/[\\%_]/g, String.raw`\$&`)
const likeOf = (typed: string): string => literal(typed).replaceAll('*', '%').replaceAll('?', '_')
