import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { onEveryServer } from '#server/platform/clickhouse/statements.ts'

/** Clears the engine's query condition cache: users rarely repeat a query, so repeated runs must not benefit. */
export const forgetConditions = (clickhouse: ClickHouse): Promise<void> =>
  clickhouse.change(onEveryServer('SYSTEM DROP QUERY CONDITION CACHE'))
