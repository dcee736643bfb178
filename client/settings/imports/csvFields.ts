/** Fields that a column of a CSV can be, with their words. */
export const csvFields = {
  path: 'Path',
  parent: 'Folder',
  name: 'Name',
  kind: 'Kind',
  size: 'Size',
  allocatedSize: 'Size on disk',
  modified: 'Last modified',
  accessed: 'Last access',
  created: 'Created',
  owner: 'Owner',
  group: 'Group',
} as const
export type CsvField = keyof typeof csvFields

const rowsShown = 6
const headers: [CsvField, RegExp][] = [
  ['path', /^(?:full ?)?path$|^file ?(?:name|path)$|^key$/i],
  ['parent', /^parent|^folder$|^directory$/i],
  ['name', /^name$/i],
  ['kind', /^kind$|^type$/i],
  ['allocatedSize', /alloc|on disk|size_du/i],
  ['size', /^(?:file ?)?size|^bytes$|^length$/i],
  ['modified', /modif|mtime|last change|lastwrite/i],
  ['accessed', /access|atime/i],
  ['created', /creat|crtime/i],
  ['owner', /^owner$|^user$/i],
  ['group', /^group$/i],
]

/** The first rows of a CSV, for the choice of its columns. The server reads the file itself. */
export function firstRows(start: string): string[][] {
  const lines = start.split(/\r?\n/).filter((line) => line !== '')
  const [first = ''] = lines
  const delimiter = [',', ';', '\t', '|'].reduce((one, other) =>
    first.split(other).length > first.split(one).length ? other : one,
  )
  return lines.slice(0, rowsShown).map((line) => cellsOf(line, delimiter))
}

function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = ['']
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === delimiter && !isQuoted) cells.push('')
    else cells[cells.length - 1] += character
  }
  return cells
}

export type CsvColumns = Partial<Record<CsvField, number>>

/** The chosen columns, or those that the names in the first row suggest. */
export const shownColumns = (start: string, chosen: CsvColumns): CsvColumns =>
  Object.keys(chosen).length > 0 ? chosen : guessColumns(firstRows(start))

function guessColumns(rows: readonly string[][]): CsvColumns {
  const columns: CsvColumns = {}
  for (const [at, cell] of (rows[0] ?? []).entries()) {
    const field = headers.find(([field, pattern]) => columns[field] === undefined && pattern.test(cell.trim()))?.[0]
    if (field) columns[field] = at
  }
  return columns
}
