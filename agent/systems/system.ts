import type { EntryRow } from '#events/scans/entryRow.ts'
import type { VersionCounts } from '#events/scans/lifecycle.ts'

/** Total, used and free bytes; free is what an ordinary user may still fill. */
export type Capacity = { total: number; used: number; free: number; fileSystem: string }

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

/** Old versions and unfinished uploads of a bucket, or the reason why they could not be counted. */
export type CountedVersions = { versions: VersionCounts } | { versionsFailure: string }

/** An object store that is open until it is closed. */
export type OpenedStore = ObjectSystem & {
  /** Throws when what is scanned is not there, or may not be listed. */
  check(signal: AbortSignal): Promise<void>
  capacity?(signal: AbortSignal): Promise<Capacity | undefined>
  /** Counts what a listing of the current objects leaves out. */
  versions?(signal: AbortSignal): Promise<CountedVersions>
  /** The moment that pages show, where that is not when they are read. */
  takenAt?(): string | undefined
  close(): void
}

/**
 * A system that is open for a scan until it is closed: folders of this machine below `root`, such as those of a mounted share,
 * or an object store.
 */
export type OpenedSystem = ({ listing: 'folders'; root: string } | { listing: 'objects'; objects: ObjectSystem }) & {
  /** Aborted when the system is lost while it is scanned. */
  signal: AbortSignal
  /** Throws when what was scanned is no longer there: what is missing then was not deleted. */
  check(): Promise<void>
  /** The reason why something failed, with the names that people know. */
  reasonOf(error: unknown): string
  capacity(): Promise<Capacity | undefined>
  /** Counts what a listing leaves out, where that is asked for. */
  versions?(): Promise<CountedVersions | undefined>
  /** The moment that the entries show, where that is not when they are read. */
  takenAt?(): string | undefined
  close(): Promise<void>
}

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
