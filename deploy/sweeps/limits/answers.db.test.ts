import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import { configurationKeys } from '#events/configurations.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { FolderMap } from '#events/folders/map.ts'
import { groupingFields } from '#events/search/calls.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { cases } from '#server/platform/testing/cases.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { compared, shownInRow } from '#server/questions/browse/oracle/expectedTree.ts'
import { addUp, addUpByField, addUpDuplicates } from '#server/questions/search/oracle/addedUp.ts'
import { chosen } from '#server/questions/search/oracle/chosen.ts'
import { type KnownEntry, readFileIds, readHashes } from '#server/questions/search/oracle/known.ts'
import { randomFilters } from '#server/questions/search/oracle/randomFilters.ts'
import { shownTags } from '#server/questions/search/oracle/sorted.ts'
import { newTaggedHistory } from '#server/questions/search/oracle/taggedHistory.ts'
import { routesOf } from '#server/serve.ts'
import { nameOf } from '../testing/allCalls.ts'
import { charts, criteria, dominant, growing } from './testing/charts.ts'
import { downloads } from './testing/downloads.ts'
import { figures, oneStorage } from './testing/figures.ts'
import { copies, folderLists, suggestions, typedPaths, writtenTags } from './testing/lists.ts'
import { ofProjects } from './testing/ofProjects.ts'
import { address, answerOf, anyFolder, inPath, pathOf, rowsOn, type LimitedCase, twoDates } from './testing/asking.ts'
import { compare, folderThroughTime } from './testing/throughTime.ts'
import { asSeenBy, newLimitedUser, randomLimits, scansOf } from './testing/limitedHistory.ts'

const platform = await testPlatform()
const days = ['2026-01-01', '2026-01-02', '2026-02-03', '2026-03-09'].slice(0, cases(3, 4))
const deletedDays = Number(configurationKeys.deletedFilesNumberOfDays.defaultValue)

