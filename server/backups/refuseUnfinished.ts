import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { endLoading, isUnfinished } from './loadClickHouse.ts'
import { hasNoTables } from './postgresTables.ts'

/** Before anything is made: a product that a restore filled in part must not begin to work. */
export async function refuseUnfinishedRestore(db: Db, clickhouse: ClickHouse): Promise<void> {
  if (!(await isUnfinished(clickhouse))) return
  if (await hasNoTables(db))
    throw new Error('A restore was interrupted here: run it again, or empty the data folder and the databases')
  await endLoading(clickhouse)
}
