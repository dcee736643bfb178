import type { Root } from '../beneath.ts'

/** Receives the result of a call: 0 or more, or the negative number of an error (errno). */
export type Answered = (index: number, result: number) => void

/**
 * Calls of the kernel, many at once. Names and paths end with a 0; memory is given by its address, and must not be used again until the
 * call is answered. Answers come while the thread waits for events, each with the `index` of its call.
 */
export type Lookups = {
  /** Opens a folder of a storage, not a link to one and not through one. */
  open(root: Root, path: string, answered: Answered): void
  /** Closes a folder that was opened. */
  shut(folder: number): void
  /** Looks a name up in an open folder, without following it; fills a `struct statx`. */
  look(folder: number, name: number, stat: number, answered: Answered, index: number): void
  /** Reads entries of an open folder, as `struct linux_dirent64`; 0 bytes at its end. */
  list(folder: number, buffer: number, size: number, answered: Answered): void
  readLink(folder: number, name: number, buffer: number, size: number, answered: Answered, index: number): void
  /** Sends all calls to the kernel. */
  submit(): void
  /** Frees the memory, after the last answer. */
  close(): void
}

/** The two ways to look names up: through `io_uring`, or by threads where that is forbidden or unknown. */
export const waysOfLookups = ['ring', 'pool'] as const
export type WayOfLookups = (typeof waysOfLookups)[number]

/** Calls that a walk gives to the pool of threads at once, and threads of that pool, which also serves the rest of the process. */
export const maxPooled = 64
export const poolThreads = 160
/** Calls of a walk without an answer. */
export const maxUnanswered = 2_048
