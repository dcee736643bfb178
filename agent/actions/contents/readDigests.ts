import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { PlannedFile } from '#events/actions/files.ts'
import { endBytes } from '#events/actions/contents.ts'
import { abortable } from '../../abortable.ts'
import { FileFailed, openSource, readFailure, type Source } from '../sourceFile.ts'

/** Digest of a part of a file, what all hard links of it have in common, and, of all of it, the bytes that other files have on disk, too. */
export type Digest = { digest: string; file: string; links: number; shared: number }

/** Waits until some bytes may be read. */
export type TakeBytes = (bytes: number) => Promise<void>

/** `onDiskOnly`: files whose content is elsewhere are not read. */
export type Reading = { take: TakeBytes; signal: AbortSignal; onDiskOnly?: boolean; onBytes?: (bytes: number) => void }
type Range = [start: number, length: number]

/** True for a file whose beginning and end are all of it. */
export const isAllEnds = ({ size }: Pick<PlannedFile, 'size'>): boolean => size <= 2 * endBytes

/**
 * Reads the first and the last `endBytes` of a file, or all of a small one. Throws `FileFailed` if the file is empty, can't be read, has changed
 * since the scan, or changes meanwhile.
 */
export function readEnds(file: PlannedFile, reading: Reading): Promise<Digest> {
  if (file.size === 0) throw new FileFailed('The file is empty, so there is nothing to compare')
  if (isAllEnds(file)) return readWhole(file, reading)
  const ranges: Range[] = [
    [0, endBytes],
    [file.size - endBytes, endBytes],
  ]
  return readRanges(file, ranges, reading)
}

/** Reads all of a file. Throws as `readEnds` does. */
export const readWhole = (file: PlannedFile, reading: Reading): Promise<Digest> =>
  readRanges(file, [[0, file.size]], reading)

async function readRanges(file: PlannedFile, ranges: Range[], reading: Reading): Promise<Digest> {
  let source: Source | undefined
  try {
    source = await abortable(openSource(file, reading), reading.signal)
    return await digestOf(source, ranges, reading)
  } catch (error) {
    reading.signal.throwIfAborted()
    if (error instanceof FileFailed || !isOfDisk(error)) throw error
    throw new FileFailed(readFailure(error), { cause: error })
  } finally {
    // After an abort it is not awaited: a read from a dead mount would keep it waiting.
    if (source) await abortable(source.close(), reading.signal).catch(() => {})
  }
}

/** Returns whether a call of the file system failed. */
export const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function digestOf(source: Source, ranges: Range[], { take, signal, onBytes }: Reading): Promise<Digest> {
  const hash = createHash('sha256')
  for (const [start, length] of ranges) {
    const parts = source.read(start, length)
    for (let left = length; left > 0;) {
      const { value } = await abortable(parts.next(), signal)
      if (!value) break
      hash.update(value)
      left -= value.length
      onBytes?.(value.length)
      await take(value.length)
    }
  }
  await abortable(source.check(), signal)
  const isWhole = ranges.every(([, length]) => length === source.size)
  const shared = isWhole ? await abortable(source.sharedBytes(), signal) : 0
  return { digest: hash.digest('hex'), shared, ...(await source.identity()) }
}

/** Milliseconds of reading that may be ahead of the limit, so that not every part waits for a timer. */
const slackMs = 20
/** Longest wait of one timer: longer ones than 24 days would end at once. */
const maxTimerMs = 3_600_000

/** Limits the bytes per second of all readers together. */
export function newRateLimit(now: () => number = () => performance.now()) {
  /** Time at which everything taken so far is within the limit. */
  let paidAt = 0
  return {
    /** Counts bytes that were read, and waits until more may be. Each caller may have a limit of its own. */
    async take(bytes: number, bytesPerSecond: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      paidAt = Math.max(paidAt, now()) + (bytes / bytesPerSecond) * 1_000
      const until = paidAt
      for (let aheadMs = until - now(); aheadMs > slackMs; aheadMs = until - now())
        await wait(Math.min(aheadMs, maxTimerMs), undefined, { signal })
    },
  }
}
