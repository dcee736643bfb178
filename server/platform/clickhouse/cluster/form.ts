import type { ClickHouseClient } from '@clickhouse/client'
import { render, type Sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Statement } from '#server/platform/clickhouse/statements.ts'

/** The form of the tables: each in one store, or in parts on the shards of a cluster. Statements are the same for both. */
export type Form = {
  /** Name of the cluster; undefined for one store. */
  cluster: string | undefined
  /** Settings of every connection. */
  settings: Record<string, string>
  /** Runs a statement that returns nothing, wherever the rows of its tables are. */
  run(client: ClickHouseClient, statement: Statement): Promise<void>
  /** Waits until every replica has all rows of a table. */
  settle(client: ClickHouseClient, table: string): Promise<void>
  /** The table that has the rows of a table, by which system tables list it. */
  storedTable(table: string): string
  /** The table that a stored table belongs to; undefined for other tables. */
  tableOf(stored: string): string | undefined
  /** A system table of the shards, each row once. */
  ofShards(table: 'parts' | 'mutations' | 'tables'): Sql
  /** A system table of all replicas. */
  ofReplicas(table: 'detached_parts' | 'disks' | 'parts'): Sql
}

/** All tables in one store. */
export const singleForm: Form = {
  cluster: undefined,
  settings: {},
  run: async (client, statement) => void (await client.command(render(statement))),
  settle: async () => {},
  storedTable: (table) => table,
  tableOf: (stored) => stored,
  ofShards: (table) => text(`system.${table}`),
  ofReplicas: (table) => text(`system.${table}`),
}
