import type { Platform } from '#server/platform/platform.ts'
import { render } from '#server/platform/clickhouse/sql.ts'

/** A platform whose statements that tag are preceded by something, which is told how many storages are tagged. */
export function changing(platform: Platform, before: (done: number, statement: string) => Promise<void>): Platform {
  let done = 0
  const change: Platform['clickhouse']['change'] = async (statement) => {
    const { query } = render(statement)
    await before(done, query.trim())
    await platform.clickhouse.change(statement)
    if (query.includes('ATTACH PARTITION')) done++
  }
  return { ...platform, clickhouse: { ...platform.clickhouse, change } }
}
