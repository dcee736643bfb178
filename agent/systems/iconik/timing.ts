import { setTimeout } from 'node:timers/promises'

/** Delays in milliseconds, and limits. */
export type Timing = {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  /** Requests of this agent to one Iconik with one application. */
  requestsPerSecond: number
  /** Delays between tries of a request above Iconik's limit, and of a part of an upload that failed. */
  retryDelaysMs: readonly number[]
  /** Delays between searches for an asset that may have been created a moment ago: new assets appear after some seconds. */
  searchDelaysMs: readonly number[]
  /** Time in which a connection may be silent. */
  idleMs: number
}

export const defaultTiming: Timing = {
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  requestsPerSecond: 20,
  retryDelaysMs: [1_000, 2_000, 4_000, 8_000, 16_000],
  searchDelaysMs: [2_000, 4_000, 8_000, 16_000],
  idleMs: 120_000,
}

const MiB = 1_024 * 1_024

/** Sizes of requests to storages, in bytes. Larger files have larger parts where a storage limits their number. */
export type Sizes = {
  s3Part: number
  /** A multiple of 256 KiB. */
  gcsChunk: number
  /** Files up to this size are sent to B2 in one request. */
  b2Small: number
  b2Part: number
  /** Files up to this size are sent to Azure in one request. */
  azureSmall: number
  azureBlock: number
}

export const defaultSizes: Sizes = {
  s3Part: 16 * MiB,
  gcsChunk: 32 * MiB,
  b2Small: 100_000_000,
  b2Part: 100_000_000,
  azureSmall: 64 * MiB,
  azureBlock: 16 * MiB,
}

/** Parts of a file that are sent at the same time, for storages that take them in any order. */
export const partsAtOnce = 3
