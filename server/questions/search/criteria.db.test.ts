import { beforeAll, expect, test } from 'vitest'
import { addUp } from './oracle/addedUp.ts'
import { Criteria } from '#events/search/criteria.ts'
import { operatorsOfType, searchableFields } from '#events/search/query.ts'
import { type EntryPage, entrySorts } from '#events/entries.ts'
import type { SearchPage, Totals } from '#events/search/calls.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { configurationKeys } from '#events/configurations.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { asUser, testSession } from '#server/testing.ts'
import { searchRoutes } from './index.ts'
import { knownAt, readFileIds, readHashes, type Tag } from './oracle/known.ts'
import { meetsCriteria, type NumberedEntry } from './oracle/meets.ts'
import { criteriaCases, randomCriteria } from './oracle/randomCriteria.ts'
import { sorted } from './oracle/sorted.ts'
import { newTaggedHistory } from './oracle/taggedHistory.ts'
import { cases, isLong, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const app = createApp(platform, searchRoutes(platform))
const ask = asUser(app, await testSession(platform.db, []))
const random = newRandom(testSeed(8))
const questions = cases(12, 300)
const days = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03', '2026-02-19', '2026-03-09'].slice(0, cases(2, 6))
let history: History
let dates: string[]
let tags: Tag[]
let fileIds: Map<string, string>
let hashes: Map<string, string>

beforeAll(async () => {
  ;({ history, tags } = await newTaggedHistory(platform, random, days, cases(2, 3)))
  dates = [...history.dates.keys()]
  fileIds = await readFileIds(platform)
  hashes = await readHashes(platform)
})

const numberedAt = (date: string): NumberedEntry[] =>
  knownAt(history, tags, date, Number(configurationKeys.deletedFilesNumberOfDays.defaultValue)).map((entry) => ({
    ...entry,
    fileId: fileIds.get(`${entry.volumeId} ${entry.key}`) ?? '',
    hash: hashes.get(identity(entry.row) ?? '') ?? '',
  }))

async function answerOf<T>(path: string, query: Record<string, string>, body: object): Promise<T> {
  const answer = await ask('POST', `/api/v1${path}?${new URLSearchParams(query)}`, body)
  if (answer.status === 200) return answer.body
  throw new Error(`${answer.status} for ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`)
}

test('any criteria choose on any date what plain loops choose', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) {
    const date = random.pick(dates)
    const known = numberedAt(date)
    const body = randomCriteria(random, known)
    const meant = known.filter((entry) => meetsCriteria(entry, Criteria.parse(body)))
    const [sort, direction, size] = [random.pick(entrySorts), random.pick(['asc', 'desc'] as const), 20]
    const page = 1 + random.below(2)
    const pageQuery = { indexingDate: date, sort, direction, size: String(size), page: String(page) }
    const { elements, total } = await answerOf<EntryPage>('/search', pageQuery, body)
    const ids = sorted(meant, sort, direction)
      .slice((page - 1) * size, page * size)
      .map(({ volumeId, key }) => fileIds.get(`${volumeId} ${key}`))
    const context = JSON.stringify({ pageQuery, body })
    expect({ context, total, ids: elements.map(({ fileId }) => fileId) }).toEqual({ context, total: meant.length, ids })
    const deleted = new Set(meant.filter((entry) => entry.deleted).map(({ fileId }) => fileId))
    for (const each of elements) expect([each.path, each.deleted]).toEqual([each.path, deleted.has(each.fileId)])
    found += total > 0 && total < known.length ? 1 : 0
  }
  expect(found).toBeGreaterThan(cases(0, questions / 3))
})

