import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Excel from 'exceljs'
import { beforeAll, expect, test } from 'vitest'
import { WrittenCriteria } from '#events/search/criteria.ts'
import { type Entry, type EntryPage, type EntrySort, entrySorts } from '#events/entries.ts'
import { noFilters } from '#events/search/filters.ts'
import type { SearchSelection } from '#events/selections.ts'
import { createApp } from '#server/app.ts'
import { sortBy } from '#server/content/entries/order.ts'
import { dayOf, timeZone } from '#server/platform/days.ts'
import { cases, isLong } from '#server/platform/testing/cases.ts'
import { readCsv, readDownload } from '#server/platform/testing/readCsv.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { selectBySearch, searchRoutes } from '#server/questions/search/index.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { openDownloads } from './downloads.ts'
import { exportQuestion } from './exportQuestion.ts'
import { topRowsCondition } from './topRows.ts'
import { clearWorkFolders, exportRoutes } from './index.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const app = createApp(platform, [...searchRoutes(platform), ...exportRoutes(platform)])
const ask = asUser(app, await testSession(db, []))
const download = async (path: string, criteria?: object) => {
  const request = criteria ? ask('POST', `/api${path}`, criteria) : ask('GET', `/api${path}`)
  const { body, headers, status } = await request.responseType('blob')
  return { status, bytes: body as Buffer, name: headers['content-disposition'], type: headers['content-type'] }
}
const csvHeads = ['Name', 'Path', 'Storage', 'Size (bytes)', 'Owner', 'Group', 'Created', 'Last access']

const dates = ['2026-01-05', '2026-02-01']
beforeAll(async () => {
  await newHistory(platform, newRandom(12), { dates, disks: 2, entries: cases(70, 150) })
  const copy = (folder: string) => ({ path: folder, entries: [{ path: `${folder}/copy.mov`, size: 2 ** 40 }] })
  await scanFolders(platform, { volumeId: await newVolume(platform, 'Copies'), indexingDate: '2026-02-01' }, [
    { path: '', entries: ['/a', '/b'].map((path) => ({ path, isDirectory: true, size: 0 })) },
    copy('/a'),
    copy('/b'),
  ])
  await clickhouse.command(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    SELECT arrayJoin(['b, "c"', '=a', 'dataintell.hidden']), volume, parent_path, name, is_directory,
      toDate('2026-01-05'), toDate('2149-06-06'), 1
    FROM entries WHERE file_id % 3 = 0`)
})

const moment = (iso: string | null) =>
  iso === null ? '' : new Date(iso).toLocaleString('sv-SE', { timeZone: timeZone() })
const counted = (count: number | null) => String(count ?? '')
const yes = (is: boolean) => (is ? 'yes' : 'no')

/** The expected row of an entry. */
const expectedRow = (entry: Entry): string[] => [
  entry.name,
  entry.fullPath,
  entry.volumeName,
  entry.size === -1 ? '' : String(entry.size),
  ...(entry.isDirectory ? [counted(entry.numberOfFiles), counted(entry.numberOfFolders)] : [entry.extension]),
  entry.owner,
  entry.group,
  ...[entry.creationDate, entry.lastAccess, entry.lastModified].map(moment),
  entry.indexingDate,
  yes(entry.dupe === true),
  entry.dupe === true ? (entry.identificationHash ?? '').replace(/(.{4})(?=.)/g, '$1-') : '',
  entry.customTag.join(', '),
  yes(entry.deleted),
]
const guarded = (text: string) => (/^(?:[\s\p{Cc}"'`]*[=+\-@]|[\t\r\n])/u.test(text) ? `'${text}` : text)

async function listed(kind: 'files' | 'folders', query: string, size = 1000): Promise<Entry[]> {
  const path = kind === 'files' ? '/files/search' : '/directories/search'
  const { body } = await ask('GET', `/api${path}?size=${size}&${query}`)
  return (body as EntryPage).elements
}

async function listedByCriteria(
  kind: 'files' | 'folders',
  query: string,
  criteria: object,
  size = 1000,
): Promise<Entry[]> {
  const ofKind = {
    searchQueries: [{ isDirectory: { value: kind === 'folders' } }],
    searchQueryNodes: [Array.isArray(criteria) ? { searchQueries: criteria } : criteria],
  }
  const { body } = await ask('POST', `/api/v1/search?size=${size}&${query}`, ofKind).expect(200)
  return (body as EntryPage).elements
}

