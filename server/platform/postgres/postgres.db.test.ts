import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { CannotStart } from '#server/platform/config.ts'
import { inTurn } from '#server/workers/tasks/serverWorker.ts'
import { testPooler } from '#server/platform/testing/pooler.ts'
import { testDatabaseUrl, testDb } from '#server/platform/testing/stores.ts'
import { checkPooler, openConnection, openPostgres } from './postgres.ts'

const db = await testDb()

test('64-bit integers, sums of them, dates and times are read as the tables say', async () => {
  const { rows } = await sql`
    SELECT 9007199254740991::bigint AS large, sum(9007199254740991::bigint) AS summed, NULL::bigint AS none,
      '2026-03-29'::date AS day, '2026-01-01T00:00:00.5Z'::timestamptz AS moment,
      ARRAY[1, 9007199254740991]::bigint[] AS list, '{"snake_case": 1}'::jsonb AS data`.execute(db)
  expect(rows).toEqual([
    {
      large: Number.MAX_SAFE_INTEGER,
      summed: Number.MAX_SAFE_INTEGER,
      none: null,
      day: '2026-03-29',
      moment: new Date('2026-01-01T00:00:00.500Z'),
      list: [1, Number.MAX_SAFE_INTEGER],
      data: { snake_case: 1 },
    },
  ])
})

test('tables and columns in snake case are read and written in camel case', async () => {
  const written = await db
    .insertInto('volumes')
    .values({ name: 'Films', path: '/films', ignoredPaths: ['/tmp'] })
    .returningAll()
    .executeTakeFirstOrThrow()
  expect(written).toMatchObject({ name: 'Films', ignoredPaths: ['/tmp'], crossFileSystems: false, committedScan: null })
})

test('connections that Postgres ends fail their queries, and the next query is answered', async () => {
  await Promise.all(Array.from({ length: 5 }, () => sql`SELECT 1`.execute(db)))
  const interrupted = sql`SELECT pg_sleep(60)`.execute(db)
  await Promise.all([
    expect(interrupted).rejects.toThrow(/terminating connection|Connection terminated/),
    db.connection().execute(async (one) => {
      const others = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`
      const sleeping = sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'`
      await expect.poll(async () => (await sleeping.execute(one)).rows[0]?.n).toBe(1)
      await others.execute(one)
    }),
  ])
  await expect.poll(() => sql`SELECT 1 AS still`.execute(db).then(({ rows }) => rows)).toEqual([{ still: 1 }])
})

test('a connection that Postgres ends while it closes does no harm, and is gone once it is closed', async () => {
  const connection = await openConnection(inject('stores').databaseUrl)
  const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(connection.db)
  const closing = connection.close()
  connection.client.emit('error', new Error('terminating connection due to administrator command'))
  await closing
  const left = await sql`SELECT pid FROM pg_stat_activity WHERE pid = ${rows[0]?.pid}`.execute(db)
  expect(left.rows).toEqual([])
})

function opened(url: string) {
  const other = openPostgres(url)
  onTestFinished(() => other.destroy())
  return other
}

test('opens through a pooler that refuses unknown parameters, with the timeout of statements', async () => {
  const pooled = opened(await testPooler('session'))
  const { rows } = await sql<{ timeout: string }>`SELECT current_setting('statement_timeout') AS timeout`.execute(
    pooled,
  )
  expect(rows).toEqual([{ timeout: '10min' }])
  await checkPooler(pooled)
  await checkPooler(opened(await testDatabaseUrl()))
  const turn = inTurn(pooled, 'a turn', () => inTurn(db, 'a turn', () => Promise.resolve('also here')))
  expect(await turn).toBeUndefined()
  expect(await inTurn(db, 'a turn', () => Promise.resolve('free again'))).toBe('free again')
})

test('refuses a pooler that shares connections between transactions, and says what to change', async () => {
  const shared = opened(await testPooler('transaction'))
  expect((await sql`SELECT 1 AS one`.execute(shared)).rows).toEqual([{ one: 1 }])
  const refused = checkPooler(shared)
  await expect(refused).rejects.toThrow(CannotStart)
  await expect(refused).rejects.toThrow(/DATABASE_URL leads to a connection pooler .* pool_mode = session/)
})
