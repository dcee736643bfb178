import type { EntryRow } from '#events/scans/entryRow.ts'
import type { DiskEntry } from './local/diskEntry.ts'

/** Total, used and free bytes; free is what an ordinary user may still fill. */
export type Capacity = { total: number; used: number; free: number; fileSystem: string }

/** What a scan asks of a storage that has folders. Paths are '' for its root, else as '/a/b'. */
export type FolderSystem = {
  /**
   * Shows what lies in a folder, in any order. Throws `NotThere`, or an error that says why it cannot be listed to its end.
   * What `show` throws ends it.
   */
  list(path: string, show: (entry: DiskEntry) => void): void
  /** One entry, true until the next is asked for; undefined when there is none. */
  entry(path: string): DiskEntry | undefined
}

/**
 * What a scan asks of a storage that has objects with keys instead of folders. Its listing is made of parts, which are texts
 * that only the system itself reads, without lone surrogates: '' is all that the order names, others are what the pages
 * before left, such as a prefix and where to go on in it. They are kept in checkpoints, and given to the next attempt.
 */
export type ObjectSystem = {
  /**
   * The next page of a part. `idle` requests could run beside it: then the rest may be several parts, as prefixes found on
   * the way. Throws `StoreBusy` where the same request may succeed later, else an error that ends the scan.
   */
  page(part: string, options: { idle: number; signal: AbortSignal }): Promise<ObjectPage>
  /** How many requests were made so far. */
  requests(): number
}

/** The entries of a page, which are read once, and the parts that are left of the one that was asked for. No part comes twice. */
export type ObjectPage = { entries: Iterable<EntryRow>; rest: string[] }

/** A store asks to come again, in `retryAfterMs` if it says so. */
export class StoreBusy extends Error {
  retryAfterMs: number | undefined
  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** A folder that vanished or is no folder any more. */
export class NotThere extends Error {}

/** Ends a scan: why it cannot go on, in a sentence for people. */
export class ScanFailed extends Error {}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
