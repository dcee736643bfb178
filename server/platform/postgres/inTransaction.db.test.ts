import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { inTransaction } from './inTransaction.ts'

const db = await testDb()

test('of two transactions that wait for each other both are done', async () => {
  await sql`CREATE TABLE counters (id integer PRIMARY KEY, counted integer NOT NULL)`.execute(db)
  await sql`INSERT INTO counters VALUES (1, 0), (2, 0)`.execute(db)
  let attempts = 0
  let both = (): void => {}
  const bothHaveOne = new Promise<void>((resolve) => (both = resolve))
  const count = (first: number, second: number) =>
    inTransaction(db, async (trx) => {
      attempts += 1
      await sql`UPDATE counters SET counted = counted + 1 WHERE id = ${first}`.execute(trx)
      if (attempts >= 2) both()
      await bothHaveOne
      await sql`UPDATE counters SET counted = counted + 1 WHERE id = ${second}`.execute(trx)
    })
  await Promise.all([count(1, 2), count(2, 1)])
  const { rows } = await sql`SELECT counted FROM counters`.execute(db)
  expect(rows).toEqual([{ counted: 2 }, { counted: 2 }])
  // Postgres may end both.
  expect([3, 4]).toContain(attempts)
})

test('other failures end it at once', async () => {
  let attempts = 0
  const failing = inTransaction(db, async (trx) => {
    attempts += 1
    await sql`SELECT 1 / 0`.execute(trx)
  })
  await expect(failing).rejects.toThrow('division by zero')
  expect(attempts).toBe(1)
})
