import { beforeAll, expect, test } from 'vitest'
import { type Entry, entrySorts } from '#events/entries.ts'
import { dateIntervals, type DatePoint, type FieldTotals, groupingFields, type Totals } from '#events/search/calls.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { configurationKeys } from '#events/configurations.ts'
import { duplicateFiles } from '#server/content/snapshots/index.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'
import { addUp, addUpDuplicates, addUpByField, addUpByPeriod, dateFields } from './oracle/addedUp.ts'
import { chosen, known as knownMoment } from './oracle/chosen.ts'
import { type KnownEntry, knownAt, readFileIds, type Tag } from './oracle/known.ts'
import { type Query, randomFilters } from './oracle/randomFilters.ts'
import { shownTags, sorted } from './oracle/sorted.ts'
import { newTaggedHistory } from './oracle/taggedHistory.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const app = createApp(platform, searchRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))
const random = newRandom(testSeed(3))
const questions = cases(12, 500)

const dates = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03', '2026-02-19', '2026-03-09'].slice(0, cases(2, 6))
let history: History
let fileIds: Map<string, string>
let tags: Tag[]

beforeAll(async () => {
  ;({ history, tags } = await newTaggedHistory(platform, random, dates, cases(2, 3)))
  fileIds = await readFileIds(platform)
})

const addressOf = (path: string, query: Query) => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) for (const each of [value].flat()) search.append(key, each)
  return `/api${path}?${search}`
}
async function answerOf<T>(path: string, query: Query): Promise<T> {
  const { status, body } = await ask('GET', addressOf(path, query))
  if (status !== 200) throw new Error(`${status} for ${JSON.stringify(query)}: ${JSON.stringify(body)}`)
  return body
}
type Page = { elements: Entry[]; total: number; cursor: string | null; indexingDate: string }

/** A query that a user could make, with the entries selected by plain loops. */
function nextQuestion() {
  const kind = random.pick(['files', 'files', 'folders'] as const)
  const date = random.pick([...history.dates.keys()])
  const known = knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue))
  const query = { ...randomFilters(random, known, kind), indexingDate: date }
  const filters = SearchFilters.parse(query)
  return { kind, date, query, filters, known, meant: chosen(known, filters, kind) }
}
const pathOf = { files: '/files/search', folders: '/directories/search' }

test('any filters, sort, page and date choose what plain loops choose', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) {
    const { kind, date, query, meant } = nextQuestion()
    const sort = random.pick(entrySorts)
    const direction = random.pick(['asc', 'desc'] as const)
    const size = 1 + random.below(20)
    const page = 1 + random.below(3)
    const pageQuery = { ...query, sort, direction, size: String(size), page: String(page) }
    const { elements, total, indexingDate } = await answerOf<Page>(pathOf[kind], pageQuery)
    const ids = sorted(meant, sort, direction)
      .slice((page - 1) * size, page * size)
      .map(idOf)
    const context = JSON.stringify(pageQuery)
    expect({ context, total, ids: elements.map(({ fileId }) => fileId) }).toEqual({ context, total: meant.length, ids })
    expect(indexingDate).toBe(date)
    for (const element of elements) expectSame(element, meant)
    found += total
  }
  expect(found).toBeGreaterThan(cases(0, questions))
})

const idOf = ({ volumeId, key }: KnownEntry) => fileIds.get(`${volumeId} ${key}`)

function expectSame(element: Entry, meant: KnownEntry[]): void {
  const known = meant.find((each) => idOf(each) === element.fileId)!
  const { row } = known
  const seconds = (moment: string | null) => (moment === null ? undefined : Date.parse(moment) / 1000)
  const { name, path, fullPath, size, owner, extension, indexingDate, volumeName, previousPath } = element
  expect({ name, path, fullPath, size, owner, extension, indexingDate, volumeName, previousPath }).toEqual({
    name: row.name,
    path: known.path,
    fullPath: known.path === '/' ? `/${known.volumeName}` : `/${known.volumeName}${known.path}`,
    size: row.size,
    owner: row.owner,
    extension: row.extension,
    indexingDate: known.scannedOn,
    volumeName: known.volumeName,
    previousPath: row.previousPath,
  })
  const { deleted, dupe, customTag } = element
  expect({ deleted, dupe, customTag }).toEqual({
    deleted: known.deleted,
    dupe: known.dupe,
    customTag: shownTags(known.tags),
  })
  expect([element.creationDate, element.lastAccess, element.lastModified].map(seconds)).toEqual([
    knownMoment(row.created),
    knownMoment(row.lastAccess),
    knownMoment(row.lastModified),
  ])
  expect([element.lastAccessFolder, element.lastModifiedFolder].map(seconds)).toEqual(
    [row.accessed, row.modified].map((moment) => (row.isDirectory ? knownMoment(moment) : undefined)),
  )
  expect([element.numberOfFiles, element.numberOfFolders]).toEqual(
    row.isDirectory ? [row.files, row.folders] : [null, null],
  )
}

