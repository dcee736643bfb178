import { CannotStart } from '#server/platform/config.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

/** Shards of the cluster, and the replicas of each besides the first one; undefined without a cluster. */
export type ClusterSize = { shards: number; replicas: number }

export async function clusterSize(clickhouse: ClickHouse): Promise<ClusterSize | undefined> {
  const { cluster } = clickhouse.system
  if (cluster === undefined) return undefined
  const { shards, replicas } = await clickhouse.one<ClusterSize>(sql`
    SELECT toInt32(uniqExact(shard_num)) AS shards, toInt32(max(replica_num)) - 1 AS replicas
    FROM system.clusters WHERE cluster = ${cluster}`)
  return { shards, replicas }
}

/** Throws `CannotStart` if ClickHouse doesn't know the cluster, or has its tables in another form than the setting says. */
export async function checkForm(clickhouse: ClickHouse): Promise<void> {
  const { cluster } = clickhouse.system
  if ((await clusterSize(clickhouse))?.shards === 0)
    throw new CannotStart(
      `CLICKHOUSE_CLUSTER: ClickHouse has no cluster named ${cluster}. Its names are in remote_servers of ClickHouse's configuration`,
    )
  const [table] = await clickhouse.rows<{ engine: string }>(
    sql`SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'entries'`,
  )
  if (!table) return
  const isOnCluster = table.engine === 'Distributed'
  if (isOnCluster && cluster === undefined)
    throw new CannotStart('The data is on a cluster of ClickHouse: set CLICKHOUSE_CLUSTER to its name')
  if (!isOnCluster && cluster !== undefined)
    throw new CannotStart(
      'CLICKHOUSE_CLUSTER is set, but the data is not on a cluster. Move it with npm run migrate:cluster, or remove the variable',
    )
}
