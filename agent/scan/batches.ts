import { constants, zstdCompressSync } from 'node:zlib'
import {
  type BlockWriter,
  type FolderHandle,
  newBlockWriter,
  type OwnerNames,
} from '#events/node/blocks/blockWriter.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { batchLimits } from '#events/scans/batches.ts'

/** A batch as it crosses to the server. */
export type PackedBatch = { batch: number; packed: Uint8Array<ArrayBuffer> }

type Options = {
  nextBatch: () => number
  send: (packed: PackedBatch) => void
  /** For file systems: how users and groups are called. */
  owners?: OwnerNames
}

/** A batch is sent after this time, so that rows of a slow storage are stored and visible soon. */
const oldestMs = 2_000
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/** Packs the block of a batch, as it crosses to the server. */
const pack = (block: Uint8Array) => zstdCompressSync(block, { params })

/** Gathers rows and sends them as batches, which are numbered as they are sent. */
export function newBatches({ owners, ...options }: Options) {
  const writer = newBlockWriter(owners)
  const packer = newPacker(writer, options)
  const fullness = () => writer.fullness(packer.maxRows())
  let gathered = 0
  let beganMs = 0
  const flush = () => {
    if (writer.rows() === 0) return
    gathered += fullness()
    packer.sendRows(0, writer.rows())
    writer.clear()
  }
  const added = () => {
    if (writer.rows() === 1) beganMs = performance.now()
    if (fullness() >= 1) flush()
  }
  const adding =
    <Values extends unknown[]>(add: (...values: Values) => void) =>
    (...values: Values) => {
      add(...values)
      added()
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
    addListed: adding(writer.addListed),
    addNotEntered: adding(writer.addNotEntered),
    addUnreadable: adding(writer.addUnreadable),
    addUnchanged: adding(writer.addUnchanged),
    addDelta: adding(writer.addDelta),
    addGone: adding(writer.addGone),
    addCheckpoint: adding(writer.addCheckpoint),
    flush,
    /** Fill level of the open batch, up to 1. */
    fullness,
    /** All that was ever added, in full batches. */
    gathered: () => gathered + fullness(),
    /** True if the open batch has rows and is older than `oldestMs`, so that it is sent before it is full. */
    isOld: (nowMs: number) => writer.rows() > 0 && nowMs - beganMs > oldestMs,
  }
}
export type Batches = ReturnType<typeof newBatches>

/** Packs rows into messages; how many one takes is learned from those before. */
function newPacker(writer: BlockWriter, { nextBatch, send }: Omit<Options, 'owners'>) {
  let maxRows: number = batchLimits.rows
  const sendRows = (from: number, to: number): void => {
    const packed = pack(writer.encode(from, to))
    if (packed.length > batchLimits.packed && to - from > 1) {
      const middle = Math.ceil((from + to) / 2)
      maxRows = middle - from
      sendRows(from, middle)
      return sendRows(middle, to)
    }
    const hasRoom = packed.length < batchLimits.packed / 2
    if (hasRoom && to - from >= maxRows) maxRows = Math.min(maxRows * 2, batchLimits.rows)
    send({ batch: nextBatch(), packed })
  }
  return { maxRows: () => maxRows, sendRows }
}
