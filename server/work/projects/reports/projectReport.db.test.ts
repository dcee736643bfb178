import Excel from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, projectRoutes(platform)), await testSession(db, ['ROLE_PROJECT_MANAGER']))
const gib = 2 ** 30
const odd = '=HYPERLINK("http://evil")'

const create = async (draft: object): Promise<number> =>
  (await ask('POST', '/api/projects', { allocatedSize: 10 * gib, paths: [], ...draft }).expect(200)).body.id
let id = 0
beforeAll(async () => {
  const films = await createFileStorage(db, { name: odd, path: '/films' })
  const row = db.insertInto('storagePrices').values({ description: 'Hot' }).returning('id')
  const { id: storagePriceId } = await row.executeTakeFirstOrThrow()
  const since = '2026-01-01'
  await db
    .insertInto('storagePriceChanges')
    .values({ storagePriceId, since, currencySymbol: '€', price: 12, classPrices: '[]' })
    .execute()
  await db.insertInto('volumePriceChanges').values({ volumeId: films, since, storagePriceId }).execute()
  const paths = ['/+a', '/+a/b', '/gone'].map((path) => ({ volumeId: films, path }))
  id = await create({ name: 'A/B: "takes"\n', description: '-1+1', paths })
  await countFolders(db, films, '2026-05-01', { '/+a': 5 * gib, '/+a/b': gib, '/gone': null })
})

async function download(type: string, of = id, query = '') {
  const response = ask('GET', `/api/v1/projects/${of}/reports?type=${type}&${query}`).responseType('blob')
  const { status, headers, body } = await response
  return { status, name: headers['content-disposition'], bytes: body as Buffer }
}
async function sheetsOf(bytes: Buffer) {
  const book = new Excel.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  return book.worksheets
}
const rowsOf = (sheet: Excel.Worksheet) =>
  sheet
    .getSheetValues()
    .slice(1)
    .map((row) => (row as unknown[]).slice(1))

test('the overview has the project, its storages and its ages, as tables with units and formats', async () => {
  const { name, bytes } = await download('OVERVIEW')
  expect(name).toBe('attachment; filename="A_B_ _takes_-2026-05-01.xlsx"')
  const [project, storages, ages] = await sheetsOf(bytes)
  expect(rowsOf(project!)).toEqual([
    [
      'Name',
      'Description',
      'Indexing date',
      'Size (bytes)',
      'Allocated size (bytes)',
      'Used (%)',
      'Files',
      'Folders',
      'Last access',
      'Last modified',
      'Note',
    ],
    ['A/B: "takes"', '-1+1', new Date('2026-05-01'), 5 * gib, 10 * gib, 0.5, 2, 0],
  ])
  expect(rowsOf(storages!)[1]).toEqual([odd, 'crawl.files', 5 * gib, 2, 1, 0, 0, 0, 12, 5, 60, '€'])
  expect(rowsOf(ages!).map(([age]) => age)).toEqual([
    'Age',
    '1 week',
    '1 month',
    '3 month',
    '6 month',
    '1 year',
    'older',
  ])
  for (const sheet of [project, storages, ages]) {
    expect(sheet!.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
    expect(sheet!.getTables()).toHaveLength(1)
  }
  const formats = [3, 4, 6].map((column) => project!.getRow(2).getCell(column).numFmt)
  expect(formats).toEqual(['yyyy-mm-dd', '#,##0', '0.0%'])
})

test('the list of folders says which are gone or counted with another, and text is text', async () => {
  const [folders] = await sheetsOf((await download('FOLDERLIST')).bytes)
  const [head, ...rows] = rowsOf(folders!)
  expect(head).toContain('Size (bytes)')
  expect(rows.map((row) => [row[0], row[1], row[2], row[11]])).toEqual([
    [odd, '/films/+a', 5 * gib, undefined],
    [odd, '/films/+a/b', gib, 'Included in another folder of this project'],
    [odd, '/films/gone', 0, 'Does not exist on this date'],
  ])
  expect(folders!.getRow(2).getCell(1).type).toBe(Excel.ValueType.String)
})

test('a project without folders has reports, too, and its name makes a name of a file', async () => {
  const empty = await create({ name: 'Empty' })
  // Names of today have no invisible characters; those of before may.
  await db.updateTable('projects').set({ name: ' ../..\u202egnp ' }).where('id', '=', empty).execute()
  const { name, bytes } = await download('FOLDERLIST', empty)
  expect(name).toContain('2026-05-01.xlsx')
  expect(name).not.toContain('/')
  expect(rowsOf((await sheetsOf(bytes))[0]!).slice(1)).toEqual([[]])
  expect((await download('OVERVIEW', empty, 'indexingDate=2020-01-01')).name).toContain('2020-01-01.xlsx')
  expect((await download('OVERVIEW', 999)).status).toBe(404)
  expect((await download('PDF')).status).toBe(400)
})
