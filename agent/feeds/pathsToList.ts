/** A path to list; `isDeep`: with all below it. `sinceMs` is the moment of the change, on the monotonic clock. */
export type PathToList = { path: string; isDeep: boolean; sinceMs: number }

/** Paths to list, each once, the last one first, so that few wait while a deep tree is listed. */
export class PathsToList {
  readonly #stack: string[] = []
  readonly #known = new Map<string, PathToList>()

  get size(): number {
    return this.#stack.length
  }

  push({ path, isDeep, sinceMs }: PathToList): void {
    const before = this.#known.get(path)
    if (!before) this.#stack.push(path)
    this.#known.set(path, {
      path,
      isDeep: isDeep || before?.isDeep === true,
      sinceMs: Math.min(sinceMs, before?.sinceMs ?? Infinity),
    })
  }

  pop(): PathToList | undefined {
    const path = this.#stack.pop()
    const next = path === undefined ? undefined : this.#known.get(path)
    if (next) this.#known.delete(next.path)
    return next
  }

  clear(): void {
    this.#stack.length = 0
    this.#known.clear()
  }

  /** Infinity without a path. */
  oldestMs(): number {
    let oldest = Infinity
    for (const { sinceMs } of this.#known.values()) oldest = Math.min(oldest, sinceMs)
    return oldest
  }
}
