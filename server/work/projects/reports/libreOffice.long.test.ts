import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { libreOffice, sheetsInLibreOffice } from '#deploy/setup/libreOffice.ts'
import { findOrInstall } from '#deploy/setup/tool.ts'

const office = findOrInstall(libreOffice)
const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, projectRoutes(platform)), await testSession(db, ['ROLE_PROJECT_MANAGER']))
const gib = 2 ** 30
const odd = '=HYPERLINK("http://evil")'
let id = 0

beforeAll(async () => {
  const films = await createFileStorage(db, { name: odd, path: '/films' })
  const row = db.insertInto('storagePrices').values({ description: 'Hot' }).returning('id')
  const { id: storagePriceId } = await row.executeTakeFirstOrThrow()
  const since = '2026-01-01'
  const price = { storagePriceId, since, currencySymbol: '€', price: 12, classPrices: '[]' }
  await db.insertInto('storagePriceChanges').values(price).execute()
  await db.insertInto('volumePriceChanges').values({ volumeId: films, since, storagePriceId }).execute()
  const paths = ['/+a', '/+a/b', '/gone'].map((path) => ({ volumeId: films, path }))
  const draft = { name: 'Über "takes"', description: '-1+1', allocatedSize: 10 * gib, paths }
  id = (await ask('POST', '/api/projects', draft).expect(200)).body.id
  await countFolders(db, films, '2026-05-01', { '/+a': 5 * gib, '/+a/b': gib, '/gone': null })
  const moment = { lastAccess: new Date('2026-04-30T10:20:30'), lastModified: new Date('2020-02-29T00:00:00') }
  await db.updateTable('folderFigures').set(moment).where('isThere', '=', true).execute()
})

/** The cells of each sheet of a report, as shown by LibreOffice. */
async function sheetsOf(path: string): Promise<Record<string, string[][]>> {
  const { body } = await ask('GET', `/api/v1/projects/${id}/${path}`).responseType('blob').expect(200)
  const sheets = sheetsInLibreOffice(office, body as Buffer)
  return Object.fromEntries([...sheets].map(([title, csv]) => [title, readCsv(csv)]))
}
/** The rows of a sheet, keyed by column heads. */
const rowsOf = ([heads = [], ...rows]: string[][] = []) =>
  rows.map((cells) => Object.fromEntries(heads.map((head, i) => [head, cells[i]])))

test('LibreOffice opens the overview and shows every cell as intended', async () => {
  const sheets = await sheetsOf('reports?type=OVERVIEW')
  expect(Object.keys(sheets).toSorted()).toEqual(['Ages', 'Project', 'Storages'])
  expect(rowsOf(sheets['Project'])).toEqual([
    {
      Name: 'Über "takes"',
      Description: '-1+1',
      'Indexing date': '2026-05-01',
      'Size (bytes)': '5,368,709,120',
      'Allocated size (bytes)': '10,737,418,240',
      'Used (%)': '50.0%',
      Files: '2',
      Folders: '0',
      'Last access': '2026-04-30 10:20:30',
      'Last modified': '2020-02-29 00:00:00',
      Note: '',
    },
  ])
  expect(rowsOf(sheets['Storages'])).toMatchObject([
    {
      Storage: odd,
      'Size (bytes)': '5,368,709,120',
      'Share of the project (%)': '100.0%',
      'Price per GiB per year': '12.00',
      'Cost per month': '5.00',
      'Cost per year': '60.00',
      Currency: '€',
    },
  ])
  expect(rowsOf(sheets['Ages']).map(({ Age }) => Age)).toEqual([
    '1 week',
    '1 month',
    '3 month',
    '6 month',
    '1 year',
    'older',
  ])
})

test('LibreOffice opens the list of folders, and no text is a formula to it', async () => {
  const sheets = await sheetsOf('reports?type=FOLDERLIST')
  expect(Object.keys(sheets)).toEqual(['Folders'])
  const folder = { Storage: odd, 'Last access': '2026-04-30 10:20:30', 'Last modified': '2020-02-29 00:00:00' }
  expect(rowsOf(sheets['Folders'])).toMatchObject([
    { ...folder, Path: '/films/+a', 'Size (bytes)': '5,368,709,120', Note: '' },
    {
      ...folder,
      Path: '/films/+a/b',
      'Size (bytes)': '1,073,741,824',
      Note: 'Included in another folder of this project',
    },
    { Storage: odd, Path: '/films/gone', 'Size (bytes)': '0', 'Last access': '', Note: 'Does not exist on this date' },
  ])
})

test('LibreOffice opens a statement', async () => {
  await db.updateTable('projects').set({ madeOn: '2026-05-01' }).execute()
  vi.useFakeTimers({ now: new Date('2026-06-01T12:00:00'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { Statement } = await sheetsOf('statements/2026-05/xlsx')
  expect(rowsOf(Statement)).toMatchObject([
    {
      Month: '2026-05',
      Storage: odd,
      'Storage class': '',
      'Average size (bytes)': '5,368,709,120',
      Cost: '5.00',
      Currency: '€',
    },
  ])
})
