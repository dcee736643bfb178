import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from './sql.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ClickHouse, openClickHouse } from './index.ts'
import { backends, memory } from './testing.ts'

const endless = sql`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`

describe.each(backends)('$name', ({ address }) => {
  let clickhouse: ClickHouse
  beforeAll(async () => {
    clickhouse = await openClickHouse(await address(testFolder('chdb')), { memory })
  })
  afterAll(() => clickhouse.close())
  const running = async () => {
    const { n } = await clickhouse.one<{ n: number }>(sql`
      SELECT count() AS n FROM system.processes WHERE position(query, 'sipHash64(number) = 1') > 0
      AND position(query, 'system.processes') = 0`)
    return n
  }

  test('an answer goes into a file as the engine writes it, with settings of the question', async () => {
    const path = join(testFolder(`it's a \\ "folder"`), 'answer.csv')
    const question = sql`
      SELECT number, ${'"quoted"'} AS text FROM numbers(200000) ORDER BY number DESC
      SETTINGS output_format_csv_crlf_end_of_line = 1`
    await clickhouse.save(question, 'CSV', path, { heavy: true })
    const lines = readFileSync(path, 'utf8').split('\r\n')
    expect(lines.length).toBe(200_001)
    expect([0, 199_999, 200_000].map((i) => lines[i])).toEqual(['199999,"""quoted"""', '0,"""quoted"""', ''])
    await clickhouse.save(sql`SELECT 1`, 'CSV', path)
    expect(readFileSync(path, 'utf8')).toBe('1\n')
  })

  test('an answer that fails on its way into a file is a failure', async () => {
    const path = join(testFolder('answers'), 'answer.csv')
    const broken = sql`SELECT number, throwIf(number = 3000000, 'broken') FROM numbers(10000000) SETTINGS max_threads = 1`
    await expect(clickhouse.save(broken, 'CSV', path)).rejects.toThrow('broken')
    await expect(clickhouse.save(endless, 'CSV', path, { seconds: 1 })).rejects.toMatchObject({ code: 'tooSlow' })
    await expect(clickhouse.save(sql`SELECT 1`, 'CSV', join(path, 'no', 'folder'))).rejects.toThrow(/folder/)
    const caller = new AbortController()
    const asking = clickhouse.save(endless, 'CSV', path, { signal: caller.signal })
    await expect.poll(running).toBe(1)
    caller.abort(new Error('the browser is gone'))
    await expect(asking).rejects.toThrow('the browser is gone')
    await expect.poll(running).toBe(0)
  })
})
