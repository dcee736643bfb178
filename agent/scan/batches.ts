import { constants, zstdCompressSync } from 'node:zlib'
import { type FolderHandle, newBlockWriter, type OwnerNames } from '#events/scans/blocks/blockWriter.ts'
import type { EntryRow, Unrecorded } from '#events/scans/entryRow.ts'
import { batchLimits } from '#events/scans/batches.ts'

/** A batch as it crosses to the server. */
export type PackedBatch = { batch: number; packed: Uint8Array<ArrayBuffer> }

type Options = {
  nextBatch: () => number
  send: (packed: PackedBatch) => void
  /** For file systems: how users and groups are called. */
  owners?: OwnerNames
}

/** How old a batch may become, so that a slow storage's scan is kept too, and seen. */
const oldestMs = 5_000
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

type Folder = { parentPath: string; name: string }

/** Gathers rows and sends them as batches, which are numbered as they are sent. */
export function newBatches({ nextBatch, send, owners }: Options) {
  const writer = newBlockWriter(owners)
  let mostRows: number = batchLimits.rows
  let beganMs = 0
  /** Packs some rows; a batch that would not fit into a message becomes two, and those to come are made smaller. */
  const sendRows = (from: number, to: number): void => {
    const packed = zstdCompressSync(writer.encode(from, to), { params })
    if (packed.length <= batchLimits.packed || to - from === 1) return send({ batch: nextBatch(), packed })
    const middle = Math.ceil((from + to) / 2)
    mostRows = middle - from
    sendRows(from, middle)
    sendRows(middle, to)
  }
  const flush = () => {
    const rows = writer.rows()
    if (rows === 0) return
    // Twice as many where so many fitted well.
    if (rows >= mostRows) mostRows = Math.min(mostRows * 2, batchLimits.rows)
    sendRows(0, rows)
    writer.clear()
  }
  const added = () => {
    if (writer.rows() === 1) beganMs = performance.now()
    if (writer.rows() >= mostRows || writer.isFull()) flush()
  }
  return {
    add(entry: EntryRow) {
      writer.add(entry)
      added()
    },
    folder: writer.folder,
    addFrom(folder: FolderHandle, stat: Uint32Array, listing: Uint8Array, from: number, to: number, target = '') {
      writer.addFrom(folder, stat, listing, from, to, target)
      added()
    },
    addListed(folder: Folder, children: number, unrecorded?: Unrecorded) {
      writer.addListed(folder, children, unrecorded)
      added()
    },
    addUnreadable(folder: Folder) {
      writer.addUnreadable(folder)
      added()
    },
    addCheckpoint(parts: readonly string[]) {
      writer.addCheckpoint(parts)
      added()
    },
    flush,
    /** Whether the open batch takes so many more rows. */
    hasRoom: (rows: number) => writer.rows() + rows <= mostRows,
    /** Whether the open batch is so old that it is to be sent as it is. */
    isOld: (nowMs: number) => writer.rows() > 0 && nowMs - beganMs > oldestMs,
  }
}
export type Batches = ReturnType<typeof newBatches>