const queries: ['files' | 'folders', string, ('csv' | 'xlsx')[]][] = [
  ['files', 'sort=lastModified&direction=desc&minimumSize=2&page=3&size=10', ['csv']],
  ['files', 'tag=%3Da&sort=owner', ['csv', 'xlsx']],
  ['files', 'showOnlyDeletedFiles=true', ['xlsx']],
  ['files', 'onlyDuplicates=true&sort=extension', ['csv']],
  ['folders', 'sort=numberOfFiles,desc&indexingDate=2026-01-05', ['csv', 'xlsx']],
]
const moreQueries: typeof queries = [
  ['files', '', ['csv', 'xlsx']],
  ['files', 'sort=name,asc', ['csv', 'xlsx']],
  ['files', 'sort=lastModified&direction=desc&minimumSize=2', ['csv', 'xlsx']],
  ['files', "name=*'*&page=3&size=10", ['csv', 'xlsx']],
  ['files', 'indexingDate=2026-01-05&sort=path', ['csv', 'xlsx']],
  ['files', 'onlyDuplicates=true&sort=extension', ['xlsx']],
  ['folders', '', ['csv', 'xlsx']],
]
if (isLong) queries.push(...moreQueries)
test.each(queries)(
  'a download of %s says of each entry what the list says, in its order: %s',
  async (kind, query, formats) => {
    const entries = await listed(kind, query.replace(/&page=3&size=10$/, ''))
    expect(entries.length).toBeGreaterThan(0)
    const path = kind === 'files' ? '/files/search' : '/files/search/folders'
    for (const format of formats) {
      const { bytes } = await download(`${path}/${format}?${query}`)
      const [, ...rows] = format === 'csv' ? readCsv(bytes) : await readSheet(bytes)
      expect(rows).toEqual(
        entries.map((entry) => (format === 'csv' ? expectedRow(entry).map(guarded) : expectedRow(entry))),
      )
    }
  },
)

test('paths are those that users write: of a share with its machine', async () => {
  const list = '/files/search?volumeId=1&size=100&sort=path'
  const [shown] = (await ask('GET', `/api${list}`)).body.elements as Entry[]
  await db
    .insertInto('networkVolumes')
    .values({ volumeId: 1, type: 'SMB', host: 'nas', shareName: 'media', options: '', credentialId: null })
    .execute()
  const [, ...rows] = readCsv((await download(`/files/search/csv?volumeId=1&sort=path`)).bytes)
  const onShare = (await ask('GET', `/api${list}`)).body.elements as Entry[]
  await db.deleteFrom('networkVolumes').execute()
  expect(onShare[0]?.path).toBe(shown?.path)
  expect(onShare[0]?.fullPath).toBe(`\\\\nas\\media${shown?.fullPath.replaceAll('/', '\\')}`)
  expect(rows.slice(0, onShare.length).map(([, path]) => path)).toEqual(onShare.map(({ fullPath }) => fullPath))
})

const nested = {
  searchOperator: 'OR',
  searchQueries: [{ customTags: { startsWith: '=' } }],
  searchQueryNodes: [{ searchQueries: [{ size: { min: 2 } }, { name: { wildcard: '*a*' }, excludeFilter: true }] }],
}
const presentOrNot = { searchOperator: 'OR', searchQueries: [true, false].map((value) => ({ isDeleted: { value } })) }
const criteriaCases: ['files' | 'folders', string, object][] = [
  ['files', 'sort=path&direction=desc&indexingDate=2026-01-05', nested],
  ['files', 'sort=name,asc&page=3&size=10', presentOrNot],
  ['folders', 'sort=numberOfFiles,desc', [{ numberOfFiles: { min: 1 } }]],
]
const moreCases: typeof criteriaCases = [
  ['files', '', nested],
  ['files', 'sort=name,asc&page=3&size=10', [{ isDeleted: { value: true } }]],
  ['files', 'sort=owner', presentOrNot],
  ['files', 'sort=extension', [{ isDupe: { value: true } }]],
  ['folders', '', []],
  ['folders', 'sort=numberOfFiles,desc&indexingDate=2026-01-05', [{ numberOfFiles: { min: 1 } }]],
]
if (isLong) criteriaCases.push(...moreCases)
test.each(criteriaCases)(
  'a download by criteria says the same as their list of %s: %s %j',
  async (kind, query, criteria) => {
    const entries = await listedByCriteria(kind, query.replace(/&page=3&size=10$/, ''), criteria)
    expect(entries.length).toBeGreaterThan(0)
    expect(new Set(entries.map(({ deleted }) => deleted)).size).toBe(criteria === presentOrNot ? 2 : 1)
    const of = `isDirectory=${kind === 'folders'}&${query}`
    const csv = await download(`/v1/search/csv?${of}`, criteria)
    const plain = await download(`${kind === 'files' ? '/files/search' : '/files/search/folders'}/csv?${query}`)
    expect([csv.status, csv.type, csv.name]).toEqual([200, plain.type, plain.name])
    const [head, ...rows] = readCsv(csv.bytes)
    expect(head).toEqual(readCsv(plain.bytes)[0])
    expect(rows).toEqual(entries.map((entry) => expectedRow(entry).map(guarded)))
    const xlsx = await download(`/v1/search/xlsx?${of}`, criteria)
    expect(xlsx.name).toBe(csv.name?.replace(/csv$/, 'xlsx'))
    expect((await readSheet(xlsx.bytes)).slice(1)).toEqual(entries.map(expectedRow))
  },
)

