import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, typed } from './sql.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ClickHouse, openClickHouse, type QueryOptions } from './index.ts'
import { niceness } from './embedded.ts'
import { forCaller } from './forCaller.ts'
import { backends, memory } from './testing.ts'

/** Never ends on its own; the engine can't know the result in advance. */
const endless = sql`SELECT count() AS n FROM numbers(1000000000000) WHERE sipHash64(number) = 1`
/** Collects unreferenced objects and their timers. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
const rowsOf = (text: string) => Buffer.from(text)

describe.each(backends)('$name', ({ address }) => {
  let url: string
  let clickhouse: ClickHouse
  beforeAll(async () => {
    url = await address(testFolder('chdb'))
    clickhouse = await openClickHouse(url, { memory })
    await clickhouse.command(sql`
      CREATE TABLE notes (text String, number Int64) ENGINE = MergeTree ORDER BY number
      SETTINGS non_replicated_deduplication_window = 100`)
  })
  afterAll(() => clickhouse.close())

  const clear = () => clickhouse.command(sql`TRUNCATE TABLE notes`)
  const insert = (text: string, token: string) => clickhouse.insert('notes', ['text', 'number'], rowsOf(text), token)
  const count = async () => (await clickhouse.one<{ n: number }>(sql`SELECT count() AS n FROM notes`)).n
  // A killed statement is listed until the engine releases its connection.
  const running = async () => {
    const { n } = await clickhouse.one<{ n: number }>(sql`
      SELECT count() AS n FROM system.processes WHERE position(query, 'sipHash64(number) = 1') > 0
      AND position(query, 'system.processes') = 0 AND NOT is_cancelled`)
    return n
  }

  test('values reach the engine as they are, of every kind, at any number at once', async () => {
    const odd = `it's \\ "quoted" \t tab \n line \r; DROP TABLE notes; {p0:String} — ünïcödé 🎬 \0`
    const options = Array.from({ length: 40 }, (_, i) => ({ text: odd + i, number: i, list: [`'${i}`, odd] }))
    const answers = await Promise.all(
      options.map(({ text, number, list }) =>
        clickhouse.one(sql`SELECT ${text} AS text, ${number} AS number, ${typed(list, 'Array(String)')} AS list`),
      ),
    )
    expect(answers).toEqual(options)
  })

  test('a small set of a question prunes what is read; a large one is not sorted for that', async () => {
    await clickhouse.command(sql`
      CREATE TABLE hashes (hash UInt64) ENGINE = MergeTree ORDER BY hash AS SELECT cityHash64(number) FROM numbers(50000)`)
    const conditionFor = async (values: number) => {
      const plan = await clickhouse.rows<{ explain: string }>(sql`
        EXPLAIN indexes = 1
        SELECT count() FROM hashes WHERE hash IN (SELECT cityHash64(number) FROM numbers(${values}))`)
      return plan.map(({ explain }) => explain.trim()).find((line) => line.startsWith('Condition:'))
    }
    expect(await conditionFor(10_000)).toBe('Condition: (hash in 10000-element set)')
    expect(await conditionFor(10_001)).toBe('Condition: true')
  })

  test('a question may bring settings of its own', async () => {
    expect(await clickhouse.one(sql`SELECT getSetting('max_threads') AS threads SETTINGS max_threads = 1`)).toEqual({
      threads: 1,
    })
    expect(await clickhouse.one(sql`SELECT getSetting('max_threads') > 1 AS own FROM numbers(1)`)).toEqual({ own: 1 })
  })

  test('a question with a limit tells how many rows there are without it', async () => {
    const numbers = sql`SELECT number FROM numbers_mt(3000000) WHERE number % 3 = 0 ORDER BY number DESC`
    expect(await clickhouse.limited(sql`${numbers} LIMIT 1 OFFSET 1`)).toEqual({
      rows: [{ number: 2999994 }],
      total: 1_000_000,
    })
    expect(await clickhouse.limited(sql`${numbers} LIMIT 1 OFFSET 1000000`)).toEqual({ rows: [], total: 1_000_000 })
  })

  test('the first rows of a question that failed do not answer the next one', async () => {
    for (let i = 0; i < 3; i++) {
      const failing = clickhouse.rows(sql`
        SELECT number, throwIf(number = 3000000, 'broken') FROM numbers(10000000) SETTINGS max_threads = 1`)
      await expect(failing).rejects.toThrow('broken')
    }
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => clickhouse.rows(sql`SELECT ${i} AS number`)))
    expect(answers).toEqual(Array.from({ length: 16 }, (_, i) => [{ number: i }]))
  })

  test('rows of one token are taken once, and the token is forgotten by the next insert', async () => {
    await clear()
    await insert('a\t1\n', '1.1.1')
    await insert('a\t1\n', '1.1.1')
    expect(await count()).toBe(1)
    await insert('b\t2\n', '1.1.2')
    for (let i = 0; i < 3; i++) await clickhouse.command(sql`INSERT INTO notes SELECT 'c', number FROM numbers(1)`)
    expect(await count()).toBe(5)
  })

  test('rows of one token that arrive on several connections at once are taken once', async () => {
    await clear()
    const text = Array.from({ length: 20_000 }, (_, i) => `row ${i}\t${i}\n`).join('')
    await Promise.all(Array.from({ length: 8 }, () => insert(text, '2.1.1')))
    expect(await count()).toBe(20_000)
  })

  test('rows that the engine refuses leave nothing, and their token stays free', async () => {
    await clear()
    await expect(insert('good\t1\nbad\tnot a number\n', '3.1.1')).rejects.toThrow('Cannot parse')
    expect(await count()).toBe(0)
    await insert('good\t1\n', '3.1.1')
    expect(await count()).toBe(1)
  })

  test('an empty line, a missing end and bytes that are not text are refused before they do harm', async () => {
    await clear()
    await expect(insert('a\t1\n\nDROP TABLE notes;\n', '4.1.1')).rejects.toThrow('empty line')
    await expect(insert('\na\t1\n', '4.1.2')).rejects.toThrow('empty line')
    await expect(insert('a\t1\nb\t2', '4.1.3')).rejects.toThrow('newline')
    await expect(insert('a\t1\0b\t2\n', '4.1.5')).rejects.toThrow('NUL')
    const broken = Buffer.concat([Buffer.from([0xc3, 0x28]), rowsOf('\t1\n')])
    await expect(clickhouse.insert('notes', ['text', 'number'], broken, '4.1.4')).rejects.toThrow('UTF-8')
    await expect(insert("a'\t1\n", "x', max_threads = '1")).rejects.toThrow('token')
    expect(await count()).toBe(0)
  })

  test('names full of SQL and characters of several bytes arrive as they were, however large the batch', async () => {
    await clear()
    const name = (i: number) => `é🎬${'ü'.repeat(i % 7)}'; DROP TABLE notes; -- ${i}`
    const text = Array.from({ length: 60_000 }, (_, i) => `${name(i)}\t${i}\n`).join('')
    await insert(text, '5.1.1')
    const arrived = await clickhouse.rows<{ text: string; number: number }>(sql`SELECT * FROM notes ORDER BY number`)
    expect(arrived.length).toBe(60_000)
    expect(arrived.every(({ text, number }) => text === name(number))).toBe(true)
  })

  test('numbers are exact to 2^53; larger ones only as text', async () => {
    const exact = Number.MAX_SAFE_INTEGER
    const answer = await clickhouse.one<{ exact: number; rounded: number; text: string }>(sql`
      SELECT ${exact} AS exact, toUInt64('18446744073709551615') AS rounded, hex(toUInt64('18446744073709551614')) AS text`)
    expect(answer).toEqual({ exact, rounded: 2 ** 64, text: 'FFFFFFFFFFFFFFFE' })
  })

  test('times cross as seconds, also those that a date of the engine cannot hold', async () => {
    await clear()
    const seconds = [-1, 0, 1, 999_999_999, 4_294_967_296, 253_402_300_800]
    await insert(seconds.map((second) => `t\t${second}\n`).join(''), '6.1.1')
    const arrived = await clickhouse.rows<{ number: number }>(sql`SELECT number FROM notes ORDER BY number`)
    expect(arrived.map(({ number }) => number)).toEqual(seconds)
  })

  test('a question that takes too long ends with a reason', async () => {
    await expect(clickhouse.rows(endless, { seconds: 1 })).rejects.toMatchObject({ status: 503, code: 'tooSlow' })
    expect(await running()).toBe(0)
  })

  test('a query that needs too much memory ends with a reason, and the engine continues', async () => {
    const greedy = sql`SELECT length(groupArray(repeat('x', 1000))) AS n FROM numbers(100000000)`
    await expect(clickhouse.rows(greedy)).rejects.toMatchObject({ status: 503, code: 'tooLarge' })
    expect(await clickhouse.one(sql`SELECT 1 AS still`)).toEqual({ still: 1 })
  })

  test('a question that is called off ends at once, and the engine stops working on it', async () => {
    const caller = new AbortController()
    const asking = clickhouse.rows(endless, { signal: caller.signal })
    await expect.poll(running).toBe(1)
    caller.abort(new Error('the browser is gone'))
    await expect(asking).rejects.toThrow('the browser is gone')
    await expect.poll(running).toBe(0)
    await expect(clickhouse.rows(endless, { signal: caller.signal })).rejects.toThrow('the browser is gone')
  })

  test('a query for a caller ends with a reason if it takes too long, also while it waits', async () => {
    const others = new AbortController()
    const heavy = { heavy: true }
    const asking = [1, 2, 3].map(() => clickhouse.rows(endless, { ...heavy, signal: others.signal }))
    const { signal } = new AbortController()
    const tooSlow = { status: 503, code: 'tooSlow' }
    const waiting = forCaller({ signal }, clickhouse, 300).rows(sql`SELECT 1`, heavy)
    collectGarbage()
    await expect(waiting).rejects.toMatchObject(tooSlow)
    await expect(forCaller({ signal }, clickhouse, 300).rows(endless)).rejects.toMatchObject(tooSlow)
    await expect.poll(running).toBe(3)
    others.abort()
    await Promise.allSettled(asking)
    await expect.poll(running).toBe(0)
  })

  test('heavy questions wait for each other, three at a time, and nothing else waits for them', async () => {
    const callers = Array.from({ length: 5 }, () => new AbortController())
    const heavy = callers.map(({ signal }, i) =>
      clickhouse.rows(sql`${endless} AND ${i} >= 0`, { heavy: true, signal }).catch(() => 'called off'),
    )
    await expect.poll(running).toBe(3)
    await insert('beside\t1\n', '7.1.1')
    await clickhouse.ping()
    expect(await clickhouse.one(sql`SELECT ${'beside'} AS answer`)).toEqual({ answer: 'beside' })
    expect(await running()).toBe(3)
    callers[4]?.abort()
    callers[0]?.abort()
    await Promise.all([heavy[0], heavy[4]])
    await expect.poll(running).toBe(3)
    for (const caller of callers) caller.abort()
    await Promise.all(heavy)
    await expect.poll(running).toBe(0)
  })

  test('files are written three at a time, and neither heavy questions nor any others wait for them', async () => {
    const others = new AbortController()
    const options = { background: true, signal: others.signal }
    const writing = Array.from({ length: 5 }, () => clickhouse.rows(endless, options).catch(() => 'called off'))
    await expect.poll(running).toBe(3)
    const heavy = Array.from({ length: 3 }, (_, i) => clickhouse.one(sql`SELECT ${i} AS answer`, { heavy: true }))
    expect(await Promise.all(heavy)).toEqual([{ answer: 0 }, { answer: 1 }, { answer: 2 }])
    expect(await clickhouse.one(sql`SELECT 1 AS answer`)).toEqual({ answer: 1 })
    expect(await running()).toBe(3)
    others.abort()
    await Promise.all(writing)
    await expect.poll(running).toBe(0)
  })

  test('heavy questions and all that is written yield the processor, where the engine is of this process', async () => {
    const expected = url.startsWith('chdb:') ? niceness() : 0
    const nice = sql`toInt64(getSetting('os_thread_priority'))`
    const asked = (options: QueryOptions) => clickhouse.one(sql`SELECT ${nice} AS nice`, options)
    for (const weight of ['heavy', 'background']) expect(await asked({ [weight]: true })).toEqual({ nice: expected })
    expect(await asked({})).toEqual({ nice: 0 })
    await clickhouse.command(
      sql`CREATE TABLE written (by String, nice Int64 DEFAULT ${nice}) ENGINE = MergeTree ORDER BY by`,
    )
    await clickhouse.insert('written', ['by'], rowsOf('insert\n'), 'written')
    await clickhouse.command(sql`INSERT INTO written (by) SELECT 'command'`)
    await clickhouse.change(sql`INSERT INTO written (by) SELECT 'change'`)
    expect(await clickhouse.rows(sql`SELECT by, nice FROM written ORDER BY by`)).toEqual(
      ['change', 'command', 'insert'].map((by) => ({ by, nice: expected })),
    )
  })

  test('heavy queries with one condition run one after another, and others continue next to them', async () => {
    const callers = Array.from({ length: 3 }, () => new AbortController())
    const conditions = ['same', 'same', 'other'].map((word) => sql`${word} = 'same'`)
    const heavy = callers.map(({ signal }, i) =>
      clickhouse
        .rows(endless, { heavy: true, condition: conditions[i] ?? sql`1`, signal })
        .catch(({ message }: Error) => message),
    )
    await expect.poll(running).toBe(2)
    callers[2]?.abort(new Error('called off'))
    expect(await heavy[2]).toBe('called off')
    await expect.poll(running).toBe(1)
    callers[0]?.abort(new Error('called off'))
    expect(await heavy[0]).toBe('called off')
    await expect.poll(running).toBe(1)
    callers[1]?.abort(new Error('called off'))
    expect(await heavy[1]).toBe('called off')
    await expect.poll(running).toBe(0)
  })

  test('closing ends running queries and refuses new ones', async () => {
    const other = await openClickHouse(url)
    const heavy = { heavy: true, condition: sql`1` }
    const options = [other.rows(endless), other.rows(endless, heavy), other.rows(endless, heavy)].map((asking) =>
      expect(asking).rejects.toThrow('ClickHouse is closed'),
    )
    await other.close()
    await Promise.all(options)
    await expect(other.rows(sql`SELECT 1`)).rejects.toThrow('ClickHouse is closed')
    await expect(other.command(sql`SELECT 1`)).rejects.toThrow('ClickHouse is closed')
  })
})
