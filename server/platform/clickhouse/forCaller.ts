import type { QueryOptions, ClickHouse } from './index.ts'

/**
 * Maximum duration of one call's queries, including the time in queues, in milliseconds. The data they read must be
 * kept for longer.
 */
export const maxCallMs = 600_000

/** Aborted when the caller disconnects or the time is up. */
export const withTimeout = (signal: AbortSignal, timeoutMs = maxCallMs): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])

/**
 * The same ClickHouse, but its queries are aborted when the caller disconnects. Create it before looking up the
 * snapshot to read.
 */
export function forCaller(caller: { signal: AbortSignal }, clickhouse: ClickHouse, timeoutMs = maxCallMs): ClickHouse {
  const signal = withTimeout(caller.signal, timeoutMs)
  const asCaller = (options?: QueryOptions): QueryOptions => ({ signal, ...options })
  return {
    ...clickhouse,
    rows: (question, options) => clickhouse.rows(question, asCaller(options)),
    one: (question, options) => clickhouse.one(question, asCaller(options)),
    limited: (question, options) => clickhouse.limited(question, asCaller(options)),
    bytes: (question, format, options) => clickhouse.bytes(question, format, asCaller(options)),
  }
}
