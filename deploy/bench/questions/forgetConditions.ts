import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** The engine keeps where a condition met nothing. People rarely ask the same twice, so what is asked again must not profit. */
export const forgetConditions = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.change(sql`SYSTEM DROP QUERY CONDITION CACHE`)
