import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql as postgres } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { testFolder, testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { scrubStores } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const films = await newVolume(platform, 'Films')
await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-01' }, [
  { path: '', entries: [{ path: '/a.mov' }, { path: '/b.mov' }] },
])

test('sound stores are read to their end', async () => {
  const said: string[] = []
  expect(await scrubStores(platform, (words) => said.push(words))).toContain('All data can be read')
  expect(said).toEqual([
    expect.stringMatching(/^Postgres: \d\d tables read$/),
    expect.stringMatching(/^ClickHouse: \d+ parts with \d+ rows read$/),
  ])
})

/** Changes some bytes in the middle of a file. */
function damage(file: string): void {
  const at = Math.floor(statSync(file).size / 2)
  const open = openSync(file, 'r+')
  writeSync(open, Buffer.from('damaged'), 0, 7, at)
  closeSync(open)
}

/** An engine with two parts of entries, of which one is damaged on the disk. */
async function damagedEngine() {
  const folder = testFolder('damaged')
  const first = await startBridge(folder)
  const whole = await openClickHouse(first.url)
  await whole.command(sql`
    CREATE TABLE entries (volume UInt32, generation UInt64, path String) ENGINE = MergeTree
    PARTITION BY (volume, generation) ORDER BY path`)
  for (const volume of [films, 4_000])
    await whole.command(sql`INSERT INTO entries SELECT ${volume}, 1, toString(number) FROM numbers(100_000)`)
  await whole.close()
  await first.kill()
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    new RegExp(`/${films}-1_\\d+_\\d+_\\d+/(data|path)\\.bin$`).test(name),
  )
  damage(join(folder, file ?? 'no file of this part'))
  const second = await startBridge(folder)
  const engine = await openClickHouse(second.url)
  atEndOfFile(() => engine.close())
  return engine
}

test('a damaged part is named with its storage, what was lost and what helps, and others are read', async () => {
  const engine = await damagedEngine()
  const said: string[] = []
  const scrub = scrubStores({ db, clickhouse: engine }, (words) => said.push(words))
  await expect(scrub).rejects.toThrow(/^1 place is damaged:\n- ClickHouse, table entries, part \d+-1_/)
  await expect(scrub).rejects.toThrow(
    'Lost: files and folders of the newest snapshot of Films. Run a full scan of the storage.',
  )
  expect(said.at(-1)).toBe('ClickHouse: 2 parts with 200000 rows read')
})

test('a table of Postgres that cannot be read is named, and the others are read', async () => {
  await postgres`CREATE TABLE rotten (value integer, ratio integer GENERATED ALWAYS AS (1 / value) VIRTUAL)`.execute(db)
  onTestFinished(async () => void (await postgres`DROP TABLE rotten`.execute(db)))
  await postgres`INSERT INTO rotten VALUES (0)`.execute(db)
  const said: string[] = []
  const scrub = scrubStores(platform, (words) => said.push(words))
  await expect(scrub).rejects.toThrow('1 place is damaged:\n- Postgres, table rotten: division by zero')
  expect(said).toHaveLength(2)
})
