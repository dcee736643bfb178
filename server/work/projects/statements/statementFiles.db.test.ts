import { readFileSync } from 'node:fs'
import Excel from 'exceljs'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { closeMonths } from './closeMonths.ts'
import { createRushes, itIs } from './testing.ts'

const platform = { ...(await testPlatform()), live: () => {} }
const { db } = platform
const app = createApp(platform, projectRoutes(platform))
const manager = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
const reader = asUser(app, await testSession(db, []))
const gib = 2 ** 30

let films = 0
let id = 0
beforeEach(async () => {
  ;({ films, id } = await createRushes(db, manager))
})
afterEach(() => void vi.useRealTimers())

test('a statement is a file of either kind, in which text is text', async () => {
  itIs('2026-02-01')
  const download = async (kind: string) => {
    const response = reader('GET', `/api/v1/projects/${id}/statements/2026-01/${kind}`)
    const { headers, body } = await response.responseType('blob').expect(200)
    return { name: headers['content-disposition'], bytes: body as Buffer }
  }
  const csv = await download('csv')
  expect(csv.name).toBe('attachment; filename=Rushes-2026-01.csv')
  const heads = [
    'Project',
    'Month',
    'Charged until',
    'Days without data',
    'Storage',
    'Storage class',
    'Average size (bytes)',
    'Cost',
    'Currency',
  ]
  const [head, [project, month, until, missing, storage, storageClass, size, cost, currency] = []] = readCsv(csv.bytes)
  expect([head, project, month, until, missing, storage, storageClass, Number(size), cost, currency]).toEqual([
    heads,
    'Rushes',
    '2026-01',
    '2026-01-31',
    '0',
    "'=Films",
    '',
    52 * gib,
    '74.00',
    '€',
  ])
  const xlsx = await download('xlsx')
  expect(xlsx.name).toBe('attachment; filename=Rushes-2026-01.xlsx')
  const book = new Excel.Workbook()
  await book.xlsx.load(xlsx.bytes as unknown as ArrayBuffer)
  const sheet = book.getWorksheet('Statement')!
  expect((sheet.getRow(1).values as unknown[]).slice(1)).toEqual(heads)
  expect((sheet.getRow(2).values as unknown[]).slice(1, 8)).toEqual([
    'Rushes',
    '2026-01',
    new Date('2026-01-31'),
    0,
    '=Films',
    undefined,
    52 * gib,
  ])
  expect(sheet.getRow(2).getCell(8).numFmt).toBe('#,##0.00')
})

test('a statement is a document with its storages, its total, and its state', async () => {
  itIs('2026-02-01')
  const read = async () => {
    const response = reader('GET', `/api/v1/projects/${id}/statements/2026-01/pdf`)
    const { headers, body } = await response.responseType('blob').expect(200)
    return { name: headers['content-disposition'], pages: readPdf(body as Buffer) }
  }
  const before = await read()
  expect(before.name).toBe('attachment; filename=Rushes-2026-01.pdf')
  const [page = []] = before.pages
  expect(page[0]).toBe('Rushes: statement for January 2026')
  expect(page).toContain('Charged: January 1–31.')
  expect(page).toContain("This month isn't closed yet. Figures may change.")
  expect(page.slice(page.indexOf('Storage')).join(' ')).toBe(
    'Storage Storage class Average size Cost =Films - 52.0 GiB €74.00 Total 52.0 GiB €74.00 Rushes, 2026-01 Page 1 of 1',
  )
  await closeMonths(platform, '2026-02-01')
  expect((await read()).pages[0]).toContain('Closed on 2026-02-01.')
})

test.each([
  ['מסמכים 7', '7 םיכמסמ'],
  ['โครงการ', 'โครงการ'],
  ['परियोजना', 'परियोजना'],
])(
  'the document of the project %s has its name as it is drawn, and leaves the month after it alone',
  async (name, drawn) => {
    itIs('2026-02-01')
    await db.updateTable('projects').set({ name }).where('id', '=', id).execute()
    const response = reader('GET', `/api/v1/projects/${id}/statements/2026-01/pdf`).responseType('blob')
    const [page = []] = readPdf((await response.expect(200)).body as Buffer)
    expect(page[0]).toBe(`${drawn}: statement for January 2026`)
    expect(page.at(-2)).toBe(`${drawn}, 2026-01`)
  },
)

test('the statements of all projects for a month are one file, by name, each with its days', async () => {
  const paths = [{ volumeId: films, path: '/a' }]
  await manager('POST', '/api/projects', { name: 'Archive', allocatedSize: 1, paths }).expect(200)
  await db.updateTable('projects').set({ madeOn: '2026-01-22' }).where('name', '=', 'Archive').execute()
  itIs('2026-02-01')
  const months = await reader('GET', '/api/v1/project-statements').expect(200)
  expect(months.body).toEqual(['2026-02', '2026-01'])
  const { headers, body } = await reader('GET', '/api/v1/project-statements/2026-01/csv')
    .responseType('blob')
    .expect(200)
  expect(headers['content-disposition']).toBe('attachment; filename=Statements-2026-01.csv')
  expect(readCsv(body).map(([project, , until, missing, , , , cost]) => [project, until, missing, cost])).toEqual([
    ['Project', 'Charged until', 'Days without data', 'Cost'],
    ['Archive', '2026-01-31', '21', '40.00'],
    ['Rushes', '2026-01-31', '0', '74.00'],
  ])
  await reader('GET', '/api/v1/project-statements/2026-01/xlsx').expect(200)
  for (const month of ['2025-12', '2026-03', 'x'])
    expect((await reader('GET', `/api/v1/project-statements/${month}/csv`)).status).toBe(404)
})

