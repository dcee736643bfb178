import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Statement, StatementTotals } from '#events/projects/statements.ts'
import { createApp } from '#server/app.ts'
import { sendDue } from '#server/messages/notifications/sendDue.ts'
import { useMailServer } from '#server/messages/notifications/testing.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { closeMonths } from './closeMonths.ts'
import { monthsBetween } from './countMonth.ts'
import { addPrice, createRushes, itIs, newBook } from './testing.ts'

const sent: unknown[] = []
const platform = { ...(await testPlatform()), live: (event: unknown) => void sent.push(event) }
const { db } = platform
const app = createApp(platform, projectRoutes(platform))
const manager = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
const reader = asUser(app, await testSession(db, []))
const gib = 2 ** 30

let films = 0
let id = 0
let book = 0
beforeEach(async () => {
  ;({ films, book, id } = await createRushes(db, manager))
  sent.length = 0
})
afterEach(() => void vi.useRealTimers())

const price = (since: string, of: number, storagePriceId = book, currencySymbol = '€') =>
  addPrice(db, { storagePriceId, since, price: of, currencySymbol })

const list = async (): Promise<StatementTotals[]> =>
  (await reader('GET', `/api/v1/projects/${id}/statements`).expect(200)).body
const find = async (month: string): Promise<Statement> =>
  (await reader('GET', `/api/v1/projects/${id}/statements/${month}`).expect(200)).body
const closedMonths = async () => (await list()).flatMap(({ month, closedAt }) => (closedAt ? [month] : []))

test('two months checked by hand: the average of the daily bytes, each day at its own price', async () => {
  itIs('2026-03-01')
  // (10 × 31 + 21 × 62) / 31 = 52 GiB; (10 × 31 × 12 + 10 × 62 × 12 + 11 × 62 × 24) / 12 / 31 = 74.
  const january = await find('2026-01')
  expect(january).toMatchObject({
    month: '2026-01',
    lastDay: '2026-01-31',
    daysWithoutData: 0,
    averageBytes: 52 * gib,
    closedAt: null,
    isComplete: true,
  })
  expect(january.lines).toEqual([
    {
      volumeId: films,
      volumeName: '=Films',
      storageClass: null,
      averageBytes: 52 * gib,
      currencySymbol: '€',
      cost: expect.closeTo(74, 9),
    },
  ])
  // 14 × 62 / 28 = 31 GiB; 14 × 62 × 24 / 12 / 28 = 62.
  const february = await find('2026-02')
  expect(february).toMatchObject({
    averageBytes: 31 * gib,
    costs: [{ currencySymbol: '€', cost: expect.closeTo(62, 9) }],
  })
  expect((await list()).map(({ month, averageBytes }) => [month, averageBytes / gib])).toEqual([
    ['2026-03', 0],
    ['2026-02', 31],
    ['2026-01', 52],
  ])
})

test('a current month counts its days so far, and the first month of a project the days since its creation', async () => {
  itIs('2026-01-20')
  // (10 × 31 + 10 × 62) / 20 = 46.5 GiB; (10 × 31 × 12 + 10 × 62 × 12) / 12 / 31 = 30.
  expect(await list()).toEqual([
    {
      month: '2026-01',
      lastDay: '2026-01-20',
      daysWithoutData: 0,
      averageBytes: 46.5 * gib,
      costs: [{ currencySymbol: '€', cost: expect.closeTo(30, 9) }],
      closedAt: null,
      isComplete: true,
    },
  ])
  // 10 × 62 / 31 = 20 GiB; 10 × 62 × 24 / 12 / 31 = 40.
  itIs('2026-02-01')
  await db.updateTable('projects').set({ madeOn: '2026-01-22' }).execute()
  expect(await find('2026-01')).toMatchObject({
    daysWithoutData: 21,
    averageBytes: 20 * gib,
    costs: [{ currencySymbol: '€', cost: expect.closeTo(40, 9) }],
  })
})

test('storages are separate, and so are currencies; without a price there is no cost', async () => {
  const sound = await createFileStorage(db, { name: 'Sound', path: '/sound' })
  const dollars = await newBook(db, '$')
  await price('2026-02-01', 12, dollars, '$')
  await db
    .insertInto('volumePriceChanges')
    .values({ volumeId: films, since: '2026-02-08', storagePriceId: dollars })
    .execute()
  await countFolders(db, sound, '2026-02-01', { '/': 28 * gib })
  await countFolders(db, films, '2026-02-02', { '/a': 62 * gib, '/a/b': 0 })
  const paths = [...['/a', '/a/b'].map((path) => ({ volumeId: films, path })), { volumeId: sound, path: '/' }]
  await manager('PUT', '/api/projects', { id, name: 'Rushes', allocatedSize: 1, paths }).expect(200)
  itIs('2026-03-01')
  // Days 2 to 7 at €24 and 8 to 14 at $12; on day 1 the date shows only Sound, which no later date does.
  const { lines, costs } = await find('2026-02')
  expect(lines).toEqual([
    {
      volumeId: films,
      volumeName: '=Films',
      storageClass: null,
      averageBytes: expect.closeTo((7 * 62 * gib) / 28),
      currencySymbol: '$',
      cost: expect.closeTo((7 * 62) / 28, 9),
    },
    {
      volumeId: films,
      volumeName: '=Films',
      storageClass: null,
      averageBytes: expect.closeTo((6 * 62 * gib) / 28),
      currencySymbol: '€',
      cost: expect.closeTo((6 * 62 * 24) / 12 / 28, 9),
    },
    { volumeId: sound, volumeName: 'Sound', storageClass: null, averageBytes: gib, currencySymbol: null, cost: null },
  ])
  expect(costs.map(({ currencySymbol }) => currencySymbol)).toEqual(['$', '€'])
})

