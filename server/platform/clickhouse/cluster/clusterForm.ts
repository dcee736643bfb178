import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { literal, quoted, render, text } from '#server/platform/clickhouse/sql.ts'
import type { Form } from './form.ts'

/** Names of the tables that have the rows on each shard. */
const suffix = '_local'

/** Seconds; scans of billions of entries take days. */
const tokensKeptSeconds = 30 * 86_400

/**
 * Tables on a cluster: `entries` is Distributed over `entries_local`, which is Replicated on each shard. Statements name
 * the first one; those that change tables are translated and run on every shard.
 *
 * An insert is confirmed by most replicas of a shard. All replicas catch up after it, or for blocks of a scan before they are
 * read, since the next statement may read from any of them. `adapt` changes each statement before it is sent.
 */
export function clusterForm(cluster: string, adapt: (statement: string) => string = (statement) => statement): Form {
  const everywhere = ` ON CLUSTER ${quoted(cluster)}`
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
    async run(client, statement) {
      const { query, query_params } = render(statement)
      const plain = query.trim().replace(leadingComments, '')
      const rule = rules.find(([pattern]) => pattern.test(plain))
      if (!rule) return void (await client.command({ query: plain, query_params }))
      const [pattern, translate] = rule
      const run = async (query: string) => void (await client.command({ query: adapt(query), query_params }))
      await translate({ cluster, everywhere, client, run }, (pattern.exec(plain) ?? []) as string[])
    },
    settle: async (client, table) => void (await client.command({ query: adapt(catchUp(everywhere, table)) })),
    storedTable: (table) => table + suffix,
    tableOf: (stored) => (stored.endsWith(suffix) ? stored.slice(0, -suffix.length) : undefined),
    ofShards: (table) => text(`cluster(${quoted(cluster)}, system.${table})`),
    ofReplicas: (table) => text(`clusterAllReplicas(${quoted(cluster)}, system.${table})`),
  }
}

type Target = {
  cluster: string
  /** Clause of statements that run on every shard. */
  everywhere: string
  client: ClickHouseClient
  run(query: string): Promise<void>
}
/** `groups` are the matched text and the groups of the pattern; absent ones are undefined. */
type Translate = (target: Target, groups: (string | undefined)[]) => Promise<void>

/** Statements of migrations have some. */
const leadingComments = /^(?:--[^\n]*\n\s*)+/
const table = '`?(\\w+)`?'
const rule = (pattern: string, translate: Translate): [RegExp, Translate] => [new RegExp(pattern, 's'), translate]
const local = (table = '') => quoted(table + suffix)

/** Statements that change tables, and their translations. All others run unchanged. */
const rules = [
  rule(`^CREATE TABLE ${table} CLONE AS ${table}$`, async (target, [, copy = '', original = '']) => {
    await createLike(target, copy, original)
    await target.run(`ALTER TABLE ${local(copy)}${target.everywhere} ATTACH PARTITION ALL FROM ${local(original)}`)
    await settle(target, copy)
  }),
  rule(`^CREATE TABLE ${table} AS ${table}$`, (target, [, copy = '', original = '']) =>
    createLike(target, copy, original),
  ),
  rule(`^CREATE TABLE (IF NOT EXISTS )?${table}\\s(.*?)\\bENGINE = (\\w+)(?:\\(([^)]*)\\))?(.*)$`, create),
  rule(`^DROP TABLE (?:IF EXISTS )?${table} SYNC$`, async ({ run, everywhere }, [, dropped = '']) => {
    await run(`DROP TABLE IF EXISTS ${quoted(dropped)}${everywhere} SYNC`)
    await run(`DROP TABLE IF EXISTS ${local(dropped)}${everywhere} SYNC`)
  }),
  rule(`^ALTER TABLE ${table}(.*)$`, alter),
  rule(`^EXCHANGE TABLES ${table} AND ${table}$`, async (target, [, one = '', other = '']) => {
    await target.run(`EXCHANGE TABLES ${local(one)} AND ${local(other)}${target.everywhere}`)
    for (const exchanged of [one, other]) await distribute(target, exchanged)
  }),
  rule(`^TRUNCATE TABLE ${table}$`, ({ run, everywhere }, [, emptied]) =>
    run(`TRUNCATE TABLE ${local(emptied)}${everywhere} SYNC`),
  ),
  rule(`^DELETE FROM ${table}(.*)$`, ({ run, everywhere }, [, changed, rest = '']) =>
    run(`DELETE FROM ${local(changed)}${everywhere}${rest}`),
  ),
  rule(`^OPTIMIZE TABLE ${table}(.*)$`, ({ run, everywhere }, [, merged, rest = '']) =>
    run(`OPTIMIZE TABLE ${local(merged)}${everywhere}${rest}`),
  ),
  rule('^KILL (QUERY|MUTATION)(.*)$', ({ run, everywhere }, [, kind = '', rest = '']) =>
    run(`KILL ${kind}${everywhere}${rest}`),
  ),
  rule(`^INSERT INTO ${table}\\b.*$`, async (target, [statement = '', filled = '']) => {
    await target.run(statement)
    await settle(target, filled)
  }),
]

