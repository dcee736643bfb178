import { mkdirSync } from 'node:fs'
import { moveToCluster } from '#server/upkeep/backups/index.ts'
import { readConfig } from '#server/platform/config.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { checkForm } from '#server/platform/clickhouse/cluster/checkForm.ts'
import { hasTables } from '#server/platform/migrate.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'

/**
 * `npm run migrate:cluster -- http://OLD:8123`: copies the data of one ClickHouse server to the cluster of CLICKHOUSE_URL and
 * CLICKHOUSE_CLUSTER, for the settings of DATABASE_URL. No server may run meanwhile.
 */
const [, , address = ''] = process.argv
try {
  if (!/^https?:\/\//.test(address)) throw new Error('Use: npm run migrate:cluster -- http://OLD:8123')
  const { databaseUrl, clickhouseUrl, clickhouseCluster: cluster, data } = readConfig()
  if (databaseUrl === undefined || clickhouseUrl === undefined || cluster === undefined)
    throw new Error('Set DATABASE_URL, and CLICKHOUSE_URL and CLICKHOUSE_CLUSTER to those of the cluster')
  const db = openPostgres(databaseUrl)
  if (!(await hasTables(db))) throw new Error('DATABASE_URL has no settings of the product')
  const from = await openClickHouse(address)
  const to = await openClickHouse(clickhouseUrl, { cluster })
  await checkForm(from)
  await checkForm(to)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  await moveToCluster({ db, from, to, folder: data }, (line) => console.log(line))
  console.log('All data is on the cluster. Start the servers with CLICKHOUSE_CLUSTER, then remove the old server.')
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
