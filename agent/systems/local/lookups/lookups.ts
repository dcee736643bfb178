import type { AsyncCalls } from './asyncCalls.ts'
import { openPool } from './pool.ts'
import { openRing } from './ring.ts'

/** Receives the results of calls: 0 or more, or the negative number of an error (errno). */
export type Answered = (index: number, result: number) => void

/**
 * Calls of the kernel, many at once. Names and paths end with a 0; memory is given by its address, and must not be reused until the call is
 * answered. Answers come while the thread waits for events, each `index` with its own; `onAnswers` is called once for several of them.
 */
export type Lookups = {
  /** Opens a folder, not a link to one. The path is copied. */
  open(path: Buffer, answered: Answered): void
  /** Closes a folder that was opened. */
  shut(folder: number): void
  /** Looks a name up in an open folder, without following it; fills a `struct statx`. */
  look(folder: number, name: number, stat: number, answered: Answered, index: number): void
  /** Reads entries of an open folder, as `struct linux_dirent64`; 0 bytes at its end. */
  list(folder: number, buffer: number, size: number, answered: Answered): void
  readLink(folder: number, name: number, buffer: number, size: number, answered: Answered, index: number): void
  /** Sends all calls to the kernel. */
  submit(): void
  /** Frees what isn't in use by a call that is never answered. */
  close(): void
}

/** Calls that a walk gives to the pool of threads at once, and threads of that pool, which also serves all else of the process. */
export const mostPooled = 48
export const poolThreads = 128
/** Calls of a walk that may be unanswered. */
export const mostUnanswered = 2_048

/** Both ways: through `io_uring`, or by threads where that is forbidden or unknown. */
export const waysOfLookups = ['ring', 'pool'] as const
export type WayOfLookups = (typeof waysOfLookups)[number]

/** The best way that this machine has. `onAnswers` follows the answers of a moment. */
export function openLookups(calls: AsyncCalls, onAnswers: () => void, way?: WayOfLookups): Lookups {
  const pool = openPool(calls, onAnswers)
  return way === 'pool' ? pool : (openRing(calls, pool, onAnswers) ?? pool)
}
