import type { Answered } from '../../../systems/local/lookups/lookups.ts'
import { listingBytes } from '../../../systems/local/listedNames.ts'
import type { Statx } from '../../../systems/local/statx.ts'

/** Bytes of the names of a small folder, which are copied into less memory. */
const smallBytes = 4 * 1024

/** Names as the kernel lists them, from `at` to `length`; the memory is free again when no block refers to it. */
export type Names = { bytes: Buffer; address: number; at: number; length: number; blocks: number }

/** Names of a block, and bytes of the details of one. */
export const blockNames = 64
export const statBytes = 256

/**
 * Names that are looked up, with the memory for their details. `results` is 0 for a name that was found, `noLoop` for a folder that is
 * known not to be its own ancestor, negative with the number of an error, and `unanswered` until then.
 */
export type Block = {
  names: Names
  count: number
  /** The first name that is not looked up yet. */
  next: number
  /** Names without an answer. */
  left: number
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly kinds: Uint8Array
  readonly results: Int32Array
  readonly tries: Uint8Array
  readonly sentMs: Float64Array
  readonly targets: string[]
  readonly stats: readonly Statx[]
  readonly statsAddress: number
  /** Receives the answers, for the folder that the block is used for. */
  answered: Answered
}
export const unanswered = 1
export const noLoop = 2

/** Memory that is used again and again: a walk needs as much as it has names in flight. */
export function newMemory(addressOf: (memory: ArrayBufferView) => number) {
  const large: Names[] = []
  const small: Names[] = []
  const blocks: Block[] = []
  const newNames = (size: number): Names => {
    const bytes = Buffer.from(new ArrayBuffer(size))
    return { bytes, address: addressOf(bytes), at: 0, length: 0, blocks: 0 }
  }
  const free = (names: Names) => void (names.bytes.length === listingBytes ? large : small).push(names)
  const shrink = (names: Names): Names => {
    if (names.length > smallBytes) return names
    const copy = small.pop() ?? newNames(smallBytes)
    names.bytes.copy(copy.bytes, 0, 0, names.length)
    copy.length = names.length
    free(names)
    return copy
  }
  return {
    addressOf,
    /** Memory for the next names of a folder. */
    names: (): Names => large.pop() ?? newNames(listingBytes),
    /** The names that were read, in memory of a suitable size. */
    filled(names: Names, length: number): Names {
      names.length = length
      const kept = shrink(names)
      kept.at = kept.blocks = 0
      return kept
    },
    free,
    /** A block for some of these names. */
    block(names: Names): Block {
      const block = blocks.pop() ?? newBlock(names, addressOf)
      block.names = names
      block.count = block.next = block.left = 0
      names.blocks++
      return block
    },
    /** Frees a block, and the names if it was the last one of them. */
    freeBlock(block: Block): void {
      const { names } = block
      blocks.push(block)
      names.blocks--
      if (names.blocks === 0 && names.at >= names.length) free(names)
    },
  }
}
export type Memory = ReturnType<typeof newMemory>

function newBlock(names: Names, addressOf: (memory: ArrayBufferView) => number): Block {
  const all = new Uint32Array(new ArrayBuffer(blockNames * statBytes))
  const words = statBytes / 4
  return {
    names,
    count: 0,
    next: 0,
    left: 0,
    starts: new Uint32Array(blockNames),
    ends: new Uint32Array(blockNames),
    kinds: new Uint8Array(blockNames),
    results: new Int32Array(blockNames),
    tries: new Uint8Array(blockNames),
    sentMs: new Float64Array(blockNames),
    targets: Array.from({ length: blockNames }, () => ''),
    stats: Array.from({ length: blockNames }, (_, n) => all.subarray(n * words, (n + 1) * words)),
    statsAddress: addressOf(all),
    answered: () => {},
  }
}
