import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/**
 * Condition: the text matches a typed pattern, ignoring case. `*` is any characters, `?` exactly one; without either,
 * the whole text must match.
 */
export const matches = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${likeOf(typed)}`

/** Same, but a pattern without `*` or `?` matches anywhere in the text. */
export const contains = (column: Sql, typed: string): Sql =>
  sql`${column} ILIKE ${isPattern(typed) ? likeOf(typed) : `%${likeOf(typed)}%`}`

/** Condition: the text starts with the typed characters, ignoring case; `*` and `?` are literal. */
export const beginsWith = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${`${literal(typed)}%`}`

const isPattern = (typed: string): boolean => /[*?]/.test(typed)

const literal = (typed: string): string => typed.replaceAll(/[\\%_]/g, String.raw`\$&`)
const likeOf = (typed: string): string => literal(typed).replaceAll('*', '%').replaceAll('?', '_')