test('sizes, fields and dates of any search add up as plain loops do', async () => {
  let files = 0
  for (let n = 0; n < questions / 2; n++) {
    const { kind, query, known, filters, meant } = nextQuestion()
    if (kind === 'folders') continue
    const context = JSON.stringify(query)
    const sizes = await answerOf<Totals>('/files/search/sizes', query)
    const { onlyDuplicates, showOnlyDeletedFiles } = filters
    const expected = onlyDuplicates ? addUpDuplicates(meant, showOnlyDeletedFiles) : addUp(meant)
    expect({ context, ...sizes }).toEqual({ context, ...expected })
    files += sizes.count
    const folders = chosen(known, SearchFilters.parse(query), 'folders')
    const ofFolders = await answerOf<Totals>('/files/search/sizes', { ...query, isDirectory: 'true' })
    expect({ context, ...ofFolders }).toEqual({ context, ...addUp(folders) })

    const fieldName = random.pick(groupingFields)
    const fields = await answerOf<FieldTotals[]>('/files/search/fields', { ...query, fieldName, size: '1000' })
    const sortedFields = fields.toSorted((a, b) => (a.field < b.field ? -1 : 1))
    expect({ context, fieldName, sortedFields }).toEqual({
      context,
      fieldName,
      sortedFields: addUpByField(meant, fieldName),
    })

    const dateField = random.pick(Object.keys(dateFields) as (keyof typeof dateFields)[])
    const dateIntervalType = random.pick(dateIntervals)
    const chart = { dateField, dateIntervalType, size: random.pick(['13', '400']) }
    const points = await answerOf<DatePoint[]>('/files/search/dates', { ...query, ...chart })
    const starts = points.map(({ date }) => date)
    expect({ context, chart, points }).toEqual({
      context,
      chart,
      points: addUpByPeriod(meant, dateField, dateIntervalType, starts),
    })
    expect(starts.length).toBe(Number(chart.size))
  }
  expect(files).toBeGreaterThan(cases(0, questions))
})

test('a chart of the first days has the entries of those days', async () => {
  const indexingDate = [...history.dates.keys()].at(-1)!
  const known = knownAt(history, tags, indexingDate, 0).filter(({ row, deleted }) => !row.isDirectory && !deleted)
  for (const [dateIntervalType, date] of [
    ['DAY', '1970-01-01'],
    ['WEEK', '1969-12-29'],
    ['MONTH', '1970-01-01'],
    ['YEAR', '1970-01-01'],
  ] as const) {
    const chart = { dateField: 'lastModified', dateIntervalType, lastModifiedBefore: '1970-01-02', size: '1' }
    const [point] = addUpByPeriod(known, 'lastModified', dateIntervalType, [date])
    expect(point?.count).toBeGreaterThan(0)
    const early = chosen(known, SearchFilters.parse(chart), 'files')
    expect(await answerOf('/files/search/dates', { ...chart, indexingDate })).toEqual([{ date, ...addUp(early) }])
  }
})

test('the files without an extension are those that the chart of extensions counts, also with a dot before their name', async () => {
  let hidden = 0
  for (const indexingDate of history.dates.keys()) {
    const fields = await answerOf<FieldTotals[]>('/files/search/fields', { indexingDate, size: '1000' })
    const query = { indexingDate, ignorePattern: '*.*' }
    const { total, elements } = await answerOf<Page>('/files/search', { ...query, size: '1000' })
    expect([indexingDate, total]).toEqual([indexingDate, fields.find(({ field }) => field === '')?.count ?? 0])
    hidden += elements.filter(({ name }) => name.startsWith('.')).length
    const folders = await answerOf<Page>('/directories/search', { ...query, size: '1000' })
    expect(folders.elements.filter(({ name }) => name.includes('.'))).toEqual([])
  }
  expect(hidden).toBeGreaterThan(0)
})

test('files not accessed since a day are the same, counted when the snapshot was made or now', async () => {
  for (const date of history.dates.keys()) {
    const known = knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue))
    for (const lastAccessBefore of ['1970-01-01', '1970-01-02', '2022-04-16', '2023-11-15', '2107-01-01']) {
      const query = { lastAccessBefore, ...(random.chance(0.5) && { volumeId: String(known[0]?.volumeId) }) }
      const meant = chosen(known, SearchFilters.parse(query), 'files')
      expect(await answerOf('/files/search/sizes', { ...query, indexingDate: date })).toEqual(addUp(meant))
    }
  }
})

test('files that are duplicates are as many, counted with their groups or now', async () => {
  let told = 0
  for (const date of history.dates.keys()) {
    const known = knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue))
    const query = { onlyDuplicates: 'true' }
    const sizes = await answerOf<Totals>('/files/search/sizes', { ...query, indexingDate: date })
    expect({ date, ...sizes }).toEqual({ date, ...addUpDuplicates(chosen(known, SearchFilters.parse(query), 'files')) })
    if (duplicateFiles((await snapshotAt(platform.db, 'everything', date))!)) told++
  }
  expect(told).toBeGreaterThan(0)
})

test('a cursor continues from any requested page', async () => {
  const { cursor } = await answerOf<Page>('/files/search', { size: '3' })
  const { elements } = await answerOf<Page>('/files/search', { size: '3', page: '2' })
  const beyond = await answerOf<Page>('/files/search', { size: '3', page: '9000', cursor: cursor ?? '' })
  expect(beyond.elements).toEqual(elements)
  expect(elements).toHaveLength(3)
})

test('a cursor goes through a whole list, each entry once, and ends', async () => {
  const pageSize = cases(100, 17)
  for (const sort of entrySorts) {
    const { kind, query, meant } = nextQuestion()
    const direction = random.pick(['asc', 'desc'] as const)
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await answerOf(pathOf[kind], { ...query, sort, direction, size: String(pageSize), cursor })
      ids.push(...page.elements.map(({ fileId }) => fileId))
      cursor = page.cursor
    }
    expect({ sort, direction, ids }).toEqual({ sort, direction, ids: sorted(meant, sort, direction).map(idOf) })
  }
})
