import { type Sql, sql } from '#server/platform/sql.ts'

/** Whether a text is what was typed, whatever the case: `*` is any characters, `?` exactly one; without either, wholly. */
export const matches = (column: Sql, typed: string): Sql => sql`${column} ILIKE ${likeOf(typed)}`

/** Likewise, but a text without `*` or `?` need only be contained. */
export const contains = (column: Sql, typed: string): Sql =>
  sql`${column} ILIKE ${isPattern(typed) ? likeOf(typed) : `%${likeOf(typed)}%`}`

const isPattern = (typed: string): boolean => /[*?]/.test(typed)

const likeOf = (typed: string): string =>
  typed
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_')
