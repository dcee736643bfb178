import { cleanPath } from '#events/contract/cleanText.ts'
import { maxStoredBytes } from '#events/scans/entryLimits.ts'
import type { Progress } from '#events/scans/lifecycle.ts'
import type { PackedBatch } from './batches.ts'

type Sums = {
  entries: number
  directories: number
  bytes: number
  unreadable: number
  queued: number
  /** Files whose file system reports no space on disk. */
  withoutBlocks: number
  /** Files of servers that report their space on disk. */
  withBlocks: number
}

/** Counts of a scan so far, and measurements of a scan in requests. Bytes are those of files. */
export type Counts = Sums & Pick<Progress, 'requests' | 'pace'>

export const noCounts = (): Sums => ({
  entries: 0,
  directories: 0,
  bytes: 0,
  unreadable: 0,
  queued: 0,
  withoutBlocks: 0,
  withBlocks: 0,
})

const keys = Object.keys(noCounts()) as (keyof Sums)[]

export function sumCounts(several: Iterable<Counts>): Counts {
  const total = noCounts()
  for (const counts of several) for (const key of keys) total[key] += counts[key]
  return total
}

/** Receives the results of a walk. A batch is in flight until its promise ends; only a few may be at a time. */
export type WalkListener = {
  batch(packed: PackedBatch): Promise<void>
  unreadable(path: string, error: string): void
  progressed(counts: Counts, path: string): void
}

/** Result of a walk: the number of batches, which are numbered from 1, and the counts. */
export type WalkResult = { batches: number; counts: Counts }

/** Batches that are packed and not yet stored in the stream, which bounds what an agent holds when the stream is full. */
export const batchesOnTheirWay = 4

/** Characters of a path that the wire takes. */
export const maxPathLength = 32_768

/** Progress of a scan. Its rate is that since the previous call. */
export function newProgress() {
  let counts = noCounts()
  let currentPath = ''
  let before = { entries: 0, atMs: performance.now() }
  return {
    progressed(latest: Counts, path: string) {
      counts = latest
      currentPath = path
    },
    now(): Progress {
      const atMs = performance.now()
      const seconds = Math.max((atMs - before.atMs) / 1_000, 0.001)
      const rate = Math.max(0, (counts.entries - before.entries) / seconds)
      before = { entries: counts.entries, atMs }
      const { withoutBlocks: _, withBlocks: __, ...shown } = counts
      return {
        ...shown,
        bytes: Math.min(shown.bytes, maxStoredBytes),
        rate,
        currentPath: cleanPath(currentPath, maxPathLength),
      }
    },
  }
}
