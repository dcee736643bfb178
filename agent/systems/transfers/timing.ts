import { setTimeout } from 'node:timers/promises'

/** Delays and limits of a transfer, in milliseconds unless named otherwise. */
export type Timing = {
  wait(ms: number, signal: AbortSignal): Promise<unknown>
  now(): number
  /** Delay between polls of a job; it grows. */
  minPollMs: number
  maxPollMs: number
  /** Time in which the service may still create a job whose request had no answer. */
  graceMs: number
  /** A job that is unknown for longer was forgotten. */
  forgottenMs: number
  /** Delay before a copy is looked for again that the agent of its storage does not see yet. */
  copyDelayMs: number
  /** Delay before a request is repeated, unless the service names one. */
  retryDelayMs: number
}

export const defaultTiming: Timing = {
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  now: Date.now,
  minPollMs: 5_000,
  maxPollMs: 60_000,
  graceMs: 120_000,
  forgottenMs: 600_000,
  copyDelayMs: 20_000,
  retryDelayMs: 2_000,
}
