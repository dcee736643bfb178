import Excel from 'exceljs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/projects/index.ts'
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

test('a statement is a document: its storages, what it comes to, and whether it is closed', async () => {
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
