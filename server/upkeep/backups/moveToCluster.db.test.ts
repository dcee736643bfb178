import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from '#server/platform/clickhouse/index.ts'
import { checkForm, clusterSize } from '#server/platform/clickhouse/cluster/checkForm.ts'
import { testedCluster } from '#server/platform/clickhouse/cluster/testing.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { beginLoading } from './loadClickHouse.ts'
import { CannotMove, moveToCluster } from './index.ts'

const platform = await testPlatform()
const { db, clickhouse: from } = platform
const volumeId = await newVolume(platform, 'Films')
const scan = (indexingDate: string, names: string[]) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [{ path: '/reels', isDirectory: true }, ...names.map((name) => ({ path: `/${name}` }))] },
    { path: '/reels', entries: [{ path: "/reels/o'hara \\ 100%.mov" }, { path: '/reels/tab\tline\n.mov' }] },
  ])
const folder = testFolder('move')
const lines: string[] = []
const move = (to: ClickHouse) => moveToCluster({ db, from, to, folder }, (line) => lines.push(line))

let url = ''
let to: ClickHouse
beforeAll(async () => {
  await scan('2026-01-01', ['a.mov', 'b.mov'])
  await scan('2026-01-02', ['b.mov', 'c.mov'])
  await from.command(sql`
    INSERT INTO entry_tags SELECT 'keep', ${volumeId}, '/', 'b.mov', false, '2026-01-01', '2100-01-01', number FROM numbers(2)`)
  ;({ url } = await startBridge(join(testFolder('cluster'), 'engine'), 0, { isCluster: true }))
  to = await openClickHouse(url, { cluster: testedCluster.name })
  atEndOfFile(() => to.close())
})

test('a cluster gets all data of a single store, which every date then shows as before', async () => {
  await checkForm(to)
  await move(to)
  for (const date of ['2026-01-01', '2026-01-02']) {
    const before = await readRows({ db, clickhouse: from }, volumeId, date)
    expect(before.size).toBeGreaterThan(4)
    expect(await readRows({ db, clickhouse: to }, volumeId, date)).toEqual(before)
  }
  expect(lines).toContain(`entries-${volumeId}: 6 rows`)
  expect(lines).toContain('entry_tags: 1 row')
  expect(await clusterSize(to)).toEqual({ shards: 1, replicas: 0 })
})

test('each row of a table is on the shard of its folder', async () => {
  const tables = await to.rows<{ name: string; definition: string }>(
    sql`SELECT name, engine_full AS definition FROM system.tables WHERE database = currentDatabase() AND engine = 'Distributed' ORDER BY name`,
  )
  const keys = tables.map(({ name, definition }) => [name, /, (sipHash64\(.*\)|rand\(\))\)/.exec(definition)?.[1]])
  expect(Object.fromEntries(keys)).toEqual({
    acted_files: 'sipHash64(selection, position)',
    duplicate_groups: 'sipHash64(hash)',
    ended_rows: 'sipHash64(volume)',
    entries: 'sipHash64(volume, parent_path)',
    entry_history: 'sipHash64(volume, parent_path)',
    entry_tags: 'sipHash64(volume, parent_path)',
    file_contents: 'sipHash64(volume, parent_path)',
    health_checks: 'rand()',
    live_changes: 'sipHash64(volume, parent_path)',
    media_facts: 'sipHash64(volume)',
    report_entries: 'sipHash64(volume, parent_path)',
    selected_entries: 'sipHash64(selection, position)',
    volume_statistics: 'sipHash64(volume)',
  })
})

test('data is only moved to an empty cluster, or to one with a move that was interrupted', async () => {
  await expect(move(to)).rejects.toThrow('The cluster already has tables. Data can only be moved to an empty one')
  await expect(move(from)).rejects.toThrow(CannotMove)
  await beginLoading(to)
  await move(to)
  expect((await readRows({ db, clickhouse: to }, volumeId, '2026-01-02')).size).toBe(6)
})

test('nothing is moved while a server runs', async () => {
  const server = { id: 'north', host: 'north', secretKey: null, postgres: '', clickhouse: '' }
  await db.insertInto('replicas').values(server).execute()
  await expect(move(to)).rejects.toThrow('Stop all servers first. These are running: north')
  await db.deleteFrom('replicas').execute()
})

test('a store whose rows arrive changed ends the move, and the cluster is empty', async () => {
  await beginLoading(to)
  const losing: ClickHouse = {
    ...to,
    insert: async (table, ...rest) => (table === 'entries' ? undefined : to.insert(table, ...rest)),
  }
  await expect(move(losing)).rejects.toThrow(
    `entries-${volumeId} has 0 rows on the cluster, and 6 before. Nothing was moved`,
  )
  expect(await to.tables()).toEqual([])
  await move(to)
})

test('a server refuses to start with tables in another form than its setting says', async () => {
  const single = await openClickHouse(url)
  const unknown = await openClickHouse(url, { cluster: 'elsewhere' })
  atEndOfFile(() => Promise.all([single.close(), unknown.close()]))
  await expect(checkForm(single)).rejects.toThrow(
    'The data is on a cluster of ClickHouse: set CLICKHOUSE_CLUSTER to its name',
  )
  await expect(checkForm(unknown)).rejects.toThrow('CLICKHOUSE_CLUSTER: ClickHouse has no cluster named elsewhere')
  const server = { ...from, system: { ...from.system, cluster: testedCluster.name } }
  const here = {
    ...server,
    one: async () => ({ shards: 1, replicas: 0 }),
    rows: async () => [{ engine: 'MergeTree' }],
  } as unknown as ClickHouse
  await expect(checkForm(here)).rejects.toThrow(/the data is not on a cluster\. Move it with npm run migrate:cluster/)
})