test('before anything was indexed, a download has its headings and the requested day', async () => {
  const { status, bytes, name, type } = await download('/files/search/csv?indexingDate=2025-12-31')
  expect([status, type]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(name).toBe('attachment; filename=searchFileResult-2025-12-31.csv')
  expect(readCsv(bytes)).toEqual([expect.arrayContaining([...csvHeads, 'Extension'])])
  const folders = await download('/files/search/folders/xlsx?indexingDate=2025-12-31')
  expect(folders.name).toBe('attachment; filename=searchFolderResult-2025-12-31.xlsx')
  expect(await readSheet(folders.bytes)).toEqual([expect.arrayContaining([...csvHeads, 'Files', 'Folders'])])
})

test('a download is named after the day that it shows', async () => {
  const names = ['', '?indexingDate=2026-01-20'].map(
    async (query) => (await download(`/files/search/csv${query}`)).name,
  )
  expect(await Promise.all(names)).toEqual([
    'attachment; filename=searchFileResult-2026-02-01.csv',
    'attachment; filename=searchFileResult-2026-01-05.csv',
  ])
})

test('a sort, a day or a number that is none is named', async () => {
  for (const [field, query] of Object.entries({ sort: 'sort=nope', indexingDate: 'indexingDate=x', page: 'page=0' })) {
    const { status, bytes } = await download(`/files/search/csv?${query}`)
    expect([status, JSON.parse(bytes.toString()).subErrors[0].field]).toEqual([400, field])
  }
})

type ListedEntry = (query: string) => Promise<Entry[]>
const searches: [string, SearchSelection, readonly EntrySort[], ListedEntry][] = [
  ['filters', { filters: noFilters, isDirectory: false }, entrySorts, (query) => listed('files', query, 20)],
  [
    'criteria',
    { criteria: WrittenCriteria.parse(presentOrNot), isDirectory: false },
    ['name', 'size', 'lastModified'],
    (query) => listedByCriteria('files', query, presentOrNot, 20),
  ],
]
const directionsOfSort = ['asc', 'desc'] as const
test.each(searches)(
  'the first entries of a longer list by %s are returned, in any order',
  async (_, searched, sorts, list) => {
    const snapshot = (await snapshotAt(db, 'everything'))!
    const selection = await selectBySearch(platform, snapshot, searched)
    for (const [n, by] of sorts.entries()) {
      const directions = isLong ? directionsOfSort : directionsOfSort.slice(n % 2, (n % 2) + 1)
      for (const direction of directions) {
        const first = { selection, sort: sortBy(by, snapshot), direction, maxRows: 20 }
        const among = await topRowsCondition(clickhouse, first, 20, {})
        const question = exportQuestion(
          first,
          { cells: [sql`lower(hex(file_id)) AS id`] },
          { among, maxRows: 20, isTagged: true, isOfFiles: true },
        )
        const rows = await clickhouse.rows<{ id: string }>(question)
        const entries = await list(`sort=${by}&direction=${direction}`)
        expect(rows).toHaveLength(20)
        expect(rows.map(({ id }) => id.padStart(16, '0'))).toEqual(entries.map(({ fileId }) => fileId))
      }
    }
  },
)

test('nothing is left of downloads, also of those whose caller went away', async () => {
  const { csv, spreadsheet } = openDownloads(platform)
  const all = { search: { filters: noFilters, isDirectory: false } }
  for (const make of [csv, spreadsheet]) {
    const caller = new AbortController()
    const making = make(all, { scope: 'everything', signal: caller.signal }).then(readDownload)
    caller.abort(new Error('The client disconnected'))
    await expect(making).rejects.toThrow('client disconnected')
    const made = await make(all, { scope: 'everything', signal: new AbortController().signal })
    expect((await readDownload(made)).length).toBeGreaterThan(1_000)
  }
  const folder = join(platform.config.data, 'exports')
  await expect.poll(() => readdirSync(folder)).toEqual([])
  writeFileSync(join(folder, 'left'), 'of a server that was killed')
  await clearWorkFolders(platform.config)
  expect(existsSync(folder)).toBe(false)
})

/** The cells of the first sheet as text, with times and days as in CSV. */
async function readSheet(bytes: Buffer): Promise<string[][]> {
  const book = new Excel.Workbook()
  await book.xlsx.load(bytes as unknown as ArrayBuffer)
  const sheet = book.worksheets[0]!
  const width = sheet.getRow(1).cellCount
  const rows = sheet.getRows(1, sheet.rowCount) ?? []
  return rows.map((row) => Array.from({ length: width }, (_, i) => asText(row.getCell(i + 1))))
}

function asText({ value, numFmt }: Excel.Cell): string {
  if (value === null) return ''
  if (!(value instanceof Date)) {
    return String(value).replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  }
  const [day, time] = value.toISOString().split(/[T.]/)
  return numFmt === 'yyyy-mm-dd' ? dayOf(new Date(`${day}T12:00:00`)) : `${day} ${time}`
}

test('the rest of a CSV file can be requested, also from within its first line', async () => {
  const path = '/files/search/csv?sort=path'
  const { bytes } = await download(path)
  for (const start of [1, 40, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const rest = ask('GET', `/api${path}`).set('Range', `bytes=${start}-`).responseType('blob')
    const { status, body } = await rest
    expect([start, status, Buffer.compare(body as Buffer, bytes.subarray(start))]).toEqual([start, 206, 0])
  }
})
