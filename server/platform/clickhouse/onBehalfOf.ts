import type { Asked, ClickHouse } from './index.ts'

/** The same ClickHouse, whose questions end when the caller goes away before there is an answer. */
export function onBehalfOf({ gone }: { gone: AbortSignal }, clickhouse: ClickHouse): ClickHouse {
  const untilGone = (asked?: Asked): Asked => ({ signal: gone, ...asked })
  return {
    ...clickhouse,
    rows: (question, asked) => clickhouse.rows(question, untilGone(asked)),
    one: (question, asked) => clickhouse.one(question, untilGone(asked)),
    limited: (question, asked) => clickhouse.limited(question, untilGone(asked)),
    bytes: (question, format, asked) => clickhouse.bytes(question, format, untilGone(asked)),
  }
}
