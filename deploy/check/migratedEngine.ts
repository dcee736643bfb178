import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { knownMigrations, makeClickHouse } from '#server/platform/migrate.ts'

/**
 * Creates the folder of an embedded engine with all tables. A separate process, because a process can open only one
 * folder.
 */
const [, , folder = ''] = process.argv
const clickhouse = await openClickHouse(`chdb:${folder}`)
await makeClickHouse(clickhouse, await knownMigrations('clickhouse'))
await clickhouse.close()
