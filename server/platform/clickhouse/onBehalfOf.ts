import type { Asked, ClickHouse } from './index.ts'

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
  const asCaller = (asked?: Asked): Asked => ({ signal, ...asked })
  return {
    ...clickhouse,
    rows: (question, asked) => clickhouse.rows(question, asCaller(asked)),
    one: (question, asked) => clickhouse.one(question, asCaller(asked)),
    limited: (question, asked) => clickhouse.limited(question, asCaller(asked)),
    bytes: (question, format, asked) => clickhouse.bytes(question, format, asCaller(asked)),
  }
}
