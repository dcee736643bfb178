import type { ClickHouseClient } from '@clickhouse/client'
import { literal, quoted, render, name, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { type ClusterConnection, type Table, tableName } from '#server/platform/clickhouse/statements.ts'
import type { Form } from './form.ts'

/** Names of the tables that have the rows on each shard. */
const suffix = '_local'

/**
 * Tables on a cluster: `entries` is Distributed over `entries_local`, which is Replicated on each shard. Statements name
 * the first one; those that change tables run on every shard.
 *
 * An insert is confirmed by most replicas of a shard. All replicas catch up after it, or for blocks of a scan before they are
 * read, since the next statement may read from any of them. `adapt` changes each statement before it is sent.
 */
export function clusterForm(cluster: string, adapt: (statement: string) => string = (statement) => statement): Form {
  const connect = (client: ClickHouseClient) => connectionTo(cluster, client, adapt)
  return {
    cluster,
    settings: {
      // Subqueries with other tables of the cluster are answered once and sent to all shards.
      distributed_product_mode: 'global',
      distributed_foreground_insert: '1',
      // Replicated tables leave out blocks that were inserted before, also if they were removed since: see README.
      deduplicate_insert: 'disable',
      deduplicate_insert_select: 'disable',
      // Else each shard would group only its own rows, and keep the result to itself: see README.
      parallel_distributed_insert_select: '0',
      insert_quorum: 'auto',
      // Statements that change tables wait for all replicas.
      alter_sync: '2',
      // Rows are removed by subqueries on tables that don't change meanwhile.
      allow_nondeterministic_mutations: '1',
      // A folder's rows are all on one shard.
      optimize_skip_unused_shards: '1',
      distributed_ddl_output_mode: 'none',
    },
    run: (client, statement) => statement.onCluster(connect(client)),
    settle: (client, table) => connect(client).settle(table),
    storedTable: (table) => table + suffix,
    tableOf: (stored) => (stored.endsWith(suffix) ? stored.slice(0, -suffix.length) : undefined),
    ofShards: (table) => text(`cluster(${quoted(cluster)}, system.${table})`),
    ofReplicas: (table) => text(`clusterAllReplicas(${quoted(cluster)}, system.${table})`),
  }
}

const local = (table: Table): Sql => name(tableName(table) + suffix)

function connectionTo(
  cluster: string,
  client: ClickHouseClient,
  adapt: (statement: string) => string,
): ClusterConnection {
  const everywhere = text(` ON CLUSTER ${quoted(cluster)}`)
  const run = async (statement: Sql) => {
    const { query, query_params } = render(statement)
    await client.command({ query: adapt(query), query_params })
  }
  const read = async <T>(query: string, table: Table): Promise<T[]> => {
    const query_params = { table: tableName(table) + suffix }
    return (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>()
  }
  return {
    everywhere,
    local,
    run,
    async definition(table) {
      const [row] = await read<{ definition: string }>(
        'SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
        table,
      )
      if (!row) throw new Error(`The table ${tableName(table)} is missing on the cluster`)
      return /^CREATE TABLE \S+ (.*)$/s.exec(row.definition)?.[1] ?? ''
    },
    async distribute(table) {
      const columns = await read<{ database: string; name: string }>(
        'SELECT database, name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
        table,
      )
      const shard = sql`${name(cluster)}, ${text(literal(columns[0]?.database ?? ''))}, ${local(table)}`
      const key = text(shardingKey(columns.map((column) => column.name)))
      await run(
        sql`CREATE OR REPLACE TABLE ${name(tableName(table))}${everywhere} AS ${local(table)} ENGINE = Distributed(${shard}, ${key})`,
      )
    },
    settle: (table) => run(sql`SYSTEM SYNC REPLICA${everywhere} ${local(table)} LIGHTWEIGHT`),
  }
}

/** Columns by whose values the rows of a table are spread: the first that it has. Versions of a row are on one shard. */
const keys = [
  ['selection', 'position'],
  ['volume', 'parent_path'],
  ['parent_path'],
  ['hash'],
  ['volume'],
  ['path'],
  ['folder'],
]

/** The expression by which rows of a table with these columns are spread over shards. */
function shardingKey(columns: readonly string[]): string {
  const key = keys.find((names) => names.every((name) => columns.includes(name)))
  return key ? `sipHash64(${key.join(', ')})` : 'rand()'
}
