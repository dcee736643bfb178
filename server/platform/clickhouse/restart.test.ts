import { expect, test } from 'vitest'
import { sql } from './sql.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { openClickHouse } from './index.ts'
import { startBridge } from './testing.ts'

const makeNotes = sql`CREATE TABLE IF NOT EXISTS notes (text String) ENGINE = MergeTree ORDER BY text
  SETTINGS non_replicated_deduplication_window = 100`

test('a disconnected server fails running queries, and is found when it returns', async () => {
  const folder = testFolder('chdb')
  const server = await startBridge(folder)
  const clickhouse = await openClickHouse(server.url)
  await clickhouse.command(makeNotes)
  await clickhouse.insert('notes', ['text'], Buffer.from('kept\n'), '1.1.1')
  await server.kill()
  const refused = { code: expect.stringMatching(/ECONNREFUSED|ECONNRESET/) }
  await expect(clickhouse.rows(sql`SELECT 1`)).rejects.toMatchObject(refused)
  await expect(clickhouse.command(sql`SELECT 1`)).rejects.toMatchObject(refused)
  await expect(clickhouse.insert('notes', ['text'], Buffer.from('lost\n'), '1.1.2')).rejects.toMatchObject(refused)
  await expect(clickhouse.ping()).rejects.toMatchObject(refused)
  await startBridge(folder, server.port)
  await clickhouse.ping()
  await clickhouse.insert('notes', ['text'], Buffer.from('kept\n'), '1.1.1')
  expect(await clickhouse.rows(sql`SELECT text FROM notes`)).toEqual([{ text: 'kept' }])
  await clickhouse.close()
})

test('a killed process loses no finished insert, and what it leaves hinders no start', async () => {
  const folder = testFolder('chdb')
  for (let round = 1; round <= 3; round++) {
    const server = await startBridge(folder)
    const clickhouse = await openClickHouse(server.url)
    await clickhouse.command(makeNotes)
    await clickhouse.insert('notes', ['text'], Buffer.from(`round ${round}\n`), `1.1.${round}`)
    const interrupted = clickhouse.command(sql`INSERT INTO notes SELECT toString(number) FROM numbers(100000000)`)
    await expect
      .poll(() => clickhouse.rows(sql`SELECT 1 FROM system.processes WHERE query LIKE 'INSERT%'`))
      .not.toEqual([])
    await Promise.all([expect(interrupted).rejects.toThrow(/socket hang up|ECONNRESET/), server.kill()])
    await clickhouse.close()
  }
  const clickhouse = await openClickHouse(`chdb:${folder}`)
  const kept = await clickhouse.rows(sql`SELECT text FROM notes WHERE startsWith(text, 'round') ORDER BY text`)
  expect(kept).toEqual([{ text: 'round 1' }, { text: 'round 2' }, { text: 'round 3' }])
  await clickhouse.close()
})

test('a second process on the folder of the embedded engine is refused', async () => {
  const folder = testFolder('chdb')
  await startBridge(folder)
  await expect(openClickHouse(`chdb:${folder}`)).rejects.toThrow('another process uses it')
})
