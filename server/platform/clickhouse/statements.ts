import { randomUUID } from 'node:crypto'
import { join, name, render, type Sql, sql, text } from './sql.ts'

/**
 * A statement that changes tables or their rows. Its SQL is for one server; `onCluster` runs it on every shard of a cluster, in
 * several statements if necessary.
 */
export type Statement = Sql & { onCluster(cluster: ClusterConnection): Promise<void> }

/** A connection to a cluster, on whose shards the rows of the table `t` are in `t_local`. */
export type ClusterConnection = {
  /** Clause of statements that run on every shard. */
  everywhere: Sql
  /** The table with the rows of one shard. */
  local(table: Table): Sql
  run(statement: Sql): Promise<void>
  /** The definition of the shards' tables, after the name of the table. */
  definition(table: Table): Promise<string>
  /** Creates the table over those of the shards, or makes it follow their columns. */
  distribute(table: Table): Promise<void>
  /** Waits until every replica has all rows. */
  settle(table: Table): Promise<void>
}

/** Name of a table. */
export type Table = string | Sql

export const tableName = (table: Table): string =>
  render(typeof table === 'string' ? name(table) : table).query.replaceAll('`', '')
const plain = (table: Table): Sql => text(tableName(table))

type TableDefinition = {
  /** Columns and constraints; those of `rows` by default. */
  columns?: Sql
  /** With its parameters. */
  engine?: string
  /** Clauses after the engine: partitions, order and settings. */
  clauses: Sql
  /** A query whose result fills the table. */
  rows?: Sql
  ifNotExists?: boolean
}

export function createTable(table: Table, definition: TableDefinition): Statement {
  const { columns, engine = 'MergeTree', clauses, rows, ifNotExists = false } = definition
  const create = text(`CREATE TABLE ${ifNotExists ? 'IF NOT EXISTS ' : ''}`)
  const list = columns ? sql`(${columns}) ` : text('')
  const path = ifNotExists ? tableName(table) : newPath(table)
  return {
    ...sql`${create}${plain(table)} ${list}ENGINE = ${text(engine)} ${clauses}${rows ? sql` AS ${rows}` : text('')}`,
    async onCluster(cluster) {
      const empty = rows && !columns ? sql` EMPTY AS ${rows}` : text('')
      const stored = sql`ENGINE = ${text(replicated(engine, path))} ${keepingTokens(clauses)}`
      await cluster.run(sql`${create}${cluster.local(table)}${cluster.everywhere} ${list}${stored}${empty}`)
      await cluster.distribute(table)
      if (!rows) return
      await cluster.run(sql`INSERT INTO ${name(tableName(table))} ${rows}`)
      await cluster.settle(table)
    },
  }
}

