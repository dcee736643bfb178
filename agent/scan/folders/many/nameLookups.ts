import { targetBytes, targetFrom } from '../../../systems/local/listedNames.ts'
import type { Lookups } from '../../../systems/local/lookups/lookups.ts'
import { isLink, type Statx } from '../../../systems/local/statx.ts'
import type { Calls } from './calls.ts'
import { type Block, type Memory, statBytes } from './memory.ts'
import type { OpenFolder } from './openFolder.ts'

type Options = {
  lookups: Lookups
  calls: Calls
  memory: Memory
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
    const { calls } = this.#options
    if (!calls.end(folder, block.sentMs[n] as number)) return this.#drop(block)
    if (result === 0 && isLink(block.stats[n] as Statx)) return this.#readLink(folder, block, n)
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
