import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/**
 * CSV as spreadsheets read it, by RFC 4180, in UTF-8 with a byte order mark: without one Excel takes it for the code page of
 * the machine. The engine writes the rows, in its format CSV with these settings; what is NULL is an empty cell.
 */
export const csvSettings: Sql = text(`output_format_csv_crlf_end_of_line = 1, format_csv_null_representation = ''`)

/** What stands before the rows: the mark, and the heads of the columns. */
export const csvHead = (heads: readonly string[]): Buffer =>
  Buffer.from(`\ufeff${heads.map((head) => `"${head.replaceAll('"', '""')}"`).join(',')}\r\n`)

/** Spaces of any kind within a line, and quotes, which programs leave out before they look at what a cell begins with. */
const ignored = String.raw`\t\p{Z}${'\ufeff'}\x00-\x08\x0B\x0C\x0E-\x1F"'\x60`
const sign = '[=+\\-@＝＋－＠]'
const beginsFormula = String.raw`^([\r\n${ignored}]*${sign}|[\t\r\n])`
/**
 * Where a semicolon stands between cells, as in most of Europe, a spreadsheet takes quotes within its cells for letters:
 * then any semicolon or line break of ours begins a cell (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const formulaWithin = String.raw`([;\r\n])([${ignored}]*${sign})`

/**
 * Text that a spreadsheet takes for text: what it would read as a formula gets an apostrophe before it, also within. Numbers
 * need none, and must not have one.
 */
export const asText = (column: Sql): Sql => {
  const whole = sql`if(match(${column}, ${beginsFormula}), concat('''', ${column}), ${column})`
  return sql`replaceRegexpAll(${whole}, ${formulaWithin}, ${String.raw`\1'\2`})`
}

const [beginning, within] = [new RegExp(beginsFormula, 'u'), new RegExp(formulaWithin, 'gu')]

/** A line of few that are not the engine's: numbers as they are, text guarded as by `asText` and quoted, null an empty cell. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  const written = cells.map((cell) => {
    if (typeof cell !== 'string') return cell === null ? '' : String(cell)
    const guarded = (beginning.test(cell) ? `'${cell}` : cell).replaceAll(within, "$1'$2")
    return `"${guarded.replaceAll('"', '""')}"`
  })
  return `${written.join(',')}\r\n`
}
