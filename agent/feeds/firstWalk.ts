import { kernelFolders } from '../systems/local/kernelFolders.ts'
import { openLocal } from '../systems/local/index.ts'
import { deviceOf } from '../systems/local/statx.ts'
import { systemCalls } from '../systems/local/systemCalls.ts'
import { PathsToList } from './pathsToList.ts'
import type { Lister } from './lister.ts'
import { TooManyFolders, type Watcher } from './watchers/watcher.ts'

/** Milliseconds of a step. */
const stepMs = 50

const below = { isDeep: true, sinceMs: 0 }

type Options = { root: string; watcher: Watcher; lister: Lister }

/** Watches each folder of a storage, without a look at its files. Each is watched before it is listed, so that no folder in it is missed. */
export class FirstWalk {
  readonly #options: Options
  readonly #paths = new PathsToList()
  /** Number of folders so far. */
  folders = 0
  /** True if not all of them may be watched. The others are only counted then. */
  isTooMany = false

  constructor(options: Options) {
    this.#options = options
    this.#paths.push({ path: '', ...below })
  }

  get isOver(): boolean {
    return this.#paths.size === 0
  }

  step(): void {
    const { root, lister } = this.#options
    const system = openLocal(root, systemCalls && kernelFolders(systemCalls, { onlyFolders: true }))
    const untilMs = performance.now() + stepMs
    try {
      const device = deviceOf((system.entry('') as NonNullable<ReturnType<typeof system.entry>>).stat)
      for (let next = this.#paths.pop(); next; next = performance.now() < untilMs ? this.#paths.pop() : undefined) {
        this.folders++
        if (!this.#watch(next.path, system.root())) continue
        for (const { path } of lister.list(next.path, system, device)?.below ?? []) this.#paths.push({ path, ...below })
      }
    } finally {
      lister.take()
      lister.forget()
      system.close()
    }
  }

  /** False for a folder that can't be opened, and can't be listed then. */
  #watch(path: string, root: Parameters<Watcher['watch']>[0]): boolean {
    if (this.isTooMany) return true
    try {
      this.#options.watcher.watch(root, path)
      return true
    } catch (error) {
      if (!(error instanceof TooManyFolders)) return false
      return (this.isTooMany = true)
    }
  }
}
