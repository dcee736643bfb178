import type { ClickHouseClient } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { knownMigrations, makeClickHouse } from '#server/platform/migrate.ts'
import { type ClickHouse } from '#server/platform/clickhouse/index.ts'
import { render, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import {
  attachPartition,
  createTableLike,
  onEveryServer,
  type Statement,
} from '#server/platform/clickhouse/statements.ts'
import { testClickHouse } from '#server/platform/testing/stores.ts'
import { readStatement } from '#server/platform/clickhouse/readStatement.ts'
import { clusterForm } from './clusterForm.ts'
import { onOneServer } from './testing.ts'

const engine = await testClickHouse()
const sent: string[] = []
/** Answers questions about columns as a cluster would, and runs nothing. */
const client = {
  command: async () => {},
  query: async ({ query_params }: { query_params: { table: string } }) => ({
    json: async () =>
      query_params.table.startsWith('entry_tags')
        ? [{ database: 'files', name: 'volume', definition: tagsTable }]
        : [{ database: 'files', name: 'volume' }, { name: 'parent_path' }],
  }),
} as unknown as ClickHouseClient
const tagsTable = `CREATE TABLE files.entry_tags_local (\`tag\` String, \`volume\` UInt32) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/files/entry_tags', '{replica}', volume) ORDER BY tag`
const form = clusterForm('studio', (statement) => {
  sent.push(statement)
  return statement
})
const run = (statement: Sql | Statement) =>
  form.run(client, 'onCluster' in statement ? statement : readStatement(statement))
const sentFor = async (statement: Sql | Statement): Promise<string[]> => {
  sent.length = 0
  await run(statement)
  return sent.map((each) => each.replace(/\s+/g, ' ').trim())
}

test('tables are created on every shard, replicated, with one table over all shards', async () => {
  expect(
    await sentFor(
      sql`CREATE TABLE IF NOT EXISTS t (volume UInt32) ENGINE = MergeTree PARTITION BY volume ORDER BY volume`,
    ),
  ).toEqual([
    "CREATE TABLE IF NOT EXISTS `t_local` ON CLUSTER `studio` (volume UInt32) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/t', '{replica}') PARTITION BY volume ORDER BY volume",
    "CREATE OR REPLACE TABLE `t` ON CLUSTER `studio` AS `t_local` ENGINE = Distributed(`studio`, 'files', `t_local`, sipHash64(volume, parent_path))",
  ])
  const [made = ''] = await sentFor(
    sql`CREATE TABLE t (v UInt32) ENGINE = ReplacingMergeTree(v) ORDER BY v SETTINGS non_replicated_deduplication_window = 7`,
  )
  expect(made).toMatch(
    /ENGINE = ReplicatedReplacingMergeTree\('[^']*\/t-[\w-]{36}', '\{replica\}', v\) ORDER BY v SETTINGS replicated_deduplication_window = 7, replicated_deduplication_window_seconds = \d+$/,
  )
})

test('a table made from a query is created empty on each shard and then filled through all', async () => {
  const statements = await sentFor(
    sql`CREATE TABLE t ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a SETTINGS max_threads = 2`,
  )
  expect(statements).toEqual([
    expect.stringMatching(
      /^CREATE TABLE `t_local` ON CLUSTER `studio` ENGINE = ReplicatedMergeTree\(.*\) ORDER BY a EMPTY AS SELECT 1 AS a SETTINGS max_threads = 2$/,
    ),
    expect.stringMatching(/^CREATE OR REPLACE TABLE `t` /),
    'INSERT INTO `t` SELECT 1 AS a SETTINGS max_threads = 2',
    'SYSTEM SYNC REPLICA ON CLUSTER `studio` `t_local` LIGHTWEIGHT',
  ])
})

test('a table like another one has its definition, but replicas of its own', async () => {
  const [made = ''] = await sentFor(createTableLike('staging', 'entry_tags'))
  expect(made).toMatch(
    /^CREATE TABLE `staging_local` ON CLUSTER `studio` \(`tag` String, `volume` UInt32\) ENGINE = ReplicatedReplacingMergeTree\('[^']*\/staging-[\w-]{36}', '\{replica\}', volume\) ORDER BY tag$/,
  )
})

test.each([
  [
    sql`DROP TABLE IF EXISTS t SYNC`,
    ['DROP TABLE IF EXISTS `t` ON CLUSTER `studio` SYNC', 'DROP TABLE IF EXISTS `t_local` ON CLUSTER `studio` SYNC'],
  ],
  [sql`TRUNCATE TABLE t`, ['TRUNCATE TABLE `t_local` ON CLUSTER `studio` SYNC']],
  [sql`DELETE FROM t WHERE a = 1`, ['DELETE FROM `t_local` ON CLUSTER `studio` WHERE a = 1']],
  [sql`ALTER TABLE t DROP PARTITION (1, 2)`, ['ALTER TABLE `t_local` ON CLUSTER `studio` DROP PARTITION (1, 2)']],
  [
    attachPartition('t', 'tuple()', 's'),
    ['ALTER TABLE `t_local` ON CLUSTER `studio` ATTACH PARTITION tuple() FROM `s_local`'],
  ],
  [
    onEveryServer('KILL QUERY', sql`WHERE query_id = 'a' ASYNC`),
    ["KILL QUERY ON CLUSTER `studio` WHERE query_id = 'a' ASYNC"],
  ],
  [
    sql`INSERT INTO t SELECT 1`,
    ['INSERT INTO t SELECT 1', 'SYSTEM SYNC REPLICA ON CLUSTER `studio` `t_local` LIGHTWEIGHT'],
  ],
])('%j runs on every shard', async (statement, expected) => {
  expect(await sentFor(statement)).toEqual(expected)
})

test.each([
  sql`RENAME TABLE t TO s`,
  sql`ALTER TABLE t MOVE PARTITION 1 TO TABLE s`,
  sql`CREATE VIEW v AS SELECT 1`,
  sql`SYSTEM DROP MARK CACHE`,
  sql`SELECTED ${'a'}`,
])('%j is refused, since it would run on one server only', async (statement) => {
  for (const run of [engine.command, engine.change]) {
    const [refused] = await Promise.allSettled([run(statement)])
    expect(String(refused.status === 'rejected' && refused.reason)).toContain(
      `neither a query nor a known change of tables: ${render(statement).query}`,
    )
  }
})

test('an insert that waits for replicas waits for those of its table only', async () => {
  sent.length = 0
  await form.settle(client, 'entries')
  expect(sent).toEqual(['SYSTEM SYNC REPLICA ON CLUSTER `studio` `entries_local` LIGHTWEIGHT'])
})

test('the engine understands every statement of the migrations as a cluster gets it', async () => {
  sent.length = 0
  await makeClickHouse({ command: run } as ClickHouse, await knownMigrations('clickhouse'))
  expect(sent.length).toBeGreaterThan(50)
  for (const statement of sent)
    expect(await engine.one(sql`SELECT formatQuerySingleLine(${statement}) != '' AS parses`)).toEqual({ parses: 1 })
})

test('a server without a cluster runs statements as they are', () => {
  expect(onOneServer('ALTER TABLE `t_local` ON CLUSTER `tested` DROP PARTITION 1')).toBe(
    'ALTER TABLE `t_local` DROP PARTITION 1',
  )
})
