import { timeZone } from '#server/platform/days.ts'
import type { ClickHouse } from './index.ts'
import { sql } from './sql.ts'

/** Moments of this winter and summer, in seconds. */
const moments = () =>
  ['01-15', '07-15'].map((day) => Date.parse(`${new Date().getFullYear()}-${day}T12:00:00Z`) / 1_000)

/**
 * Compares the days of this program and the engine in the server's time zone. Throws a sentence that names TZ if the
 * engine doesn't know the zone, or counts its days differently.
 */
export async function checkTimeZone(clickhouse: ClickHouse): Promise<void> {
  const zone = timeZone()
  for (const moment of moments()) {
    const { offset } = await clickhouse
      .one<{ offset: number }>(sql`SELECT toInt32(timeZoneOffset(toDateTime(${moment}, ${zone}))) AS offset`)
      .catch((error: unknown) => {
        if (!/time ?zone/i.test(String(error))) throw error
        throw new Error(`TZ: ClickHouse doesn't know the time zone ${zone}. Set TZ to another name`, { cause: error })
      })
    if (offset !== -60 * new Date(moment * 1_000).getTimezoneOffset())
      throw new Error(
        `TZ: ClickHouse has other rules for the time zone ${zone}. Set TZ to another name, or update ClickHouse`,
      )
  }
}
