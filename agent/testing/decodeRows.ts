import { zstdDecompressSync } from 'node:zlib'
import { entryColumns, rowKinds } from '#events/entry-row.ts'

type Column = (typeof entryColumns)[number][0]
/** A row as it crossed, every field as text. */
export type Row = Record<Column, string>

const characters: Record<string, string> = { t: '\t', n: '\n', r: '\r', '0': '\0', b: '\b', f: '\f', '\\': '\\' }
const unescape = (field: string) =>
  field.includes('\\') ? field.replaceAll(/\\([^])/g, (_, letter: string) => characters[letter] ?? letter) : field

/** Reads a packed batch. */
export const decodeRows = (packed: Uint8Array): Row[] =>
  zstdDecompressSync(packed).toString('utf8').split('\n').slice(0, -1).map(decodeRow)

export function decodeRow(line: string): Row {
  const fields = line.split('\t')
  if (fields.length !== entryColumns.length) throw new Error(`${fields.length} fields: ${line}`)
  const row: Partial<Row> = {}
  for (let i = 0; i < fields.length; i++)
    row[(entryColumns[i] as (typeof entryColumns)[number])[0]] = unescape(fields[i] as string)
  return row as Row
}

export const isEntry = ({ kind }: Row) => Number(kind) === rowKinds.entry
export const isListed = ({ kind }: Row) => Number(kind) === rowKinds.listed
export const isUnreadable = ({ kind }: Row) => Number(kind) === rowKinds.unreadable
export const pathOf = ({ parent_path, name }: Pick<Row, 'parent_path' | 'name'>) => parent_path + name

/** Files, folders and bytes of files, as `find` counts them. */
export function totals(rows: Row[]) {
  const entries = rows.filter(isEntry)
  const files = entries.filter(({ is_directory }) => is_directory === '0')
  return {
    files: files.length,
    folders: entries.length - files.length,
    bytes: files.reduce((sum, { size }) => sum + Number(size), 0),
  }
}

/** What does not add up: entries that came twice, and folders whose end is missing, came twice or counts wrongly. */
export function contradictions(rows: Row[], scannedPath = ''): string[] {
  const wrong: string[] = []
  const seen = new Set<string>()
  const below = new Map<string, number>()
  const ends = new Map<string, Row>()
  for (const row of rows) {
    const path = pathOf(row)
    if (!isEntry(row)) {
      if (ends.has(path)) wrong.push(`${path} ended twice`)
      ends.set(path, row)
      continue
    }
    if (seen.has(path)) wrong.push(`${path} came twice`)
    seen.add(path)
    below.set(row.parent_path, (below.get(row.parent_path) ?? 0) + 1)
  }
  for (const row of rows.filter(isEntry))
    if (row.is_directory === '1' && pathOf(row).length >= scannedPath.length && !ends.has(pathOf(row)))
      wrong.push(`${pathOf(row)} has no end`)
  for (const [path, end] of ends)
    if (isListed(end) && Number(end.children) !== (below.get(`${path}/`) ?? 0))
      wrong.push(`${path} has ${below.get(`${path}/`) ?? 0} of ${end.children} entries`)
  return wrong
}
