import { zstdDecompressSync } from 'node:zlib'
import { entryColumns, rowKinds } from '#events/scans/entryRow.ts'

type Column = (typeof entryColumns)[number][0]
/** A row as it crossed, every field as text. */
export type Row = Record<Column, string>

const characters: Record<string, string> = { t: '\t', n: '\n', r: '\r', '0': '\0', b: '\b', f: '\f', '\\': '\\' }
const unescape = (field: string) =>
  field.includes('\\') ? field.replaceAll(/\\([^])/g, (_, letter: string) => characters[letter] ?? letter) : field

/** Reads a packed batch. */
export const decodeRows = (packed: Uint8Array): Row[] =>
  zstdDecompressSync(packed).toString('utf8').split('\n').slice(0, -1).map(decodeRow)

function decodeRow(line: string): Row {
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
  const entries = rows.filter(isEntry)
  const ends = rows.filter((row) => !isEntry(row))
  const below = Map.groupBy(entries, ({ parent_path }) => parent_path)
  const ended = new Set(ends.map(pathOf))
  const folders = entries.filter(({ is_directory }) => is_directory === '1').map(pathOf)
  const counted = (path: string) => below.get(`${path}/`)?.length ?? 0
  return [
    ...twice(entries.map(pathOf)).map((path) => `${path} came twice`),
    ...twice(ends.map(pathOf)).map((path) => `${path} ended twice`),
    ...folders
      .filter((path) => path.length >= scannedPath.length && !ended.has(path))
      .map((path) => `${path} has no end`),
    ...ends
      .filter((end) => isListed(end) && Number(end.children) !== counted(pathOf(end)))
      .map((end) => `${pathOf(end)} has ${counted(pathOf(end))} of ${end.children} entries`),
  ]
}

function twice(paths: string[]): string[] {
  const seen = new Set<string>()
  return paths.filter((path) => seen.size === seen.add(path).size)
}
