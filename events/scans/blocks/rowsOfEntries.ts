import { blockColumns, type EntryRow, type FileTotals, rowKinds, type Unrecorded } from '../entryRow.ts'
import { bytesColumn, type Column, keysColumn, longsColumn, mapsColumn, textsColumn, wordsColumn } from './columns.ts'

/** Bytes that are reserved for names. */
const reservedBytes = 1024 * 1024

export const newColumns = () => ({
  kind: bytesColumn(),
  parent_path: keysColumn(),
  name: textsColumn(reservedBytes),
  is_directory: bytesColumn(),
  size: longsColumn(),
  allocated_size: longsColumn(),
  link_count: wordsColumn(),
  device: longsColumn(),
  inode: longsColumn(),
  owner: keysColumn(),
  group: keysColumn(),
  mode: wordsColumn(),
  link_target: textsColumn(),
  created: longsColumn(),
  modified: longsColumn(),
  accessed: longsColumn(),
  etag: textsColumn(),
  storage_class: keysColumn(),
  backup_date: longsColumn(),
  metadata: mapsColumn(),
  children: longsColumn(),
})
export type Columns = ReturnType<typeof newColumns>

/** The columns in their order on the wire. */
export const inOrder = (columns: Columns) =>
  blockColumns.map(([name, type]) => ({ name, type, column: columns[name] as Column }))

type Folder = { parentPath: string; name: string }

/** Sets the row of an entry that is an object. */
export function setEntry(columns: Columns, row: number, entry: EntryRow): void {
  setPlace(columns, row, rowKinds.entry, entry)
  columns.is_directory.values[row] = Number(entry.isDirectory)
  columns.size.set(row, entry.size)
  columns.allocated_size.set(row, entry.allocatedSize)
  columns.link_count.set(row, entry.linkCount)
  columns.device.set(row, entry.device)
  columns.inode.set(row, entry.inode)
  columns.owner.set(row, entry.owner)
  columns.group.set(row, entry.group)
  columns.mode.set(row, entry.mode)
  columns.link_target.set(row, entry.linkTarget)
  columns.created.set(row, entry.created)
  columns.modified.set(row, entry.modified)
  columns.accessed.set(row, entry.accessed)
  columns.etag.set(row, entry.etag ?? '')
  columns.storage_class.set(row, entry.storageClass ?? '')
  columns.backup_date.set(row, entry.backupDate ?? 0)
  if (entry.metadata) columns.metadata.set(row, entry.metadata)
}

/** Sets the row of a mark of a folder; the files without a row of their own are counted in the sizes and the links. */
export function setMark(
  columns: Columns,
  row: number,
  kind: number,
  folder: Folder,
  { children = 0, unrecorded }: { children?: number; unrecorded?: Unrecorded | undefined } = {},
): void {
  setPlace(columns, row, kind, folder)
  columns.is_directory.values[row] = 1
  columns.children.set(row, children)
  if (!unrecorded) return
  columns.size.set(row, unrecorded.size)
  columns.allocated_size.set(row, unrecorded.allocatedSize)
  columns.link_count.set(row, unrecorded.files)
}

/** Sets the row that says of a folder's files that they are as in a scan. */
export function setSame(columns: Columns, row: number, folder: Folder, scan: number, totals?: FileTotals): void {
  const kind = totals ? rowKinds.same : rowKinds.alike
  setMark(columns, row, kind, folder, { children: totals?.files ?? 0 })
  columns.inode.set(row, scan)
  if (!totals) return
  columns.size.set(row, totals.size)
  columns.allocated_size.set(row, totals.allocatedSize)
  columns.accessed.set(row, totals.accessed)
  columns.modified.set(row, totals.modified)
}

/** Sets the row of a checkpoint, which is no entry: the parts are JSON in `link_target`, their number is in `children`. */
export function setCheckpoint(columns: Columns, row: number, parts: readonly string[]): void {
  setPlace(columns, row, rowKinds.checkpoint, { parentPath: '/', name: '' })
  columns.link_target.set(row, JSON.stringify(parts))
  columns.children.set(row, parts.length)
}

function setPlace(columns: Columns, row: number, kind: number, { parentPath, name }: Folder): void {
  columns.kind.values[row] = kind
  columns.parent_path.set(row, parentPath)
  columns.name.set(row, name)
}
