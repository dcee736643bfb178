/** A folder that is watched, at its place below others. The root has no folder above it, and neither has one that moved somewhere unknown. */
export type WatchedFolder = {
  readonly watch: number
  inode: number
  above: WatchedFolder | undefined
  name: string
  below: Map<string, WatchedFolder> | undefined
}

/** Folders by the numbers of their watches, as a tree: a folder that moves takes all below it along. */
export class WatchedFolders {
  readonly #byWatch = new Map<number, WatchedFolder>()
  #root: WatchedFolder | undefined

  get size(): number {
    return this.#byWatch.size
  }

  get(watch: number): WatchedFolder | undefined {
    return this.#byWatch.get(watch)
  }

  at(path: string): WatchedFolder | undefined {
    let folder = this.#root
    for (let from = 1; folder && from <= path.length;) {
      const slash = path.indexOf('/', from)
      const end = slash === -1 ? path.length : slash
      folder = folder.below?.get(path.slice(from, end))
      from = end + 1
    }
    return folder
  }

  /** Undefined for a folder that was moved, and isn't found yet. */
  pathOf(folder: WatchedFolder): string | undefined {
    const names: string[] = []
    let top = folder
    for (; top.above; top = top.above) names.push(top.name)
    if (top !== this.#root) return undefined
    return names.reduceRight((path, name) => `${path}/${name}`, '')
  }

  /** Puts a folder at a place, with all that is known below it. The folder above is watched. Another one that was there keeps its watch. */
  place(watch: number, inode: number, path: string): WatchedFolder {
    const folder = this.#byWatch.get(watch) ?? { watch, inode, above: undefined, name: '', below: undefined }
    this.#byWatch.set(watch, folder)
    folder.inode = inode
    if (path === '') return (this.#root = folder)
    const slash = path.lastIndexOf('/')
    this.detach(folder)
    folder.above = this.at(path.slice(0, slash))
    folder.name = path.slice(slash + 1)
    if (!folder.above) return folder
    folder.above.below ??= new Map()
    folder.above.below.set(folder.name, folder)
    return folder
  }

  detach(folder: WatchedFolder): void {
    const { above, name } = folder
    if (above?.below?.get(name) === folder) above.below.delete(name)
    folder.above = undefined
  }

  /** Forgets a folder and all below it. Returns the numbers of their watches. */
  remove(folder: WatchedFolder): number[] {
    this.detach(folder)
    const removed: number[] = []
    const stack = [folder]
    for (let next = stack.pop(); next; next = stack.pop()) {
      removed.push(next.watch)
      this.#byWatch.delete(next.watch)
      stack.push(...(next.below?.values() ?? []))
    }
    return removed
  }
}