/** Creates an empty table with the definition of another one. */
export const createTableLike = (table: Table, original: Table): Statement => ({
  ...sql`CREATE TABLE ${plain(table)} AS ${plain(original)}`,
  async onCluster(cluster) {
    const elsewhere = (await cluster.definition(original)).replace(
      /(Replicated\w*\()'[^']*', '[^']*'/,
      (_, engine: string) => engine + replicaOf(newPath(table)),
    )
    await cluster.run(sql`CREATE TABLE ${cluster.local(table)}${cluster.everywhere} ${text(elsewhere)}`)
    await cluster.distribute(table)
  },
})

/** Creates a table with the definition and the rows of another one. */
export const cloneTable = (table: Table, original: Table): Statement => ({
  ...sql`CREATE TABLE ${plain(table)} CLONE AS ${plain(original)}`,
  async onCluster(cluster) {
    await createTableLike(table, original).onCluster(cluster)
    await attachPartition(table, 'ALL', original).onCluster(cluster)
    await cluster.settle(table)
  },
})

/** Drops tables if they exist. */
export const dropTables = (tables: readonly Table[]): Statement => ({
  ...sql`DROP TABLE IF EXISTS ${join(tables.map(plain), ', ')} SYNC`,
  async onCluster({ run, local, everywhere }) {
    for (const dropped of [tables.map((table) => name(tableName(table))), tables.map(local)])
      await run(sql`DROP TABLE IF EXISTS ${join(dropped, ', ')}${everywhere} SYNC`)
  },
})

export const dropTable = (table: Table): Statement => dropTables([table])

export const exchangeTables = (one: Table, other: Table): Statement => ({
  ...sql`EXCHANGE TABLES ${plain(one)} AND ${plain(other)}`,
  async onCluster({ run, local, everywhere, distribute }) {
    await run(sql`EXCHANGE TABLES ${local(one)} AND ${local(other)}${everywhere}`)
    for (const table of [one, other]) await distribute(table)
  },
})

/** Adds the result of a query. `columns` are its columns, if they aren't those of the table. */
export const insertInto = (table: Table, rows: Sql, columns?: string): Statement => {
  const insert = sql`INSERT INTO ${plain(table)}${text(columns ? ` (${columns})` : '')} ${rows}`
  return {
    ...insert,
    async onCluster({ run, settle }) {
      await run(insert)
      await settle(table)
    },
  }
}

/** Changes columns or constraints. */
export const alterColumns = (table: Table, change: Sql): Statement => {
  const alter = alterTable(table, change)
  return {
    ...alter,
    async onCluster(cluster) {
      await alter.onCluster(cluster)
      await cluster.distribute(table)
    },
  }
}

/** Changes a table, but not its columns: its rows or its parts. */
export const alterTable = (table: Table, change: Sql): Statement => onShards('ALTER TABLE', table, change)

export const dropPartition = (table: Table, partition: number | string): Statement =>
  alterTable(table, sql`DROP PARTITION ${text(String(partition))}`)

/** Adds the parts of another table with the same definition. */
export const attachPartition = (table: Table, partition: string, from: Table): Statement => ({
  ...alterTable(table, sql`ATTACH PARTITION ${text(partition)} FROM ${plain(from)}`),
  onCluster: (cluster) =>
    alterTable(table, sql`ATTACH PARTITION ${text(partition)} FROM ${cluster.local(from)}`).onCluster(cluster),
})

/** Writes parts without these rows, and waits for it. */
export const removeRows = (table: Table, where: Sql): Statement =>
  alterTable(table, sql`DELETE WHERE ${where} SETTINGS mutations_sync = 2`)

/** Hides rows at once, until a merge removes them: those of a table, or of one of its partitions. */
export const deleteFrom = (table: Table, where: Sql, partition?: Sql): Statement =>
  onShards('DELETE FROM', table, sql`${partition ? sql`IN PARTITION ${partition} ` : sql``}WHERE ${where}`)

export const truncateTable = (table: Table): Statement => onShards('TRUNCATE TABLE', table, sql`SYNC`)

/** Merges all parts, or those of a partition. */
export const optimizeTable = (table: Table, clauses: Sql): Statement => onShards('OPTIMIZE TABLE', table, clauses)

/** A statement about the servers themselves, such as `KILL QUERY`. */
export const onEveryServer = (statement: string, rest: Sql = text('')): Statement => ({
  ...sql`${text(statement)} ${rest}`,
  onCluster: ({ run, everywhere }) => run(sql`${text(statement)}${everywhere} ${rest}`),
})

/** A statement about one table, whose clauses are the same for each shard. */
const onShards = (verb: string, table: Table, clauses: Sql): Statement => ({
  ...sql`${text(verb)} ${plain(table)} ${clauses}`,
  onCluster: ({ run, local, everywhere }) => run(sql`${text(verb)} ${local(table)}${everywhere} ${clauses}`),
})

/**
 * The replicas of a table meet at its path. That of a table which is created only once is its name; others need a new
 * one each time, since tables are exchanged.
 */
const newPath = (table: Table): string => `${tableName(table)}-${randomUUID()}`
const replicaOf = (path: string): string => `'/clickhouse/tables/{shard}/{database}/${path}', '{replica}'`

function replicated(engine: string, path: string): string {
  const [, family = '', parameters] = /^(\w+)(?:\((.*)\))?$/.exec(engine) ?? []
  return `Replicated${family}(${[replicaOf(path), ...(parameters ? [parameters] : [])].join(', ')})`
}

/** Seconds; scans of billions of entries take days. */
const tokensKeptSeconds = 30 * 86_400

/** Tokens of inserts are kept in the same number, by the settings of replicated tables. */
const keepingTokens = ({ parts, values }: Sql): Sql => ({
  values,
  parts: parts.map((part) =>
    part.replace(
      /non_replicated_deduplication_window = (\d+)/,
      `replicated_deduplication_window = $1, replicated_deduplication_window_seconds = ${tokensKeptSeconds}`,
    ),
  ),
})
