import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { onOneServer, testedCluster } from '#server/platform/clickhouse/cluster/testing.ts'
import { knownMigrations, makeClickHouse } from '#server/platform/migrate.ts'

/**
 * Creates the folder of an embedded engine with all tables. A separate process, because a process can open only one
 * folder. With a configuration file it is a cluster.
 */
const [, , folder = '', configuration] = process.argv
const form = configuration === undefined ? {} : { cluster: testedCluster.name, configuration, adapt: onOneServer }
const clickhouse = await openClickHouse(`chdb:${folder}`, form)
await makeClickHouse(clickhouse, await knownMigrations('clickhouse'))
await clickhouse.close()
