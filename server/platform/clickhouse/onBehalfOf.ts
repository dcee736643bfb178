import type { QueryOptions, ClickHouse } from './index.ts'

/**
 * Maximum duration of one call's queries, including the time in queues, in milliseconds. The data they read must be
 * kept for longer.
 */
export const longestCall = 600_000

/** Aborted when the caller disconnects or the time is up. */
export const untilGone = (gone: AbortSignal, longest = longestCall): AbortSignal =>
  AbortSignal.any([gone, AbortSignal.timeout(longest)])

/**
 * The same ClickHouse, but its queries are aborted when the caller disconnects. Create it before looking up the
 * snapshot to read.
 */
export function onBehalfOf({ gone }: { gone: AbortSignal }, clickhouse: ClickHouse, longest = longestCall): ClickHouse {
  const signal = untilGone(gone, longest)
  const asCaller = (options?: QueryOptions): QueryOptions => ({ signal, ...options })
  return {
    ...clickhouse,
    rows: (question, options) => clickhouse.rows(question, asCaller(options)),
    one: (question, options) => clickhouse.one(question, asCaller(options)),
    limited: (question, options) => clickhouse.limited(question, asCaller(options)),
    bytes: (question, format, options) => clickhouse.bytes(question, format, asCaller(options)),
  }
}