test('closed statements stay when their project is renamed and deleted, and say when that was', async () => {
  itIs('2026-02-01')
  await closeMonths(platform, '2026-02-01')
  const read = async (path: string) => (await reader('GET', path).responseType('blob').expect(200)).body as Buffer
  const closed = (await reader('GET', `/api/v1/projects/${id}/statements/2026-01`)).body
  const paths = [{ volumeId: films, path: '/a' }]
  await manager('PUT', '/api/projects', { id, name: 'Dailies', allocatedSize: 1, paths }).expect(200)
  itIs('2026-02-11')
  await manager('DELETE', `/api/projects/${id}`).expect(204)
  expect((await reader('GET', `/api/v1/projects/${id}/statements/2026-01`).expect(200)).body).toEqual(closed)
  const months = (await reader('GET', `/api/v1/projects/${id}/statements`).expect(200)).body
  // 62 GiB at €24 for 10 of 28 days: 62 × 24 / 12 × 10 / 28 = 44.29.
  expect(months).toMatchObject([
    { month: '2026-02', lastDay: '2026-02-10', averageBytes: 62 * gib, closedAt: expect.any(String) },
    { month: '2026-01' },
  ])
  const linesOf = async (month: string) =>
    readCsv(await read(`/api/v1/project-statements/${month}/csv`))
      .slice(1)
      .map(([project, , until, , , , , cost]) => [project, until, cost])
  expect(await linesOf('2026-01')).toEqual([['Rushes (deleted on 2026-02-11)', '2026-01-31', '74.00']])
  expect(await linesOf('2026-02')).toEqual([['Dailies (deleted on 2026-02-11)', '2026-02-10', '44.29']])
  expect((await reader('GET', '/api/v1/project-statements').expect(200)).body).toEqual(['2026-02', '2026-01'])
  const [page] = readPdf(await read(`/api/v1/projects/${id}/statements/2026-01/pdf`))
  expect(page?.slice(0, 4)).toEqual(
    expect.arrayContaining(['Rushes: statement for January 2026', 'The project was deleted on 2026-02-11.']),
  )
  const again = { name: 'Rushes', allocatedSize: 1, paths }
  await manager('POST', '/api/projects', again).expect(200)
  expect((await linesOf('2026-02')).map(([project]) => project)).toEqual(['Dailies (deleted on 2026-02-11)', 'Rushes'])
  for (const path of [`projects/${id}`, `projects/${id}/statements/2026-03`, `projects/${id}/statements/2025-12`])
    await reader('GET', `/api/v1/${path}`).expect(404)
})

test('a project deleted on the day it was created leaves no statement', async () => {
  itIs('2026-02-01')
  const paths = [{ volumeId: films, path: '/a' }]
  const { body } = await manager('POST', '/api/projects', { name: 'Typo', allocatedSize: 1, paths }).expect(200)
  await manager('DELETE', `/api/projects/${body.id}`).expect(204)
  expect((await reader('GET', `/api/v1/projects/${body.id}/statements`)).status).toBe(404)
})

test('costs in a currency without decimals have none in any file', async () => {
  await db.updateTable('storagePriceChanges').set({ currencySymbol: '¥' }).execute()
  itIs('2026-02-01')
  const read = async (kind: string) =>
    (await reader('GET', `/api/v1/projects/${id}/statements/2026-01/${kind}`).responseType('blob').expect(200)).body
  expect(readCsv(await read('csv'))[1]?.slice(7)).toEqual(['74', '¥'])
  expect(readPdf(await read('pdf'))[0]?.join(' ')).toContain('¥74 Total 52.0 GiB ¥74')
  const book = new Excel.Workbook()
  await book.xlsx.load((await read('xlsx')) as unknown as ArrayBuffer)
  const cell = book.getWorksheet('Statement')!.getRow(2).getCell(8)
  expect([cell.value, cell.numFmt]).toEqual([74, '#,##0'])
})

test('statements that an earlier version deleted with their project return from the event log', async () => {
  const paths = [{ volumeId: films, path: '/a' }]
  const { body } = await manager('POST', '/api/projects', { name: 'Archive', allocatedSize: 1, paths }).expect(200)
  itIs('2026-02-01')
  await closeMonths(platform, '2026-02-01')
  const closed = (await reader('GET', `/api/v1/projects/${id}/statements/2026-01`)).body
  await manager('DELETE', `/api/projects/${id}`).expect(204)
  await db.deleteFrom('projectStatements').where('projectId', '=', id).execute()
  await sql`ALTER TABLE project_statements DROP COLUMN name, DROP COLUMN deleted_on,
    ADD CONSTRAINT project_statements_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects ON DELETE CASCADE`.execute(
    db,
  )
  await sql.raw(readFileSync('migrations/postgres/0082_kept_statements.sql', 'utf8')).execute(db)
  const names = db.selectFrom('projectStatements').select(['projectId', 'month', 'name', 'deletedOn'])
  expect(await names.orderBy('projectId').execute()).toEqual([
    { projectId: id, month: '2026-01', name: 'Rushes', deletedOn: '2026-02-01' },
    { projectId: body.id, month: '2026-01', name: 'Archive', deletedOn: null },
  ])
  expect((await reader('GET', `/api/v1/projects/${id}/statements/2026-01`).expect(200)).body).toEqual(closed)
})
