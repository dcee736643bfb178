import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { knownMigrations, makeClickHouse } from '#server/platform/migrate.ts'

/** Makes the folder of an embedded engine with all tables. A process of its own: it can open one folder only. */
const [, , folder = ''] = process.argv
const clickhouse = await openClickHouse(`chdb:${folder}`)
await makeClickHouse(clickhouse, await knownMigrations('clickhouse'))
await clickhouse.close()
