import { endOfName, inRecord, isDots } from '../../../systems/local/listedNames.ts'
import type { SeenNames } from '../../../systems/local/seenNames.ts'
import type { Folder } from '../folderStack.ts'
import type { FolderFiles } from '../folderFiles.ts'
import type { FolderRecorder } from '../recordFolder.ts'
import { type Block, blockNames, type Memory, type Names, unanswered } from './memory.ts'

/** Blocks of a folder that are looked up at once: while the first one waits, those behind it are not recorded. */
const maxBlocks = 16
/** Listings of a folder that are read ahead. */
const maxListings = 2

/** A folder that is open: listed names that wait, then blocks of names that are looked up, in the order of the listing. */
export class OpenFolder {
  readonly folder: Folder
  readonly seen: SeenNames
  readonly #memory: Memory
  readonly #listings: Names[] = []
  readonly blocks: Block[] = []
  /** Negative until it is open. */
  fd = -1
  /** Closes it. */
  readonly shut: (fd: number) => void
  /** Calls about the folder itself that failed and were made again. */
  tries = 0
  /** The moment of the call to open or list it that has no answer yet; 0 without one. */
  sentMs = 0
  /** Calls that are not answered. */
  inFlight = 0
  isListed = false
  /** Recorded to its end, or abandoned. */
  isOver = false
  /** Abandoned because its calls have no answer. */
  isLost = false
  recorder: FolderRecorder | undefined
  /** The digest of its files, while it is recorded. */
  files: FolderFiles | undefined

  constructor(folder: Folder, { seen, memory, shut }: { seen: SeenNames; memory: Memory; shut: (fd: number) => void }) {
    this.folder = folder
    this.shut = shut
    this.seen = seen
    this.#memory = memory
  }

  addListing(names: Names): void {
    this.#listings.push(names)
  }

  /** True if more of its names should be read. */
  get isShort(): boolean {
    return !this.isListed && !this.isOver && this.sentMs === 0 && this.#listings.length < maxListings
  }

  /** True if names wait to be looked up, and there is room for their details. */
  get isReady(): boolean {
    const last = this.blocks.at(-1)
    if (last && last.next < last.count) return true
    return this.#listings.length > 0 && this.blocks.length < maxBlocks
  }

  /** True if all of its names are listed and answered. */
  get isComplete(): boolean {
    return this.isListed && this.#listings.length === 0 && this.blocks.every(({ left }) => left === 0)
  }

  /** The block whose next name is to be looked up; undefined if the names that waited were seen before. */
  nextBlock(): Block | undefined {
    const last = this.blocks.at(-1)
    if (last && last.next < last.count) return last
    for (let names = this.#listings[0]; names; names = this.#listings[0]) {
      const block = this.#readBlock(names)
      if (names.at >= names.length) this.#listings.shift()
      if (block.count > 0) {
        this.blocks.push(block)
        return block
      }
      this.#memory.freeBlock(block)
    }
    return undefined
  }

  #readBlock(names: Names): Block {
    const { bytes } = names
    const block = this.#memory.block(names)
    while (names.at < names.length && block.count < blockNames) {
      const start = names.at + inRecord.name
      const end = endOfName(bytes, start)
      const kind = bytes[names.at + inRecord.kind] as number
      names.at += bytes.readUInt16LE(names.at + inRecord.length)
      if (isDots(bytes, start, end) || !this.seen.isNew(bytes, start, end)) continue
      const n = block.count++
      block.starts[n] = start
      block.ends[n] = end
      block.kinds[n] = kind
      block.results[n] = unanswered
      block.tries[n] = 0
      block.targets[n] = ''
    }
    block.left = block.count
    return block
  }

  /** True if one of its calls was made before this moment and is not answered. */
  isLate(sinceMs: number): boolean {
    if (this.sentMs !== 0 && this.sentMs < sinceMs) return true
    return this.blocks.some(({ next, results, sentMs }) => {
      for (let n = 0; n < next; n++) if (results[n] === unanswered && (sentMs[n] as number) < sinceMs) return true
      return false
    })
  }

  /** Closes it if it has ended and has no call left: a call that is made later would find another folder in its place. */
  closeIfIdle(): void {
    if (!this.isOver || this.inFlight > 0 || this.fd < 0) return
    this.shut(this.fd)
    this.fd = -1
  }

  /** Ends it, and frees the memory that no call writes to any more; a block with calls is freed with the last answer. */
  end(): void {
    this.isOver = true
    this.closeIfIdle()
    for (const names of this.#listings.splice(0)) {
      names.at = names.length
      if (names.blocks === 0) this.#memory.free(names)
    }
    for (const block of this.blocks.splice(0)) {
      const answered = block.count - block.left
      block.left = block.next - answered
      if (block.left === 0) this.#memory.freeBlock(block)
    }
  }
}
