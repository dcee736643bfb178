import { fstatSync } from 'node:fs'
import { type FolderSystem, openLocal } from '../systems/local/index.ts'
import { deviceOf } from '../systems/local/statx.ts'
import type { ChangedFolders, TakenFolder } from './changedFolders.ts'
import type { ListedFolder, Lister } from './lister.ts'
import { type FlushContents, maxFolders, maxRows } from './outbox.ts'
import type { PathsToList, PathToList } from './pathsToList.ts'
import { TooManyFolders, type Watcher } from './watchers/watcher.ts'

/** Part of a flush that is left to paths while folders change all the time. */
const partOfPaths = 0.25

type Options = {
  root: string
  /** That of the folder that is followed. */
  identity: string
  watcher: Watcher
  lister: Lister
  changed: ChangedFolders
  paths: PathsToList
}

/** Lists the folders of one flush. Nothing of the storage is open before and after. */
export class FlushListing {
  readonly #options: Options
  readonly #listed: FlushContents = { parts: [], taken: [], paths: [], oldestMs: Infinity }
  /** Folders that moved while they were listed. */
  readonly #moved: TakenFolder[] = []
  readonly #listedAt = new Map<string, ListedFolder>()
  #nowMs = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns undefined if there is nothing to send. Throws if the storage can't be listed; what was taken waits again then. */
  list(nowMs: number): FlushContents | undefined {
    const { root, changed, lister, watcher } = this.#options
    this.#nowMs = nowMs
    const system = openLocal(root)
    try {
      const device = this.#deviceOf(system)
      this.#listChanged(system, device)
      this.#listPaths(system, device)
    } catch (error) {
      for (const taken of this.#listed.taken) changed.putBack(taken)
      lister.take()
      lister.forget()
      throw error
    } finally {
      for (const taken of this.#moved) changed.putBack(taken)
      watcher.release()
      system.close()
    }
    const parts = lister.take()
    return parts.length === 0 ? undefined : { ...this.#listed, parts }
  }

  #deviceOf(system: FolderSystem): bigint {
    const { dev, ino } = fstatSync(system.root().fd, { bigint: true })
    const entry = system.entry('')
    if (!entry || `${dev} ${ino}` !== this.#options.identity) throw new Error('The storage was replaced')
    return deviceOf(entry.stat)
  }

  #fullness(): number {
    const { lister } = this.#options
    return Math.max(lister.folders() / maxFolders, lister.rows() / maxRows)
  }

  #listChanged(system: FolderSystem, device: bigint): void {
    const { changed, paths } = this.#options
    for (const taken of changed.take(this.#nowMs)) {
      this.#listTaken(taken, system, device)
      if (this.#fullness() >= (paths.size > 0 ? 1 - partOfPaths : 1)) return
    }
  }

  #listTaken(taken: TakenFolder, system: FolderSystem, device: bigint): void {
    const { changed, watcher } = this.#options
    const { key, firstMs: sinceMs } = taken
    const paths = watcher.pathsOf(key)
    if (!paths) return void this.#moved.push(taken)
    if (paths.length === 0) return changed.forget(key)
    this.#use(sinceMs).taken.push(taken)
    const startMs = performance.now()
    for (const path of paths) this.#listAt({ path, isDeep: false, sinceMs }, system, device)
    changed.listed(key, performance.now() - startMs, this.#nowMs)
    if (String(watcher.pathsOf(key)) !== String(paths)) this.#moved.push(taken)
  }

  #listPaths(system: FolderSystem, device: bigint): void {
    const { paths, watcher } = this.#options
    while (this.#fullness() < 1) {
      const next = paths.pop()
      if (!next) return
      this.#use(next.sinceMs).paths.push(next.path)
      try {
        if (watcher.needsEachFolder) watcher.watch(system.root(), next.path)
      } catch (error) {
        if (error instanceof TooManyFolders) throw error
      }
      this.#listAt(next, system, device)
    }
  }

  #use(firstMs: number): FlushContents {
    this.#listed.oldestMs = Math.min(this.#listed.oldestMs, firstMs)
    return this.#listed
  }

  /** Lists a folder; if it is gone, the one that it was in. Folders in it that are new to the watcher are listed with all below. */
  #listAt({ path, isDeep, sinceMs }: PathToList, system: FolderSystem, device: bigint): void {
    const { lister, paths, watcher } = this.#options
    if (lister.leavesOut(path)) return
    const before = this.#listedAt.get(path)
    const listed = before?.isWhole || (before && !isDeep) ? before : lister.list(path, system, device, isDeep)
    if (!listed) return paths.push({ path: path.slice(0, path.lastIndexOf('/')), isDeep: false, sinceMs })
    this.#listedAt.set(path, listed)
    for (const folder of listed.below)
      if (isDeep || !watcher.isWatched(folder.path, folder.inode))
        paths.push({ path: folder.path, isDeep: true, sinceMs })
  }
}
