import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { asUser, testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { expect, test } from 'vitest'
import { testPriceBooks } from './testing.ts'

const { platform, routes, db, ask, path, itIs, cold, add, change, listed, volume, setUp, scanned, costs } =
  await testPriceBooks()

const give = (id: number, priceBook: number) =>
  ask('PUT', `/api/volumeSettings/${id}`, { ...volume, storagePrice: { id: priceBook } }).expect(204)

test('a price book is added, listed with its prices, changed and deleted', async () => {
  itIs('2026-01-01')
  const id = await add({ ...cold, description: ' Cold ' })
  itIs('2026-01-05')
  await change(id, { description: 'Deep', currencySymbol: '$', price: 0.2 })
  await change(id, { description: 'Deep', currencySymbol: '$', price: 0.1 })
  itIs('2026-01-06')
  await change(id, { description: 'Deeper', currencySymbol: '$', price: 0.1 })
  const entered = { changedBy: expect.stringMatching(/^user-/), changedAt: expect.stringMatching(/^2026-01-0\dT/) }
  expect((await ask('GET', path)).body).toEqual({
    elements: [
      {
        id,
        description: 'Deeper',
        currencySymbol: '$',
        price: 0.1,
        classPrices: [],
        history: [
          { since: '2026-01-05', currencySymbol: '$', price: 0.1, classPrices: [], ...entered },
          { since: '2026-01-01', currencySymbol: '€', price: 0.3, classPrices: [], ...entered },
        ],
      },
    ],
    page: 1,
    size: 25,
    total: 1,
    sort: 'id',
    direction: 'asc',
  })
  await ask('DELETE', `${path}/${id}`).expect(204)
  expect(await listed()).toEqual([])
  await ask('DELETE', `${path}/${id}`).expect(404)
  await ask('PUT', `${path}/${id}`, cold).expect(404)
})

test('price books are sorted by what is shown of them, and by nothing else', async () => {
  for (const [description, currencySymbol, price] of [
    ['b', '$', 2],
    ['A', '€', 1],
    ['c', '$', 3],
  ])
    await add({ description, currencySymbol, price })
  const names = async (sort: string) =>
    (await listed(`sort=${sort}`)).map(({ description }: typeof cold) => description).join('')
  expect(await Promise.all(['id', 'description', 'price,desc', 'currencySymbol'].map(names))).toEqual([
    'bAc',
    'Abc',
    'cbA',
    'bcA',
  ])
  await ask('GET', `${path}?sort=deletedAt`).expect(400)
})

test('every wrong field is named', async () => {
  const { body } = await ask('POST', path, { description: ' ', currencySymbol: '', price: -1 }).expect(400)
  expect(body.subErrors).toEqual([
    { field: 'currencySymbol', message: 'must not be blank' },
    { field: 'price', message: 'must be a positive number' },
    { field: 'description', message: 'must not be blank' },
  ])
  const long = { description: 'x'.repeat(256), currencySymbol: '$'.repeat(256), price: null }
  expect((await ask('POST', path, long).expect(400)).body.subErrors).toHaveLength(3)
  expect(await listed()).toEqual([])
})

test('a name is taken in any case, until its price book is deleted', async () => {
  const [id, other] = [await add(), await add({ ...cold, description: 'Other' })]
  const taken = [{ field: 'description', message: 'must be unique' }]
  const wanted = { ...cold, description: 'COLD' }
  expect((await ask('POST', path, wanted).expect(400)).body.subErrors).toEqual(taken)
  expect((await ask('PUT', `${path}/${other}`, wanted).expect(400)).body.subErrors).toEqual(taken)
  await change(id, wanted)
  await ask('DELETE', `${path}/${id}`).expect(204)
  await add(wanted)
})

test('older dates keep the price and the price book that applied; the first ones apply to all before', async () => {
  itIs('2026-01-10')
  const [first, second] = [await add(), await add({ description: 'Warm', currencySymbol: '$', price: 2 })]
  const third = await add({ description: 'Hot', currencySymbol: '$', price: 5 })
  const id = await createFileStorage(db, volume)
  await scanned(id, ...['01', '14', '15', '19', '20', '25', '30'].map((day) => `2026-01-${day}`))
  expect(new Set(await costs(id))).toEqual(new Set([null]))
  itIs('2026-01-12')
  await give(id, second)
  await give(id, first)
  itIs('2026-01-15')
  await change(first, { ...cold, price: 9 })
  await change(first, { ...cold, price: 0.4 })
  itIs('2026-01-20')
  await give(id, second)
  itIs('2026-01-25')
  await give(id, third)
  await ask('DELETE', `${path}/${first}`).expect(204)
  expect(await costs(id)).toEqual(['Cold €0.3', 'Cold €0.3', 'Cold €0.4', 'Cold €0.4', 'Warm $2', 'Hot $5', 'Hot $5'])
})

/** Sets the bytes per storage class in the scan of a day. */
const found = (indexingDate: string, bytes: Record<string, number>) =>
  db
    .updateTable('scans')
    .set({ classBytes: JSON.stringify(bytes) })
    .where('indexingDate', '=', indexingDate)
    .execute()

test('class prices make the average of a storage by its bytes; the plain price applies to all other classes', async () => {
  itIs('2026-01-10')
  const classPrices = [
    { storageClass: 'glacier', price: 1 },
    { storageClass: 'DEEP_ARCHIVE', price: 0.5 },
  ]
  const book = await add({ ...cold, price: 4, classPrices })
  const id = await setUp(book)
  await scanned(id, '2026-01-10', '2026-01-11', '2026-01-12', '2026-01-13', '2026-01-14')
  await found('2026-01-10', { GLACIER: 3e9, STANDARD: 1e9, '': 0 })
  await found('2026-01-11', { GLACIER: 7 })
  await found('2026-01-12', { STANDARD: 7, '': 5 })
  await found('2026-01-14', { GLACIER: 3, STANDARD: 1 })
  itIs('2026-01-14')
  await change(book, { ...cold, price: 4, classPrices: [{ storageClass: 'STANDARD', price: 8 }] })
  expect(await costs(id)).toEqual(['Cold €1.75', 'Cold €1', 'Cold €4', 'Cold €4', 'Cold €5'])
  const at = async (day: string) =>
    (await ask('GET', `/api/v1/volumes?indexingDate=${day}`).expect(200)).body.elements[0].storagePrice.classes
  expect(await at('2026-01-10')).toEqual([
    { storageClass: 'GLACIER', price: 1, sizeOfFiles: 3e9 },
    { storageClass: 'STANDARD', price: 4, sizeOfFiles: 1e9 },
  ])
  expect(await at('2026-01-11')).toEqual([])
  expect((await listed())[0].history).toMatchObject([
    { since: '2026-01-14', price: 4, classPrices: [{ storageClass: 'STANDARD', price: 8 }] },
    { since: '2026-01-10', price: 4, classPrices },
  ])
})

test('a class is named once, with a price that is one', async () => {
  const refused = async (...classPrices: object[]) =>
    (await ask('POST', path, { ...cold, classPrices }).expect(400)).body.subErrors
  const glacier = { storageClass: 'GLACIER', price: 1 }
  expect(await refused(glacier, { storageClass: ' Glacier', price: 2 })).toEqual([
    { field: 'classPrices.1.storageClass', message: 'must be unique' },
  ])
  expect(await refused({ storageClass: ' ', price: -1 })).toEqual([
    { field: 'classPrices.0.storageClass', message: 'must not be blank' },
    { field: 'classPrices.0.price', message: 'must be a positive number' },
  ])
  const many = Array.from({ length: 31 }, (_, i) => ({ storageClass: `C${i}`, price: 1 }))
  expect(await refused(...many)).toEqual([{ field: 'classPrices', message: 'must be at most 30' }])
})

test('a file storage needs a price book that exists, shows it, and is sorted by it', async () => {
  const id = await add()
  const gone = await add({ ...cold, description: 'Gone' })
  await ask('DELETE', `${path}/${gone}`).expect(204)
  for (const unknown of [gone, 77]) {
    const { body } = await ask('POST', '/api/volumeSettings', { ...volume, storagePrice: { id: unknown } }).expect(400)
    expect(body.subErrors).toEqual([{ field: 'storagePrice.id', message: 'must be a price book that exists' }])
  }
  const { body } = await ask('POST', '/api/volumeSettings', volume).expect(400)
  expect(body.subErrors).toEqual([{ field: 'storagePrice', message: "can't be empty" }])
  await createFileStorage(db, { name: 'A', path: '/a' })
  await setUp(id)
  const settings = await ask('GET', '/api/volumeSettings?sort=storagePrice.description,desc').expect(200)
  expect(settings.body.elements).toMatchObject([
    { name: 'Films', storagePrice: { id, description: 'Cold' } },
    { name: 'A', storagePrice: null },
  ])
  expect((await ask('GET', '/api/volumeSettings')).body.total).toBe(2)
})

test('a price book that storages use cannot be deleted', async () => {
  const id = await add()
  const volumes = [await setUp(id), await setUp(id, { name: 'Archive', path: '/a' })]
  const { body } = await ask('DELETE', `${path}/${id}`).expect(409)
  expect(body.message).toBe('Price book Cold is used by Archive and Films. Assign another price book to each first.')
  for (const volumeId of volumes) await ask('DELETE', `/api/volumeSettings/${volumeId}`).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(204)
})

test('each change is in the event log with its user, and sent to followers', async () => {
  const heard = platform.nats.connection.subscribe(subjects.live, { max: 1 })
  const id = await add()
  await change(id, { ...cold, price: 1 })
  await ask('DELETE', `${path}/${id}`).expect(204)
  const rows = await db.selectFrom('events').selectAll().orderBy('version').execute()
  expect(rows.map(({ stream, type }) => [stream, type])).toEqual(
    ['Created', 'Changed', 'Removed'].map((type) => [`storage-price-${id}`, type]),
  )
  expect(rows[1]).toMatchObject({ actor: expect.stringMatching(/^user-/), data: { before: cold, after: { price: 1 } } })
  for await (const message of heard)
    expect(message.json()).toMatchObject({ topics: ['priceBooks', 'sources', 'volumes'] })
})

test('those who may not change settings see no price books', async () => {
  const other = asUser(createApp(platform, routes), await testSession(db, []))
  const answers = await Promise.all([other('GET', path), other('POST', path, cold)])
  expect(answers.map(({ status }) => status)).toEqual([403, 403])
})
