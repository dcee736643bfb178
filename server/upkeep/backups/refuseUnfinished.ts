import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { endLoading, isUnfinished } from './loadClickHouse.ts'
import { hasNoTables } from './postgresTables.ts'

/** Call this before anything is created: a partly restored product must not start. */
export async function refuseUnfinishedRestore(db: Db, clickhouse: ClickHouse): Promise<void> {
  if (!(await isUnfinished(clickhouse))) return
  if (await hasNoTables(db))
    throw new Error('A restore was interrupted here: run it again, or empty the data folder and the databases')
  await endLoading(clickhouse)
}
