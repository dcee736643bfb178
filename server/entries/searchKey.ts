import { sql, type Sql } from '#server/platform/clickhouse/sql.ts'

/**
 * A text in the form in which searches compare it: composed (NFC), then case-folded, so that a letter with an accent is
 * found however a system encodes it, and `STRASSE` finds `straße`. Both sides of a comparison are folded by this
 * expression. The engine refuses to normalize bytes that are not UTF-8, so they are replaced first.
 */
export const folded = (text: Sql | string): Sql => sql`caseFoldUTF8(${normalized(text)})`

const normalized = (text: Sql | string): Sql => sql`normalizeUTF8NFC(toValidUTF8(${text}))`

/** The text of a column in composed form (NFC), with its case: people type regular expressions and paths in this form. */
export const composed = (column: Sql): Sql => sql`if(isValidASCII(${column}), ${column}, ${normalized(column)})`

/** A text with its search key, which is in the form of `folded`. */
export type SearchText = { raw: Sql; key: Sql }

/** The search text of a column. ASCII is much faster to fold without Unicode's rules. */
export const searchText = (raw: Sql): SearchText => ({
  raw,
  key: sql`if(isValidASCII(${raw}), lower(${raw}), ${folded(raw)})`,
})

/**
 * The name of an entry. `folded_name` stores its key, and is empty if lower-casing the ASCII letters gives the same. The
 * index `by_name` is on the same expression, as the engine writes it.
 */
export const nameText: SearchText = {
  raw: sql`name`,
  key: sql`if(empty(folded_name), lower(name), folded_name)`,
}

/** The path of an entry. Its key is not stored. */
export const pathText: SearchText = searchText(sql`concat(parent_path, name)`)
