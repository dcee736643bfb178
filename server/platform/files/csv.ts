import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'

/**
 * CSV for spreadsheets, by RFC 4180, in UTF-8 with a byte order mark: without one Excel assumes the machine's code
 * page. The engine writes the rows in its format CSV with these settings; NULL is an empty cell.
 */
export const csvSettings: Sql = text(`output_format_csv_crlf_end_of_line = 1, format_csv_null_representation = ''`)

/** The byte order mark and the line of column heads. */
export const csvHead = (heads: readonly string[]): Buffer =>
  Buffer.from(`\ufeff${heads.map((head) => `"${head.replaceAll('"', '""')}"`).join(',')}\r\n`)

/** Any spaces within a line, and quotes: programs skip these before they look at the first character of a cell. */
const ignored = String.raw`\t\p{Z}${'\ufeff'}\x00-\x08\x0B\x0C\x0E-\x1F"'\x60`
const sign = '[=+\\-@＝＋－＠]'
const beginsFormula = String.raw`^([\r\n${ignored}]*${sign}|[\t\r\n])`
/** Spreadsheets keep 15 digits of a number, and read `12E5` as one. */
const roundedNumber = String.raw`^([0-9]{16,}|[0-9]+[eE][0-9]+)$`
const isUnsafe = `${beginsFormula}|${roundedNumber}`
/**
 * If a semicolon separates cells, as in most of Europe, a spreadsheet reads quotes within its cells as letters: any
 * semicolon or line break of ours then starts a cell (https://owasp.org/www-community/attacks/CSV_Injection).
 */
const formulaWithin = String.raw`([;\r\n])([${ignored}]*${sign})`

/**
 * Text that a spreadsheet won't read as a formula, nor round as a number: it gets an apostrophe before it, a formula also
 * within the text. Columns of numbers need no apostrophe and must not have one.
 */
export const asText = (column: Sql): Sql => {
  const whole = sql`if(match(${column}, ${isUnsafe}), concat('''', ${column}), ${column})`
  return sql`replaceRegexpAll(${whole}, ${formulaWithin}, ${String.raw`\1'\2`})`
}

const [beginning, within] = [new RegExp(isUnsafe, 'u'), new RegExp(formulaWithin, 'gu')]

/**
 * A single line written without the engine: plain numbers, text guarded as by `asText` and quoted, null as an empty
 * cell.
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  const written = cells.map((cell) => {
    if (typeof cell !== 'string') return cell === null ? '' : String(cell)
    const guarded = (beginning.test(cell) ? `'${cell}` : cell).replaceAll(within, "$1'$2")
    return `"${guarded.replaceAll('"', '""')}"`
  })
  return `${written.join(',')}\r\n`
}
