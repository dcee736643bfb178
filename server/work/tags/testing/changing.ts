import type { Platform } from '#server/platform/platform.ts'
import { render } from '#server/platform/clickhouse/sql.ts'

/** A platform that calls `before` ahead of each tagging statement, but not of freezing, with the number of tagged storages. */
export function changing(platform: Platform, before: (done: number, statement: string) => Promise<void>): Platform {
  let done = 0
  const change: Platform['clickhouse']['change'] = async (statement) => {
    const { query } = render(statement)
    if (!/(INTO|TABLE) selected_entries/.test(query)) await before(done, query.trim())
    await platform.clickhouse.change(statement)
    if (query.includes('ATTACH PARTITION')) done++
  }
  return { ...platform, clickhouse: { ...platform.clickhouse, change } }
}
