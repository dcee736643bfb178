import { batchLimits } from '../../scans/batches.ts'
import { type EntryRow, type FileTotals, isRequired, rowKinds, type Unrecorded } from '../../scans/entryRow.ts'
import { GrowingBytes } from './growingBytes.ts'
import { inOrder, newColumns, setCheckpoint, setEntry, setMark } from './rowsOfEntries.ts'
import { newRowsOfFiles, type OwnerNames } from './rowsOfFiles.ts'

export type { OwnerNames } from './rowsOfFiles.ts'

/*
 * Writes the rows of a scan into a block of ClickHouse's Native format.
 *
 *   const writer = newBlockWriter({ user: (id) => 'ana', group: (id) => 'staff' })
 *   writer.add(entry)                                            of a system that has objects
 *   const folder = writer.folder('/a/b/')                        once a folder; it may outlive the block
 *   writer.addFrom(folder, stat, listing, from, to, linkTarget)  of a file system: `stat` is the buffer of `statx`, the name
 *                                                                is in `listing[from..to)`, as the disk has it
 *   writer.addListed({ parentPath: '/a/', name: 'b' }, children) and the other marks
 *   if (writer.fullness() >= 1) { send(writer.encode()); writer.clear() }
 *
 * `addFrom` makes no text and no object: names are copied as bytes, and `user` and `group` are called once per block and number.
 */

/** A folder whose entries are added: what they have as `parent_path`, and its number in the block that last knew it. */
export type FolderHandle = { readonly path: string; block: number; index: number }

/** Bytes of texts at which a block is full, for any number of rows: most of them compress enough for a message. */
const fullBytes = 2 * 1024 * 1024

const nobody: OwnerNames = { user: () => '', group: () => '' }
type Folder = { parentPath: string; name: string }

export function newBlockWriter(owners: OwnerNames = nobody) {
  const columns = newColumns()
  const { parent_path, name, link_target, metadata, etag } = columns
  const files = newRowsOfFiles(columns, owners)
  const ordered = inOrder(columns)
  const out = new GrowingBytes()
  let block = 1
  let rows = 0
  return {
    rows: () => rows,
    /** Fill level of a block of up to `mostRows` rows. From 1 on it has to be cleared before the next row is added. */
    fullness(mostRows: number = batchLimits.rows): number {
      const texts = name.length() + parent_path.length() + link_target.length() + metadata.length() + etag.length()
      return Math.max(rows / mostRows, texts / fullBytes)
    },
    add: (entry: EntryRow): void => setEntry(columns, rows++, entry),
    /** `path` as entries in it have it in `parent_path`. */
    folder: (path: string): FolderHandle => ({ path, block: 0, index: 0 }),
    /** An entry of a folder: what `statx` wrote (64 words), and the bytes of its name. */
    addFrom(folder: FolderHandle, stat: Uint32Array, listing: Uint8Array, from: number, to: number, linkTarget = '') {
      if (folder.block !== block) {
        folder.block = block
        folder.index = parent_path.indexOf(folder.path)
        files.use()
      }
      parent_path.values[rows] = folder.index
      name.setName(rows, listing, from, to)
      files.set(rows, stat)
      link_target.set(rows++, linkTarget)
    },
    /** A folder was listed to its end: how many of its entries are recorded, and the files of it that have no row. */
    addListed: (folder: Folder, children: number, unrecorded?: Unrecorded): void =>
      setMark(columns, rows++, rowKinds.listed, folder, { children, files: unrecorded }),
    /** The scan does not enter a folder; the reason is a text of `notEntered.ts`. */
    addNotEntered: (folder: Folder, notEntered: string): void =>
      setMark(columns, rows++, rowKinds.listed, folder, { notEntered }),
    /** A folder could not be listed, or not to its end. */
    addUnreadable: (folder: Folder): void => setMark(columns, rows++, rowKinds.unreadable, folder),
    /** The files of a folder are as in this scan. Without their totals they have rows besides. */
    addUnchanged: (folder: Folder, comparedScan: number, files?: FileTotals): void =>
      setMark(columns, rows++, files ? rowKinds.unchanged : rowKinds.verifiable, folder, { comparedScan, files }),
    /** All that has no row, and is not gone, is as in this scan. */
    addDelta: (comparedScan: number): void =>
      setMark(columns, rows++, rowKinds.delta, { parentPath: '', name: '' }, { comparedScan }),
    /** An entry of this scan is no longer at its path; `movedTo` is its path now, as '/a/b'. */
    addGone: (entry: Folder, comparedScan: number, movedTo?: string): void =>
      setMark(columns, rows++, rowKinds.gone, entry, { comparedScan, ...(movedTo && { movedTo }) }),
    /** These parts of the listing are left to be listed, when all else is in this batch and those before it. */
    addCheckpoint: (parts: readonly string[]): void => setCheckpoint(columns, rows++, parts),
    /** The block of these rows, by default of all. The next block reuses its memory. Columns that no row needs are left out. */
    encode: (from = 0, to = rows): Buffer => writeBlock(ordered, out, { from, to, rows }),
    clear() {
      for (const { column } of ordered) column.clear(rows)
      files.clear()
      rows = 0
      block++
    },
  }
}
export type BlockWriter = ReturnType<typeof newBlockWriter>

type Range = { from: number; to: number; rows: number }

function writeBlock(ordered: ReturnType<typeof inOrder>, out: GrowingBytes, { from, to, rows }: Range): Buffer {
  const used = ordered.filter(({ name, column }) => column.isUsed || isRequired(name))
  out.clear()
  out.varint(used.length)
  out.varint(to - from)
  for (const { name, type, column } of used) {
    out.text(name)
    out.text(type)
    column.write(out, from, to, rows)
  }
  return out.written()
}