test('every operator of every field chooses what plain loops choose, and so does all but it', async () => {
  const date = dates.at(-1) ?? ''
  const known = numberedAt(date)
  const present = known.filter((entry) => !entry.deleted).length
  const met = new Map<string, { found: number; leftOut: number }>()
  const some = <T>(all: T[]): T[] => (isLong ? all : all.filter((_, i) => i % 3 === 0))
  for (let n = 0; n < cases(1, 30); n++)
    for (const { field, operator, query } of some(criteriaCases(random, random.pick(known)))) {
      const seen = met.get(`${field} ${operator}`) ?? { found: 0, leftOut: 0 }
      for (const body of [[query], [{ ...query, excludeFilter: true }]]) {
        const meant = known.filter((entry) => meetsCriteria(entry, Criteria.parse(body)))
        const { count } = await answerOf<Totals>('/search/sizes', { indexingDate: date }, body)
        const page = await answerOf<SearchPage>('/search', { indexingDate: date, totals: 'true', size: '1' }, body)
        expect(page.totals?.count).toBe(count)
        expect({ body: JSON.stringify(body), count }).toEqual({ body: JSON.stringify(body), count: meant.length })
        seen.found += meant.length > 0 ? 1 : 0
        seen.leftOut += meant.length < present ? 1 : 0
      }
      met.set(`${field} ${operator}`, seen)
    }
  if (!isLong) return
  for (const [field, type] of Object.entries(searchableFields))
    for (const operator of operatorsOfType[type]) {
      const { found = 0, leftOut = 0 } = met.get(`${field} ${operator}`) ?? {}
      expect([field, operator, found > 0, leftOut > 0]).toEqual([field, operator, true, true])
    }
})

test('sizes of criteria apply to files, or to folders if files cannot match', async () => {
  for (let n = 0; n < questions / 10; n++) {
    const date = random.pick(dates)
    const known = numberedAt(date)
    const body = randomCriteria(random, known)
    const meant = known.filter((entry) => meetsCriteria(entry, Criteria.parse(body)))
    const { count, size } = await answerOf<Totals>('/search/sizes', { indexingDate: date }, body)
    const bytesOf = (entries: NumberedEntry[]) => entries.reduce((sum, { row }) => sum + Math.max(row.size, 0), 0)
    const files = addUp(meant.filter(({ row }) => !row.isDirectory)).size
    const context = JSON.stringify({ date, body })
    expect({ context, count }).toEqual({ context, count: meant.length })
    expect([files, meant.some(({ row }) => !row.isDirectory) ? files : bytesOf(meant)]).toContain(size)
  }
  const ofKind = (isDirectory: boolean) => [{ isDirectory: { value: isDirectory } }]
  const folders = numberedAt(days[0]!).filter(({ row, deleted }) => row.isDirectory && !deleted)
  const bytes = folders.reduce((sum, { row }) => sum + row.size, 0)
  expect(await answerOf('/search/sizes', { indexingDate: days[0]! }, ofKind(true))).toEqual({
    count: folders.length,
    size: bytes,
  })
})

test('an empty list of storages restricts nothing, minimums may be negative, and -1 is an unknown size', async () => {
  const countOf = async (...criteria: object[]) =>
    (await answerOf<Totals>('/search/sizes', { indexingDate: dates.at(-1)! }, criteria)).count
  const [all, known, unknown] = [
    await countOf(),
    await countOf({ size: { min: -5_000 } }),
    await countOf({ size: { value: -1 } }),
  ]
  const entries = numberedAt(dates.at(-1)!).filter(({ deleted }) => !deleted)
  expect([all, unknown]).toEqual([entries.length, entries.filter(({ row }) => row.size < 0).length])
  expect(known + unknown).toBe(all)
  expect(await countOf({ volumeId: { values: [] } })).toBe(all)
  expect(await countOf({ volumeId: { values: [] }, excludeFilter: true })).toBe(all)
})

test('a criterion that only applies to folders leaves out files', async () => {
  const isFolder = { isDirectory: { value: true } }
  const few = { numberOfFiles: { max: 3 } }
  const pairs = [
    [[few], [isFolder, few]],
    [[{ numberOfFolders: { min: 1 } }], [isFolder, { numberOfFolders: { min: 1 } }]],
    [{ searchOperator: 'OR', searchQueries: [few, isFolder] }, [isFolder]],
  ]
  for (const [pageQuery, same] of pairs) {
    const sizes = async (criteria: object) =>
      answerOf<Totals>('/search/sizes', { indexingDate: dates.at(-1)! }, criteria)
    const { size } = await sizes(pageQuery!)
    expect(size).toBeGreaterThan(0)
    expect(size).toBe((await sizes(same!)).size)
  }
  const others = [{ ...few, excludeFilter: true }, { isDirectory: { value: false } }]
  const files = numberedAt(dates.at(-1)!).filter(({ row, deleted }) => !row.isDirectory && !deleted)
  expect(await answerOf('/search/sizes', { indexingDate: dates.at(-1)! }, others)).toMatchObject({
    count: files.length,
  })
})
