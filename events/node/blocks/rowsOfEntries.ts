import { maxStoredBytes } from '../../scans/entryLimits.ts'
import { blockColumns, type EntryRow, type FileTotals, rowKinds, type Unrecorded } from '../../scans/entryRow.ts'
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
  partial: bytesColumn(),
  children: longsColumn(),
  files: longsColumn(),
  compared_scan: wordsColumn(),
  parts: textsColumn(),
  moved_to: textsColumn(),
  not_entered: keysColumn(),
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
  if (!entry.partial) return
  columns.partial.values[row] = 1
  columns.partial.isUsed = true
}

/** Values of a mark in addition to its kind and its folder. */
type MarkColumns = {
  children?: number
  /** Files that have no row: how many, their bytes, and of unchanged ones the newest access and change. */
  files?: Unrecorded | FileTotals | undefined
  comparedScan?: number
  movedTo?: string
  notEntered?: string
}

/** Sets the row of a mark. */
export function setMark(columns: Columns, row: number, kind: number, place: Folder, mark: MarkColumns = {}): void {
  const { children = 0, files, comparedScan = 0, movedTo = '', notEntered = '' } = mark
  setPlace(columns, row, kind, place)
  columns.is_directory.values[row] = 1
  columns.children.set(row, children)
  columns.compared_scan.set(row, comparedScan)
  columns.moved_to.set(row, movedTo)
  columns.not_entered.set(row, notEntered)
  if (!files) return
  columns.files.set(row, files.files)
  columns.size.set(row, Math.min(files.size, maxStoredBytes))
  columns.allocated_size.set(row, Math.min(files.allocatedSize, maxStoredBytes))
  if (!('accessed' in files)) return
  columns.accessed.set(row, files.accessed)
  columns.modified.set(row, files.modified)
}

/** Sets the row of a checkpoint, which is no entry. */
export function setCheckpoint(columns: Columns, row: number, parts: readonly string[]): void {
  setPlace(columns, row, rowKinds.checkpoint, { parentPath: '/', name: '' })
  columns.parts.set(row, JSON.stringify(parts))
  columns.children.set(row, parts.length)
}

function setPlace(columns: Columns, row: number, kind: number, { parentPath, name }: Folder): void {
  columns.kind.values[row] = kind
  columns.parent_path.set(row, parentPath)
  columns.name.set(row, name)
}
