import { bytesOfName, nameFromBytes } from '#events/contract/fileNames.ts'
import { targetBytes, targetFrom } from '../../../systems/local/listedNames.ts'
import type { Lookups } from '../../../systems/local/lookups/lookups.ts'
import { isFolder, isLink, type Statx } from '../../../systems/local/statx.ts'
import { type FolderRecording, signsOfLoop } from '../recordFolder.ts'
import type { Calls } from './calls.ts'
import { type Block, type Memory, noLoop, statBytes } from './memory.ts'
import type { OpenFolder } from './openFolder.ts'

type Options = {
  lookups: Lookups
  calls: Calls
  memory: Memory
  recording: FolderRecording
  /** All names of a block have their answers. */
  answered: (folder: OpenFolder) => void
}

/** Looks up names of open folders, and reads where links lead. */
export class NameLookups {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** Looks up the next name of a block. */
  next(folder: OpenFolder, block: Block): void {
    if (block.next === 0) block.answered = (n, result) => this.#answered(folder, block, n, result)
    this.#lookUp(folder, block, block.next++)
  }

  #lookUp(folder: OpenFolder, block: Block, n: number): void {
    const { lookups, calls } = this.#options
    block.sentMs[n] = performance.now()
    calls.start(folder)
    lookups.look(folder.fd, addressOf(block, n), block.statsAddress + n * statBytes, block.answered, n)
  }

  #answered(folder: OpenFolder, block: Block, n: number, result: number): void {
    const { calls, recording } = this.#options
    if (!calls.end(folder, block.sentMs[n] as number)) return this.#drop(block)
    if (result === 0 && isLink(block.stats[n] as Statx)) return this.#readLink(folder, block, n)
    if (result === 0 && recording.loops && isFolder(block.stats[n] as Statx)) return this.#lookInside(folder, block, n)
    const delayMs = result < 0 ? calls.retryInMs(result, ++(block.tries[n] as number)) : undefined
    if (delayMs === undefined) this.#settle(folder, block, n, result)
    else this.#lookUpLater(folder, block, n, delayMs)
  }

  #lookUpLater(folder: OpenFolder, block: Block, n: number, delayMs: number): void {
    block.sentMs[n] = performance.now() + delayMs
    setTimeout(() => {
      if (folder.isOver) return this.#drop(block)
      this.#lookUp(folder, block, n)
      this.#options.lookups.submit()
    }, delayMs)
  }

  #readLink(folder: OpenFolder, block: Block, n: number): void {
    const { lookups, calls, memory } = this.#options
    const target = Buffer.from(new ArrayBuffer(targetBytes))
    block.sentMs[n] = performance.now()
    calls.start(folder)
    const answered = (_: number, length: number) => {
      if (!calls.end(folder, block.sentMs[n] as number)) return this.#drop(block)
      block.targets[n] = targetFrom(target, length)
      this.#settle(folder, block, n, 0)
    }
    lookups.readLink(folder.fd, addressOf(block, n), memory.addressOf(target), targetBytes, answered, n)
  }

  /**
   * Looks in a folder for names that it contains if it is its own ancestor. If it has one, the recorder examines it with one call after
   * another. No link is followed, unless one has just replaced the folder; then the folder can't be opened later.
   */
  #lookInside(folder: OpenFolder, block: Block, n: number): void {
    const { lookups, calls, memory, recording } = this.#options
    const { parentPath, name: ofFolder } = folder.folder
    const name = nameFromBytes(block.names.bytes.subarray(block.starts[n], block.ends[n]))
    const inside = { parentPath: `${parentPath}${ofFolder}/`, name }
    const signs = signsOfLoop(inside, block.stats[n] as Statx, recording)
    const next = () => {
      const sign = signs.shift()
      if (sign === undefined) return this.#settle(folder, block, n, noLoop)
      const path = bytesOfName(`${name}/${sign}`)
      // Details, and after them the path with a 0, in one piece of memory, which is kept until the answer.
      const found = new Uint32Array(new ArrayBuffer(statBytes + 4 * Math.ceil((path.length + 1) / 4)))
      path.copy(new Uint8Array(found.buffer), statBytes)
      block.sentMs[n] = performance.now()
      calls.start(folder)
      const answered = (_: number, result: number) => {
        if (!calls.end(folder, block.sentMs[n] as number)) return this.#drop(block)
        if (result === 0 && isFolder(found)) return this.#settle(folder, block, n, 0)
        next()
      }
      const address = memory.addressOf(found)
      lookups.look(folder.fd, address + statBytes, address, answered, n)
    }
    next()
  }

  #settle(folder: OpenFolder, block: Block, n: number, result: number): void {
    block.results[n] = result
    if (--block.left === 0) this.#options.answered(folder)
  }

  /** An answer for a folder that has ended. */
  #drop(block: Block): void {
    if (--block.left === 0) this.#options.memory.freeBlock(block)
  }
}

const addressOf = ({ names, starts }: Block, n: number): number => names.address + (starts[n] as number)
