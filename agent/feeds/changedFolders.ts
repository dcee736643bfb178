/** Milliseconds without a change until a folder is listed, and from a change to the listing of a folder that changes all the time. */
const quietMs = 1_000
const minLatestMs = 2_000

/** A folder that changes all the time is listed for at most one part in `costPart` of the time, but at the latest after `maxLatestMs`. */
export type Spacing = { costPart: number; maxLatestMs: number }
const localSpacing: Spacing = { costPart: 100, maxLatestMs: 10_000 }

/** Maximum number of folders that are remembered. */
const maxRemembered = 200_000

/**
 * Milliseconds of the monotonic clock. `firstMs` is the moment of the first change that isn't shown, 0 without one; `listedMs` and `tookMs` are
 * about the last listing.
 */
type Changed = { firstMs: number; lastMs: number; listedMs: number; tookMs: number }

/** A folder to list, and the moment of the first change since its last listing. */
export type TakenFolder = { key: string; firstMs: number }

/**
 * Folders that changed, by the keys of their watcher: those that wait to be listed, and those that were listed, because a scan that runs
 * now may not have seen their changes. If there are too many, those that changed longest ago are forgotten.
 */
export class ChangedFolders {
  readonly #max: number
  readonly #spacing: Spacing
  readonly #all = new Map<string, Changed>()
  readonly #waiting = new Map<string, Changed>()
  #forgottenMs = -Infinity

  constructor({ max = maxRemembered, ...spacing }: Partial<Spacing> & { max?: number } = {}) {
    this.#max = max
    this.#spacing = { ...localSpacing, ...spacing }
  }

  /** Something in a folder changed now. */
  add(key: string, nowMs: number): void {
    let changed = this.#all.get(key)
    if (!changed) {
      if (this.#all.size - this.#waiting.size >= this.#max) this.#forgetSome()
      changed = { firstMs: 0, lastMs: 0, listedMs: -Infinity, tookMs: 0 }
      this.#all.set(key, changed)
    }
    changed.lastMs = nowMs
    if (changed.firstMs === 0) this.#wait(key, changed, nowMs)
  }

  hasDue(nowMs: number): boolean {
    for (const changed of this.#waiting.values()) if (nowMs >= this.#dueMs(changed)) return true
    return false
  }

  /** Takes folders that may be listed now, those that have waited longest first. None may be put back meanwhile. */
  *take(nowMs: number): Generator<TakenFolder> {
    for (const [key, changed] of this.#waiting) {
      if (nowMs < this.#dueMs(changed)) continue
      const { firstMs } = changed
      this.#waiting.delete(key)
      changed.firstMs = 0
      yield { key, firstMs }
    }
  }

  listed(key: string, tookMs: number, nowMs: number): void {
    const changed = this.#all.get(key)
    if (!changed) return
    changed.tookMs = tookMs
    changed.listedMs = nowMs
  }

  /** A folder that was taken was not shown. */
  putBack({ key, firstMs }: TakenFolder): void {
    const changed = this.#all.get(key)
    if (changed) this.#wait(key, changed, firstMs)
  }

  forget(key: string): void {
    this.#all.delete(key)
    this.#waiting.delete(key)
  }

  clear(): void {
    this.#all.clear()
    this.#waiting.clear()
  }

  /** Lists all folders again that changed since then, and forgets the others. Returns false if some of them may be forgotten already. */
  listSince(sinceMs: number): boolean {
    for (const [key, changed] of this.#all)
      if (changed.lastMs < sinceMs) this.forget(key)
      else this.#wait(key, changed, changed.lastMs)
    return this.#forgottenMs < sinceMs
  }

  waiting(): Iterable<string> {
    return this.#waiting.keys()
  }

  /** True if more wait than may be remembered. */
  isFull(): boolean {
    return this.#waiting.size >= this.#max
  }

  /** The oldest change that waits; Infinity without one. */
  oldestMs(): number {
    let oldest = Infinity
    for (const { firstMs } of this.#waiting.values()) oldest = Math.min(oldest, firstMs)
    return oldest
  }

  #wait(key: string, changed: Changed, firstMs: number): void {
    changed.firstMs = changed.firstMs === 0 ? firstMs : Math.min(changed.firstMs, firstMs)
    this.#waiting.set(key, changed)
  }

  #forgetSome(): void {
    const listed = [...this.#all].filter(([key]) => !this.#waiting.has(key))
    listed.sort(([, a], [, b]) => a.lastMs - b.lastMs)
    for (const [key, { lastMs }] of listed.slice(0, Math.ceil(listed.length / 2))) {
      this.#all.delete(key)
      this.#forgottenMs = lastMs
    }
  }

  #dueMs({ firstMs, lastMs, listedMs, tookMs }: Changed): number {
    const { costPart, maxLatestMs } = this.#spacing
    const spacing = Math.min(maxLatestMs, tookMs * costPart)
    const latest = firstMs + Math.max(minLatestMs, spacing)
    return Math.max(Math.min(lastMs + quietMs, latest), listedMs + spacing)
  }
}
