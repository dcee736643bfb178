import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { countColumns, type EntryCounts, readsEverything } from './countEntries.ts'
import { rowsOfSelection } from './rows.ts'

/**
 * Text of a row, unambiguous because of the lengths in bytes: `<position> <volume> <1 for a folder> <size> <modified,
 * seconds> <part> <length of path> <length of place> <path><place><left out>`.
 */
const rowText = sql`concat(
  toString(position), ' ', toString(volume), ' ', toString(toUInt8(is_directory)), ' ', toString(size), ' ',
  toString(toUnixTimestamp(modified)), ' ', toString(part), ' ', toString(length(path)), ' ', toString(length(place)), ' ',
  path, place, toString(left_out))`

/**
 * Totals of a selection, and a hash of its exact rows in order. The hash is the sum of the SHA-256 of each row's text,
 * read as little-endian numbers, modulo 2^256, in hexadecimal. The engine can add in any order, since each text has its
 * position.
 */
export async function summarize(clickhouse: ClickHouse, id: number): Promise<EntryCounts & { hash: string }> {
  const { from, where } = rowsOfSelection(id)
  return clickhouse.one<EntryCounts & { hash: string }>(
    sql`
      SELECT ${countColumns}, leftPad(lower(hex(sum(reinterpretAsUInt256(SHA256(${rowText}))))), 64, '0') AS hash
      FROM ${from} WHERE ${where}`,
    readsEverything,
  )
}
