import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** Clears the engine's query condition cache: users rarely repeat a query, so repeated runs must not benefit. */
export const forgetConditions = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.change(sql`SYSTEM DROP QUERY CONDITION CACHE`)