test('a month is closed once it is over: it stays unchanged, is in the log, and is mailed', async () => {
  const addresses = ['ana@example.com', 'ben@example.com']
  await manager('PUT', `/api/v1/projects/${id}/statement-recipients`, {
    addresses: [...addresses, addresses[0]],
  }).expect(204)
  expect((await manager('GET', `/api/v1/projects/${id}/statement-recipients`).expect(200)).body).toEqual({ addresses })
  await closeMonths(platform, '2026-01-31')
  itIs('2026-02-01')
  expect(await closedMonths()).toEqual([])
  sent.length = 0
  await Promise.all([1, 2].map(() => closeMonths(platform, '2026-02-01')))
  expect(await closedMonths()).toEqual(['2026-01'])
  expect(sent).toEqual([{ type: 'changed', topics: ['projects'] }])
  const closed = await find('2026-01')
  const events = db.selectFrom('events').select(['data', 'actor']).where('type', '=', 'StatementClosed')
  expect(await events.where('stream', '=', `project-${id}`).execute()).toEqual([
    { actor: 'system', data: expect.objectContaining({ name: 'Rushes', statement: closed }) },
  ])
  const mails = await db
    .selectFrom('deliveries')
    .select(['address', 'userId', 'subject', 'body'])
    .orderBy('id')
    .execute()
  expect(mails.map(({ address }) => address)).toEqual(addresses)
  expect(mails[0]).toMatchObject({
    userId: null,
    subject: 'Rushes: statement for January 2026',
    body:
      'The project Rushes in January 2026. Charged: January 1–31.\n\n- =Films: 52.0 GiB average, €74.00\n\nTotal: 52.0 GiB average, €74.00\n' +
      '\nAttached: Rushes-2026-01.pdf.\nDataIntell has more of it.\n',
  })
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  await sendDue(platform, 'email', { now: () => new Date('2099-01-01') })
  expect(arrived.map(({ to }) => to).sort()).toEqual(addresses.map((address) => [address]))
  for (const { files } of arrived) {
    expect(files.map(({ name, type }) => [name, type])).toEqual([['Rushes-2026-01.pdf', 'application/pdf']])
    const [page = []] = readPdf(files[0]!.bytes)
    expect(page).toContain('Closed on 2026-02-01.')
    expect(page.slice(page.indexOf('Total')).join(' ')).toMatch(/^Total 52.0 GiB €74.00 /)
  }
  await price('2026-01-02', 1000)
  await db.deleteFrom('snapshots').execute()
  expect(await find('2026-01')).toEqual(closed)
  expect((await reader('GET', `/api/v1/projects/${id}/changes`).expect(200)).body).toHaveLength(1)
})

test('a month waits for what is counted, and for scans that began in it, but not for ever', async () => {
  itIs('2026-02-02')
  const scan = { volumeId: films, indexingDate: '2026-01-31', jobId: 1, taskId: 9_999, agentId: 1 }
  const row = db
    .insertInto('scans')
    .values({ ...scan, state: 'running' })
    .returning('id')
  const { id: scanId } = await row.executeTakeFirstOrThrow()
  await closeMonths(platform, '2026-02-01')
  expect(await closedMonths()).toEqual([])
  await db.insertInto('snapshots').values({ indexingDate: '2026-01-31', volumeId: films, scanId }).execute()
  await closeMonths(platform, '2026-02-02')
  expect(await closedMonths()).toEqual([])
  expect(await find('2026-01')).toMatchObject({ isComplete: false })
  await db.deleteFrom('snapshots').where('scanId', '=', scanId).execute()
  await closeMonths(platform, '2026-02-02')
  expect(await closedMonths()).toEqual(['2026-01'])
})

test('wrong values are refused, and missing items are not found', async () => {
  itIs('2026-02-01')
  for (const month of ['2026-13', '2026-1', 'x', "2026-01'--"])
    expect((await reader('GET', `/api/v1/projects/${id}/statements/${month}`)).status).toBe(404)
  for (const path of [
    `${id}/statements/2025-12`,
    `${id}/statements/2026-03`,
    '99/statements',
    '99/statements/2026-01/csv',
  ])
    expect([path, (await reader('GET', `/api/v1/projects/${path}`)).status]).toEqual([path, 404])
  await reader('GET', `/api/v1/projects/${id}/statement-recipients`).expect(403)
  await manager('GET', '/api/v1/projects/99/statement-recipients').expect(404)
  const { body } = await manager('PUT', `/api/v1/projects/${id}/statement-recipients`, { addresses: ['x'] }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'addresses.0', message: 'must be a well-formed email address' }])
})

test('months go from one day to another', () => {
  expect(monthsBetween('2025-11-30', '2026-02-01')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
  expect(monthsBetween('2026-02-28', '2026-02-01')).toEqual(['2026-02'])
  expect(monthsBetween('2026-03-01', '2026-02-01')).toEqual([])
})