const catchUp = (everywhere: string, table: string) => `SYSTEM SYNC REPLICA${everywhere} ${local(table)} LIGHTWEIGHT`
const settle = ({ run, everywhere }: Target, table: string): Promise<void> => run(catchUp(everywhere, table))

async function create(
  target: Target,
  [, ifNotExists = '', table = '', columns = '', engine = '', parameters, rest = '']: (string | undefined)[],
): Promise<void> {
  const { run, everywhere } = target
  const [, definition = rest, question] = /^(.*?)\sAS\s+((?:SELECT|WITH|\().*)$/s.exec(rest) ?? []
  const replica = replicaOf(ifNotExists ? table : newPath(table))
  const stored = `Replicated${engine}(${[replica, ...(parameters ? [parameters] : [])].join(', ')})`
  const rows = question ? ` EMPTY AS ${question}` : ''
  await run(
    `CREATE TABLE ${ifNotExists}${local(table)}${everywhere} ${columns}ENGINE = ${stored}${keepingTokens(definition)}${rows}`,
  )
  await distribute(target, table)
  if (!question) return
  await run(`INSERT INTO ${quoted(table)} ${question}`)
  await settle(target, table)
}

/**
 * The replicas of a table meet at its path. That of a table which is created only once is its name; others need a new
 * one each time, since tables are exchanged.
 */
const newPath = (table: string): string => `${table}-${randomUUID()}`
const replicaOf = (path: string): string => `'/clickhouse/tables/{shard}/{database}/${path}', '{replica}'`

/** Tokens of inserts are kept in the same number, by the settings of replicated tables. */
const keepingTokens = (definition: string): string =>
  definition.replace(
    /non_replicated_deduplication_window = (\d+)/,
    `replicated_deduplication_window = $1, replicated_deduplication_window_seconds = ${tokensKeptSeconds}`,
  )

/** Creates an empty table with the definition of another one. */
async function createLike(target: Target, copy: string, original: string): Promise<void> {
  const found = await target.client.query({
    query:
      'SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = {table:String}',
    query_params: { table: original + suffix },
    format: 'JSONEachRow',
  })
  const [row] = await found.json<{ definition: string }>()
  if (!row) throw new Error(`The table ${original} is missing on the cluster`)
  const [, body = ''] = /^CREATE TABLE \S+ (.*)$/s.exec(row.definition) ?? []
  const elsewhere = body.replace(
    /(Replicated\w*\()'[^']*', '[^']*'/,
    (_, engine: string) => engine + replicaOf(newPath(copy)),
  )
  await target.run(`CREATE TABLE ${local(copy)}${target.everywhere} ${elsewhere}`)
  await distribute(target, copy)
}

/** Creates the table over those of the shards, or makes it follow their columns. */
async function distribute({ client, cluster, everywhere, run }: Target, table: string): Promise<void> {
  const found = await client.query({
    query: 'SELECT database, name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
    query_params: { table: table + suffix },
    format: 'JSONEachRow',
  })
  const columns = await found.json<{ database: string; name: string }>()
  const place = `${quoted(cluster)}, ${literal(columns[0]?.database ?? '')}, ${local(table)}`
  const key = shardingKey(columns.map((column) => column.name))
  await run(
    `CREATE OR REPLACE TABLE ${quoted(table)}${everywhere} AS ${local(table)} ENGINE = Distributed(${place}, ${key})`,
  )
}

async function alter(target: Target, [, table = '', change = '']: (string | undefined)[]): Promise<void> {
  const { run, everywhere } = target
  const onShards = change.replace(
    /(\bATTACH PARTITION .* FROM )`?(\w+)`?/s,
    (_, attach: string, from: string) => attach + local(from),
  )
  await run(`ALTER TABLE ${local(table)}${everywhere}${onShards}`)
  if (/\b(ADD|MODIFY|DROP)\s+(COLUMN|CONSTRAINT)\b/.test(change)) await distribute(target, table)
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
