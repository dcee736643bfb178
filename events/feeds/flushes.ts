import { z } from 'zod'

/*
 * A flush has folders that were listed again, each with all of its entries, as rows of a block (`events/node/blocks`): an entry for the folder
 * itself (the root has none), entries for its contents, and a `listed` mark with their number. It replaces what the server knows of these
 * folders, so that repeated, late or needless flushes change nothing. A folder that a shown flush of the session had may come without that mark, with
 * the entries that differ from then, and a `gone` mark for each that it lacks now. Agents send one flush of a storage at a time, and send its folders again
 * if it isn't answered. What a folder lacks is gone, with all below. Files of folders that changed size or date while they were listed are as
 * at one of both times; the next event lists them again.
 */

/**
 * Headers of a flush on `subjects.flush`, whose body is a block of up to `batchLimits`. A flush of several blocks has them in order, each of them a request;
 * `last` is 'true' in the last one, which is answered once all of them are shown.
 */
export const flushHeaders = {
  volume: 'Flush-Volume',
  session: 'Flush-Session',
  /** Counts the flushes of a session in this process of the agent from 1 on. */
  number: 'Flush-Number',
  part: 'Flush-Part',
  last: 'Flush-Last',
} as const

/** Milliseconds that an agent waits for the answer of a flush. */
export const flushWithinMs = 60_000

export const FlushAnswer = z.discriminatedUnion('type', [
  /** A part that isn't the last one was stored. */
  z.object({ type: z.literal('stored') }),
  /**
   * The flush is shown. `list` has folders inside it, relative to the storage as '/a/b', whose contents the server doesn't know: the agent lists each of
   * them with everything below, and sends them as further flushes.
   */
  z.object({ type: z.literal('shown'), asOf: z.number(), list: z.array(z.string()) }),
  /** A store is down, or a commit is running: to be sent again, with what changed meanwhile. */
  z.object({ type: z.literal('later'), reason: z.string() }),
  /** The session is over, or the flush is malformed: the agent asks what to follow. */
  z.object({ type: z.literal('over'), reason: z.string() }),
])
export type FlushAnswer = z.infer<typeof FlushAnswer>