const search = async (seen: LimitedCase): Promise<void> => {
  for (const kind of ['files', 'folders'] as const) await searchFor(seen, kind)
}
async function searchFor(seen: LimitedCase, kind: 'files' | 'folders') {
  const { random, dates, knownOn, fileIds } = seen
  const indexingDate = random.pick(dates)
  const known = knownOn(indexingDate, deletedDays)
  const query: Record<string, string | string[]> =
    known.length > 0 ? { ...randomFilters(random, known, kind), indexingDate } : { indexingDate }
  const meant = chosen(known, SearchFilters.parse(query), kind)
  const list = kind === 'files' ? '/files/search' : '/directories/search'
  const { elements, total } = await answerOf<{ elements: Entry[]; total: number }>(seen, list, {
    ...query,
    size: '1000',
  })
  const shown = ({ fileId, path, size, previousPath, dupe, customTag, deleted }: Partial<Entry>) =>
    JSON.stringify([fileId, path, size, previousPath, dupe, customTag, deleted])
  const expected = meant.map(({ volumeId, key, path, row, dupe, tags, deleted }) =>
    shown({
      fileId: fileIds.get(`${volumeId} ${key}`) ?? '',
      path,
      size: row.size,
      previousPath: row.previousPath,
      dupe,
      deleted,
      customTag: shownTags(tags),
    }),
  )
  expect({ query, total, found: elements.map(shown).sort() }).toEqual({
    query,
    total: meant.length,
    found: expected.sort(),
  })
  if (kind === 'folders') return
  const { onlyDuplicates, showOnlyDeletedFiles } = SearchFilters.parse(query)
  const totals = onlyDuplicates ? addUpDuplicates(meant, showOnlyDeletedFiles) : addUp(meant)
  expect({ query, ...(await answerOf<object>(seen, '/files/search/sizes', query)) }).toEqual({ query, ...totals })
  const fieldName = random.pick(groupingFields)
  const fields = await answerOf<{ field: string }[]>(seen, '/files/search/fields', {
    ...query,
    fieldName,
    size: '1000',
  })
  expect(fields.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual(addUpByField(meant, fieldName))
}

/** True if the entry lost its path by a move within the visible folders. */
function isMovedBetween({ visible }: LimitedCase, { volumeId, key }: KnownEntry, from: string, to: string): boolean {
  const scans = visible.scans.filter((scan) => scan.volumeId === volumeId && scan.date > from && scan.date <= to)
  const isThere = (date: string) =>
    visible.dates.get(date)?.some((state) => state.volumeId === volumeId && state.rows.has(key))
  const lost = scans.find(({ date, moves }) => [...moves.values()].includes(key) || !isThere(date))
  return lost !== undefined && [...lost.moves.values()].includes(key)
}

const childrenIn = (
  { knownOn }: LimitedCase,
  { volumeId, path, isDirectory }: { volumeId: number; path: string; isDirectory: boolean },
  date: string,
) =>
  knownOn(date, deletedDays).filter(
    ({ row, deleted, ...entry }) =>
      !deleted && entry.volumeId === volumeId && row.isDirectory === isDirectory && row.parentPath === inPath(path),
  )

async function browse(seen: LimitedCase) {
  const { random, dates } = seen
  const { volumeId, path } = anyFolder(seen)
  const indexingDate = random.pick(dates)
  const query = { path, storageId: `${volumeId}`, indexingDate, size: '1000' }
  const childrenOn = (date: string, isDirectory: boolean) => childrenIn(seen, { volumeId, path, isDirectory }, date)
  const contents = await answerOf<Record<'files' | 'folders', { elements: object[]; total: number }>>(
    seen,
    '/v1/directories/contents',
    { ...query, showHiddenDirectories: 'true' },
  )
  const text = (some: object[]) => some.map((one) => JSON.stringify(one)).sort()
  const asListed = (entry: KnownEntry) => shownInRow({ ...entry, tags: shownTags(entry.tags) })
  for (const part of ['files', 'folders'] as const) {
    const expected = childrenOn(indexingDate, part === 'folders').map(asListed)
    const fields = Object.keys(expected[0] ?? {})
    const shown = contents[part].elements.map((one) =>
      Object.fromEntries(fields.map((field) => [field, (one as Record<string, unknown>)[field]])),
    )
    expect({ query, part, shown: text(shown) }).toEqual({ query, part, shown: text(expected) })
  }
  for (const kind of ['files', 'directories'] as const) await since(seen, { kind, query, path, volumeId })
}

type Since = { kind: 'files' | 'directories'; query: Record<string, string>; path: string; volumeId: number }

async function since(seen: LimitedCase, { kind, query, path, volumeId }: Since) {
  const [from, to] = twoDates(seen)
  const isDirectory = kind === 'directories'
  const page = await answerOf<{ elements: Changed[] }>(seen, `/v1/${kind}/snapshots/${from}`, {
    ...query,
    indexingDate: to,
  })
  const childrenOn = (date: string) => childrenIn(seen, { volumeId, path, isDirectory }, date)
  const expected = compared(childrenOn(to), childrenOn(from))
  const asChanged = ({ path, size, delta, isCreated, isRemoved, deleted }: Changed) =>
    JSON.stringify([path, size, delta, isCreated, isRemoved, deleted])
  expect({ from, to, query, found: page.elements.map(asChanged).sort() }).toEqual({
    from,
    to,
    query,
    found: expected
      .map(({ entry, was, ...rest }) =>
        asChanged({
          ...rest,
          path: entry.path,
          isCreated: was === 'created',
          isRemoved: was === 'removed',
          deleted: was === 'removed' && !isMovedBetween(seen, entry, from, to),
        }),
      )
      .sort(),
  })
}
type Changed = Pick<Entry, 'path' | 'size'> & {
  delta: number | null
  isCreated: boolean
  isRemoved: boolean
  deleted?: boolean
}

async function map(seen: LimitedCase) {
  const { random, dates, visible } = seen
  const { volumeId, path } = anyFolder(seen)
  const [previousDate, indexingDate] = random.chance(0.5) ? twoDates(seen) : [undefined, random.pick(dates)]
  const rows = rowsOn(visible, indexingDate, volumeId)
  const root = rows.find((row) => row.isDirectory && pathOf(row) === path)
  const query = {
    path,
    storageId: `${volumeId}`,
    levels: '1',
    most: '1000',
    indexingDate,
    ...(previousDate && { previousDate }),
  }
  const { status, body } = await seen.ask('GET', address('/v1/directories/map', query))
  expect({ query, status }).toEqual({ query, status: root ? 200 : 404 })
  if (!root) return
  const before = previousDate === undefined ? undefined : rowsOn(visible, previousDate, volumeId)
  const expected = [root, ...rows.filter(({ parentPath, size }) => parentPath === inPath(path) && size > 0)].map(
    (row) => {
      const was = before?.find((old) => old.isDirectory === row.isDirectory && pathOf(old) === pathOf(row))
      const delta = before === undefined || (was?.size ?? 0) < 0 ? null : row.size - (was?.size ?? 0)
      return JSON.stringify([
        row.name,
        row.isDirectory,
        row.size,
        row.owner,
        delta,
        before !== undefined && was === undefined,
      ])
    },
  )
  const found = (body as FolderMap).entries.map((one) =>
    JSON.stringify([one.name, one.isDirectory, one.size, one.owner, one.delta, one.isCreated]),
  )
  expect({ query, found: found.sort() }).toEqual({ query, found: expected.sort() })
}

/** Calls that the sweep doesn't make, and what tests them with limits. */
const elsewhere: Record<string, string> = {
  'GET /v1/dependents': 'limited.db.test.ts of projects: names of alerts and reports',
  ...Object.fromEntries(
    ['GET /files/search/media', 'POST /v1/search/media', 'GET /v1/media/files/:volumeId/:fileId'].map((call) => [
      call,
      'media.db.test.ts: an agent reads files',
    ]),
  ),
  'GET /v1/media/coverage': 'readMedia.db.test.ts: an agent reads files',
  'GET /v1/files/fields/metadata/mapping': 'word.db.test.ts: the histories have no metadata',
  'POST /v1/files/contents': 'limited.db.test.ts of contents: files are compared by an agent',
  'POST /v1/files/search/tags': 'edges.db.test.ts: a job writes them',
  'POST /v1/search/tags': 'edges.db.test.ts: a job writes them',
  'GET /v1/live/growing': 'growing.db.test.ts of feeds: storages are live',
  'GET /v1/wall/folders': 'limits.db.test.ts of walls',
  'GET /v1/wall/growth': 'limits.db.test.ts of walls',
  ...Object.fromEntries(
    ['checks', 'templates', 'templates/:id', ':id/runs', ':id/comparison', ':id/comparison/entries'].map((path) => [
      `GET /v1/reports/${path}`,
      'limited.db.test.ts of reports: a job counts them',
    ]),
  ),
}

const routes = routesOf(platform)
const calls = routes
  .map(({ endpoint }) => endpoint)
  .filter(({ limitedBy = '' }) => ['entries', 'projects', 'storages'].includes(String(limitedBy)))
const asked = new Set<string>()
/** Notes the call of an address, to find those that no comparison makes. */
function note(method: string, address: string): void {
  const [path = ''] = address.replace(/^\/api/, '').split('?')
  const fits = (call: Endpoint) => new RegExp(`^${call.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  const own = calls.filter((call) => call.method === method)
  const call = own.find((one) => one.path === path) ?? own.find(fits)
  if (call) asked.add(nameOf(call))
}

const parts = [search, browse, map, folderThroughTime, compare, folderLists, typedPaths, copies, suggestions].concat([
  writtenTags,
  criteria,
  charts,
  growing,
  dominant,
  downloads,
  figures,
  oneStorage,
  ofProjects(calls),
])

test.each(Array.from({ length: cases(1, 10) }, (_, i) => i + 1))(
  'answers users with limits as plain loops over the visible entries do, on any dates %i',
  async (seed) => {
    expect.hasAssertions()
    // The days of another history would show its storages, too.
    await sql`TRUNCATE volumes, scans, snapshots, projects CASCADE`.execute(platform.db)
    const random = newRandom(seed)
    const { history, tags } = await newTaggedHistory(platform, random, days, 2, 60)
    const [fileIds, hashes, scanOf] = [
      await readFileIds(platform),
      await readHashes(platform),
      await scansOf(platform, history),
    ]
    for (let n = 0; n < 2; n++) {
      const limits = await randomLimits(platform, random, history)
      const { scope, ask } = await newLimitedUser(platform, ['ROLE_PROJECT_MANAGER'], limits)
      const seen: LimitedCase = {
        ...asSeenBy(scope, history, tags, scanOf),
        platform,
        scope,
        random,
        tags,
        scanOf,
        fileIds,
        hashes,
        deletedDays,
        ask: (method, path, body) => {
          note(method, path)
          return ask(method, path, body)
        },
        dates: [...history.dates.keys()],
        whole: history,
      }
      for (const part of parts) for (let round = 0; round < cases(1, 2); round++) await part(seen)
    }
  },
)

test('every call about entries, projects and storages is compared, or says where it is', () => {
  const missing = calls.map(nameOf).filter((name) => !asked.has(name) && elsewhere[name] === undefined)
  const stale = Object.keys(elsewhere).filter((name) => asked.has(name) || !calls.map(nameOf).includes(name))
  expect({ missing, stale }).toEqual({ missing: [], stale: [] })
})
