import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ClickHouse, openClickHouse } from './index.ts'
import { sql } from './sql.ts'
import { backends, memory } from './testing.ts'

const columns = [
  ['text', 'String'],
  ['number', 'Int64'],
] as const

/** A block of one row for each number, in two pieces. */
function blockOf(numbers: number[]) {
  const word = (text: string) => Buffer.from([text.length, ...Buffer.from(text)])
  const values = Buffer.from(new BigInt64Array(numbers.map(BigInt)).buffer)
  const head = Buffer.concat([Buffer.from([2, numbers.length]), word('text'), word('String')])
  const rest = [...numbers.map((number) => word(`'${number}\n\0`)), word('number'), word('Int64'), values]
  return { columns, pieces: [head, Buffer.concat(rest)] }
}

describe.each(backends)('$name', ({ address }) => {
  let clickhouse: ClickHouse
  const folder = testFolder(`it's a "folder"`)
  beforeAll(async () => {
    mkdirSync(join(folder, 'blocks'), { recursive: true })
    writeFileSync(join(folder, 'blocks', 'left'), 'of a process that was killed')
    clickhouse = await openClickHouse(await address(folder), { memory })
    await clickhouse.command(sql`
      CREATE TABLE notes (text String, number Int64, CONSTRAINT small CHECK number < 100) ENGINE = MergeTree ORDER BY number
      SETTINGS non_replicated_deduplication_window = 100`)
  })
  afterAll(() => clickhouse.close())
  const clear = () => clickhouse.command(sql`TRUNCATE TABLE notes`)
  const insert = (numbers: number[], token: string) =>
    clickhouse.insertBlock({ table: 'notes', block: blockOf(numbers), token })
  const rows = () => clickhouse.rows(sql`SELECT text, number FROM notes ORDER BY number`)
  const row = (number: number) => ({ text: `'${number}\n\0`, number })

  test('a block of one token is taken once, also on several connections, and no file of it is left', async () => {
    await clear()
    await Promise.all(Array.from({ length: 6 }, () => insert([1, 2], '1.1.1')))
    await insert([3], '1.1.2')
    expect(await rows()).toEqual([row(1), row(2), row(3)])
    expect(readdirSync(join(folder, 'blocks'))).toEqual([])
  })

  test('a block with a row that breaks a rule of the table leaves nothing, and its token stays free', async () => {
    await clear()
    await expect(insert([1, 100], '2.1.1')).rejects.toMatchObject({ type: 'VIOLATED_CONSTRAINT' })
    expect(await rows()).toEqual([])
    await insert([1], '2.1.1')
    expect(await rows()).toEqual([row(1)])
    expect(readdirSync(join(folder, 'blocks'))).toEqual([])
  })

  test('a token that is none is refused', async () => {
    await expect(insert([1], "x', max_threads = '1")).rejects.toThrow('token')
  })
})

test('an engine whose folder reads as a pattern of several takes blocks, too', async () => {
  const clickhouse = await openClickHouse(`chdb:${testFolder('{1,2} *?')}`, { memory })
  await clickhouse.command(sql`CREATE TABLE notes (text String, number Int64) ENGINE = MergeTree ORDER BY number`)
  await clickhouse.insertBlock({ table: 'notes', block: blockOf([7]), token: '1.1.1' })
  expect(await clickhouse.rows(sql`SELECT number FROM notes`)).toEqual([{ number: 7 }])
  await clickhouse.close()
})
