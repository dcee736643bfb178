import { cleanText } from '#events/contract/cleanText.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import type { VersionCounts } from '#events/scans/lifecycle.ts'
import type { SourceField } from '#events/sources/sourceField.ts'

/** Total, used and free bytes; free is what an ordinary user may still fill. */
export type Capacity = { total: number; used: number; free: number; fileSystem: string }

/**
 * A storage behind a network, listed page by page. Its listing is made of parts, which are texts that only the system itself reads, without
 * lone surrogates: '' is everything that the order names, others are the rest of earlier pages, such as a prefix and the place to continue
 * in it. They are kept in checkpoints, and passed to the next attempt.
 */
export type PagedSystem = {
  /** The next page of a part. Throws `StoreBusy` if the same request may succeed later, else an error that ends the scan. */
  page(part: string, options: PageOptions): Promise<Page>
  /** Requests that were made so far. */
  requests(): number
  /** Maximum number of parallel requests, for a system that has one of its own. */
  requestsAtOnce?: number
}

/**
 * `idle` more requests could run at the same time now: then the rest may be several parts, such as prefixes found on the way. `idleAtMost`
 * is their number once as many requests run as the scan may ever run; `idle` by default.
 */
export type PageOptions = { idle: number; idleAtMost?: number; signal: AbortSignal }

/** Runs a request in its turn, and repeats it while the server is busy. */
export type RunRequest = <T>(ask: () => Promise<T>) => Promise<T>

/** A page of a part, and the parts that are left of it; none comes twice. Folders that no entry names are made from paths. */
export type Page = {
  /** Read once. In a delta, each entry that is new or changed, and no entry twice. */
  entries: Iterable<EntryRow>
  rest: string[]
  /** The entry of the storage itself, with the page of ''; without it, one that has no attributes. */
  root?: EntryRow
  /** Folders that could not be listed, or not to their end, and why. What is known below them stays. */
  unreadable?: { path: string; error: string }[]
  /** With the page of '': pages tell what differs from the scan that the order compares with; all else stays. */
  isDelta?: true
  /** Of a delta: what is no longer where it was. Read once, before the entries. */
  gone?: Iterable<GoneEntry>
}

/**
 * An entry of the compared scan that is no longer at its path, with all below it, each unless it is named itself. Where it moved,
 * all below it goes along; its own entry comes in a page besides. Paths are relative to the storage: '/a/b'.
 */
export type GoneEntry = { path: string; movedTo?: string }

/** Old versions and unfinished uploads of a bucket, or the reason why they could not be counted. */
export type CountedVersions = { versions: VersionCounts } | { versionsFailure: string }

/** An object store that is open until it is closed. */
export type OpenedStore = PagedSystem & {
  /** Its server, as `OpenedSystem` names it. */
  server: string
  /** Throws when what is scanned is not there, or may not be listed. */
  check(signal: AbortSignal): Promise<void>
  capacity?(signal: AbortSignal): Promise<Capacity | undefined>
  /** Counts what a listing of the current objects leaves out. */
  versions?(options: { run: RunRequest; signal: AbortSignal }): Promise<CountedVersions>
  /** The moment that pages show, where that is not when they are read. */
  takenAt?(): string | undefined
  /** Number of records so far that the store sent and that could not be read in full. */
  oddRecords?(): number
  /** A sentence for users about odd records. */
  note?(): string | undefined
  close(): void
}

/**
 * A system that is open for a scan until it is closed: folders of this machine below `root`, such as those of a mounted share,
 * or pages of a storage behind a network.
 */
export type OpenedSystem = ({ listing: 'walk'; root: string } | { listing: 'pages'; pages: PagedSystem }) & {
  /** Aborted when the system is lost while it is scanned. */
  signal: AbortSignal
  /** Name of the server or device that answers its requests. Systems with the same name share its limits. */
  server: string
  /** Throws when what was scanned is no longer there: what is missing then was not deleted. */
  check(): Promise<void>
  /** The reason why something failed, with the names that people know. */
  reasonOf(error: unknown): string
  capacity(): Promise<Capacity | undefined>
  /** Counts entries that a listing leaves out, if the storage requests it. */
  versions?(run: RunRequest): Promise<CountedVersions | undefined>
  /** The moment that the entries show, where that is not when they are read. */
  takenAt?(): string | undefined
  /** Called once all is listed: names this state for the next scan, which may then list only the differences (`CompareWith`). */
  baseline?(): string | undefined | Promise<string | undefined>
  /** A note for users about this scan, such as why it lists everything although only changes were requested. */
  note?(): string | undefined
  /** Number of records that could not be read in full; `note` says more. */
  oddRecords?(): number
  close(): Promise<void>
}

/** Characters of a message; one that is longer is cut. */
export const maxMessage = 4_096

/** An error whose message is for people. It may quote another system, whose text is made storable and readable. */
export class ShownError extends Error {
  constructor(message = '', options?: ErrorOptions) {
    super(cleanText(message, maxMessage), options)
  }
}

/** A store requests a retry, after `retryAfterMs` if it names a time. */
export class StoreBusy extends ShownError {
  retryAfterMs: number | undefined
  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** A folder that vanished or is no folder any more. */
export class MissingFolder extends ShownError {}

/** Fails the scan. The message is shown to users. */
export class ScanFailed extends ShownError {
  /** Input of the storage's form that is wrong, if it is one. */
  field: SourceField | undefined
  /** The system knows who signed in, and does not permit this. */
  isDenied = false
  /** Code of the system's refusal, such as NoSuchKey; '' without one. Not `code`, which only errors of the operating system have. */
  refusal = ''
}

/** Marks the input that a failure is about. */
export function atField<E extends Error>(error: E, field: SourceField | undefined): E {
  if (error instanceof ScanFailed) error.field ??= field
  return error
}

/** Input that a failure is about; null if unknown. */
export const fieldOf = (error: unknown): SourceField | null =>
  error instanceof ScanFailed ? (error.field ?? null) : null

/** The message of any error, as `ShownError` has it. */
export const messageOf = (error: unknown): string =>
  cleanText(error instanceof Error ? error.message : String(error), maxMessage)

/** Milliseconds after which a call of a storage counts as never answered; and the failure that follows. */
export const usualAnswerMs = 60_000
export const noAnswer = (ms: number): ScanFailed =>
  new ScanFailed(`The storage did not answer for ${ms / 1_000} ${ms === 1_000 ? 'second' : 'seconds'}`)
