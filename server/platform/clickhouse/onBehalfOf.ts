import type { QueryOptions, ClickHouse } from './index.ts'

/**
 * How long the questions of one call may take, with all that they wait for their turns. Milliseconds. What they read has to
 * stay for longer.
 */
export const longestCall = 600_000

/** Aborted when the caller goes away, or has waited too long. */
export const untilGone = (gone: AbortSignal, longest = longestCall): AbortSignal =>
  AbortSignal.any([gone, AbortSignal.timeout(longest)])

/**
 * The same ClickHouse, whose questions end when the caller goes away before there is an answer. To be made before it is
 * looked up what they are to read.
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
