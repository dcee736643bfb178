import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testPriceBooks } from './testing.ts'

const { db, ask, path, itIs, cold, add, change, listed, volume, setUp, scanned, costs } = await testPriceBooks()

/** Days and prices of a price book, oldest first. */
const prices = async () =>
  (await listed())[0].history.map(({ since, price }: { since: string; price: number }) => [since, price]).toReversed()

test('a price found wrong later is corrected from its day on, and one of next month is entered ahead', async () => {
  itIs('2026-01-10')
  const book = await add({ ...cold, price: 120 })
  const id = await setUp(book)
  await scanned(id, ...['05', '10', '13'].map((day) => `2026-01-${day}`), '2026-02-01')
  itIs('2026-01-13')
  await change(book, { ...cold, price: 12, since: '2026-01-10' })
  expect(await costs(id)).toEqual(Array(4).fill('Cold €12'))
  await change(book, { ...cold, price: 15, since: '2026-02-01' })
  expect(await costs(id)).toEqual([...Array(3).fill('Cold €12'), 'Cold €15'])
  expect(await listed()).toMatchObject([{ price: 12 }])
  const { body } = await ask('GET', '/api/volumeSettings').expect(200)
  expect(body.elements).toMatchObject([{ storagePrice: { price: 12 } }])
  expect(await prices()).toEqual([
    ['2026-01-10', 12],
    ['2026-02-01', 15],
  ])
  itIs('2026-02-01')
  expect(await listed()).toMatchObject([{ price: 15 }])
})

test('a price from a day before the first one ends that on the day before, and leaves later ones', async () => {
  itIs('2026-01-10')
  const book = await add({ ...cold, price: 120 })
  itIs('2026-01-20')
  await change(book, { ...cold, price: 30 })
  await change(book, { ...cold, price: 12, since: '2026-01-05' })
  expect(await prices()).toEqual([
    ['2026-01-04', 120],
    ['2026-01-05', 12],
    ['2026-01-20', 30],
  ])
  const other = await add({ ...cold, description: 'Next', price: 2, since: '2026-02-01' })
  await change(other, { ...cold, description: 'Next', price: 1, since: '2026-01-20' })
  expect((await listed('sort=id,desc'))[0]).toMatchObject({
    price: 1,
    history: [
      { since: '2026-02-01', price: 2 },
      { since: '2026-01-20', price: 1 },
    ],
  })
})

test('the day of a price is refused in a closed month, with the first open day, and if it is invalid', async () => {
  itIs('2026-03-10')
  const book = await add()
  const close = (projectId: number, month: string, deletedOn: string | null) =>
    db.insertInto('projectStatements').values({ projectId, month, name: 'Ana', deletedOn, statement: '{}' }).execute()
  await close(1, '2026-01', null)
  await close(2, '2026-02', '2026-02-15')
  const refused = async (since: unknown) =>
    (await ask('PUT', `${path}/${book}`, { ...cold, price: 9, since }).expect(400)).body.subErrors
  expect(await refused('2026-01-31')).toEqual([
    { field: 'since', message: 'must be 2026-02-01 or later: statements of earlier months are closed' },
  ])
  for (const since of ['2026-02-30', '0000-01-01', 'x', 5])
    expect(await refused(since)).toMatchObject([{ field: 'since', message: 'must be a day, yyyy-MM-dd' }])
  await change(book, { ...cold, price: 9, since: '2026-02-01' })
  await change(book, { ...cold, price: 8, since: null })
  expect(await prices()).toEqual([
    ['2026-01-31', 0.3],
    ['2026-02-01', 9],
    ['2026-03-10', 8],
  ])
})

test('a price book given to a storage by mistake is replaced from an earlier day on', async () => {
  itIs('2026-01-10')
  const [wrong, right] = [await add({ ...cold, price: 100 }), await add({ ...cold, description: 'Warm', price: 1 })]
  const id = await setUp(wrong)
  await scanned(id, ...['05', '10', '15', '20'].map((day) => `2026-01-${day}`))
  itIs('2026-01-18')
  const give = (storagePrice: object) => ask('PUT', `/api/volumeSettings/${id}`, { ...volume, storagePrice })
  await give({ id: right, since: '2026-01-15' }).expect(204)
  expect(await costs(id)).toEqual(['Cold €100', 'Cold €100', 'Warm €1', 'Warm €1'])
  await give({ id: right, since: '2026-01-08' }).expect(204)
  expect(await costs(id)).toEqual(['Cold €100', 'Warm €1', 'Warm €1', 'Warm €1'])
  await give({ id: right }).expect(204)
  expect(await costs(id)).toEqual(['Cold €100', 'Warm €1', 'Warm €1', 'Warm €1'])
  const { body } = await give({ id: wrong, since: '2026-01-19' }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'storagePrice.since', message: 'must be today or earlier' }])
})

test('prices of earlier versions have the users who entered them, by the event log', async () => {
  const book = await add()
  await change(book, { ...cold, price: 1 })
  const [{ history }] = await listed()
  await sql`ALTER TABLE storage_price_changes DROP COLUMN changed_by, DROP COLUMN changed_at`.execute(db)
  await sql.raw(readFileSync('migrations/postgres/0083_price_authors.sql', 'utf8')).execute(db)
  const [{ history: after }] = await listed()
  expect(after).toMatchObject([{ price: 1, changedBy: history[0].changedBy }])
  expect(history[0].changedBy).toMatch(/^user-/)
})
