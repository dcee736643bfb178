import { zstdDecompressSync } from 'node:zlib'
import { checkBlock } from '#events/node/blocks/checkBlock.ts'
import { type DecodedValue, decodeBlock } from '#events/node/blocks/testing/decodeBlock.ts'
import { type BatchId, type BlockColumn, blockColumns, rowKinds } from '#events/scans/entryRow.ts'

/** A row as it was sent, every field as text, with its batch. */
export type Row = Record<BlockColumn, string> & BatchId

/** Decodes a packed batch. */
export function decodeRows(packed: Uint8Array, id: BatchId = { attempt: 1, batch: 1 }): Row[] {
  const block = zstdDecompressSync(packed)
  const checked = checkBlock(block)
  if (typeof checked === 'string') throw new Error(checked)
  return decodeBlock(block).map((decoded) => {
    const row = { ...decoded, ...id } as Row
    for (const [name] of blockColumns) row[name] = asText(decoded[name])
    return row
  })
}

const asText = (value: DecodedValue): string =>
  typeof value === 'boolean' ? String(Number(value)) : typeof value === 'object' ? JSON.stringify(value) : String(value)

export const isEntry = ({ kind }: Row) => Number(kind) === rowKinds.entry
export const isListed = ({ kind }: Row) => Number(kind) === rowKinds.listed
export const isUnreadable = ({ kind }: Row) => Number(kind) === rowKinds.unreadable
export const isGone = ({ kind }: Row) => Number(kind) === rowKinds.gone
export const isUnchanged = ({ kind }: Row) => Number(kind) === rowKinds.unchanged
export const pathOf = ({ parent_path, name }: Pick<Row, 'parent_path' | 'name'>) => parent_path + name

/** Files, folders and bytes of files, counted in the same way as `find`. */
export function totals(rows: Row[]) {
  const entries = rows.filter(isEntry)
  const files = entries.filter(({ is_directory }) => is_directory === '0')
  return {
    files: files.length,
    folders: entries.length - files.length,
    bytes: files.reduce((sum, { size }) => sum + Number(size), 0),
  }
}

/** Inconsistencies: duplicate entries, and folders whose end is missing, duplicate or has a wrong count. */
export function contradictions(rows: Row[], scannedPath = ''): string[] {
  const entries = rows.filter(isEntry)
  const ends = rows.filter((row) => isListed(row) || isUnreadable(row))
  const unchanged = new Map(rows.filter(isUnchanged).map((row) => [pathOf(row), Number(row.files)]))
  const below = Map.groupBy(entries, ({ parent_path }) => parent_path)
  const ended = new Set(ends.map(pathOf))
  const folders = entries.filter(({ is_directory }) => is_directory === '1').map(pathOf)
  const counted = (path: string) => (below.get(`${path}/`)?.length ?? 0) + (unchanged.get(path) ?? 0)
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
