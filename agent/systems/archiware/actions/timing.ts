import { setTimeout } from 'node:timers/promises'

/** Delays and limits of an action, in milliseconds unless named otherwise. */
export type Timing = {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  now(): number
  /** Delay between polls of a job; it grows. */
  minPollMs: number
  maxPollMs: number
  /** Time in which P5 may still create a job whose submission had no answer. */
  graceMs: number
  /** A job that is `stopped` for longer has failed. */
  maxStoppedMs: number
  /** Polls without a known status before a job counts as lost. */
  maxUnknownPolls: number
  /** Searches of the index for entries, which appear some time after a job, and the delay between them. */
  searches: number
  searchDelayMs: number
}

/** Requests that a P5 server gets at the same time. */
export const requestsAtOnce = 4

export const defaultTiming: Timing = {
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  now: Date.now,
  minPollMs: 5_000,
  maxPollMs: 60_000,
  graceMs: 120_000,
  maxStoppedMs: 600_000,
  maxUnknownPolls: 5,
  searches: 6,
  searchDelayMs: 10_000,
}
