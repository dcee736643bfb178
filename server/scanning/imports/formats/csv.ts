import { UnreadableLineError } from './entries.ts'
import { RefusedExport } from './format.ts'
import { checkLength } from './lines.ts'

/** A record of a CSV, and the line that it starts in. */
export type Row = { line: number; cells: string[] }

/** Most lines of a cell. */
const maxTries = 1_000
const delimiters = [',', ';', '\t', '|']

/**
 * Rows of a CSV. The delimiter is the one that the first lines have most of, or that a line `sep=;` names. A quoted cell may have line
 * ends and doubled quotes. Throws `RefusedExport` for a row that is too long, such as one whose quote never ends.
 */
export async function* rowsOf(texts: AsyncIterable<string>): AsyncGenerator<Row[]> {
  let rest = ''
  let line = 1
  let delimiter = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length === 0) checkLength(rest, line)
    delimiter ||= delimiterOf([...lines, rest])
    const { rows, open, next } = readRows(lines, delimiter, line)
    line = next
    rest = open + rest
    checkLength(rest, line)
    yield rows
  }
  if (rest === '') return
  const { rows, open } = readRows(rest.split('\n'), delimiter, line)
  if (open !== '') throw new RefusedExport(`Line ${line}: a quoted cell does not end.`)
  yield rows
}

function delimiterOf(lines: readonly string[]): string {
  const [first = ''] = lines
  const named = /^"?sep=(.)"?\r?$/i.exec(first)?.[1]
  if (named) return named
  const start = lines.slice(0, 5).map((line) => line.slice(0, 10_000).replaceAll(/"[^"]*"/g, ''))
  const counts = delimiters.map((one) => Math.max(...start.map((line) => line.split(one).length)))
  return delimiters[counts.indexOf(Math.max(...counts))] as string
}

/** Complete rows of lines. `open` is the text of a last row whose quote hasn't ended, and `next` its line. */
function readRows(
  lines: readonly string[],
  delimiter: string,
  from: number,
): { rows: Row[]; open: string; next: number } {
  const rows: Row[] = []
  let open: string[] = []
  let start = from
  let tries = 0
  for (const [at, line] of lines.entries()) {
    if (open.length === 0) start = from + at
    open.push(line)
    const mayEnd = open.length === 1 || line.split('"').length % 2 === 0
    const cells = mayEnd ? cellsOf(open.join('\n').replace(/\r$/, ''), delimiter) : undefined
    if (cells) {
      if (open.length > 1 || (line !== '' && line !== '\r')) rows.push({ line: start, cells })
      open = []
      tries = 0
    } else if (++tries > maxTries) throw new RefusedExport(`Line ${start}: a quoted cell does not end.`)
  }
  return { rows, open: open.map((line) => `${line}\n`).join(''), next: open.length > 0 ? start : from + lines.length }
}

/** Undefined if a quoted cell doesn't end. A quote within a cell is part of it. */
function cellsOf(text: string, delimiter: string): string[] | undefined {
  if (!text.includes('"')) return text.split(delimiter)
  const cells: string[] = []
  for (let at = 0; ;) {
    if (text[at] !== '"') {
      const end = text.indexOf(delimiter, at)
      cells.push(text.slice(at, end < 0 ? text.length : end))
      if (end < 0) return cells
      at = end + delimiter.length
      continue
    }
    let end = text.indexOf('"', at + 1)
    while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
    if (end < 0) return undefined
    const after = text.indexOf(delimiter, end)
    cells.push(text.slice(at + 1, end).replaceAll('""', '"') + text.slice(end + 1, after < 0 ? text.length : after))
    if (after < 0) return cells
    at = after + delimiter.length
  }
}

/** Cell of a row. Throws if the row ends before it. */
export function cellOf(cells: readonly string[], at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const cell = cells[at]
  if (cell === undefined) throw new UnreadableLineError(`has ${cells.length} cells`)
  return cell
}
