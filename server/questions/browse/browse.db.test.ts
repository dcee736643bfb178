import { sql as postgres } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type ComparedEntry, type ComparedPage, comparedSorts, type FolderContents } from '#events/folders/browse.ts'
import { type EntryPage, entrySorts, EntrySummary, type SummaryPage } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { insertTags, type KnownEntry, knownAt, readFileIds } from '#server/questions/search/oracle/known.ts'
import { sorted } from '#server/questions/search/oracle/sorted.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { newHistory } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { asUser, testSession } from '#server/testing.ts'
import { browseRoutes } from './index.ts'
import { compared } from './oracle/expectedTree.ts'
import { shown, shownInRow } from './oracle/expectedTree.ts'
import { cases, testSeed } from '#server/platform/testing/cases.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, browseRoutes(platform)), await testSession(platform.db, []))
const random = newRandom(testSeed(5))
const questions = cases(8, 120)

const planned = ['2026-01-01', '2026-01-02', '2026-01-20', '2026-02-03', '2026-03-09'].slice(0, cases(3, 5))
let dates: string[]
let fileIds: Map<string, string>

beforeAll(async () => {
  const history = await newHistory(platform, random, { dates: planned, disks: 3, entries: 60 })
  dates = [...history.dates.keys()]
  const first = await snapshotAt(platform.db, 'everything', dates[0])
  const versions = first?.duplicatesVersions
  await postgres`DELETE FROM duplicates_of_scans WHERE versions = ${versions}::bigint[]`.execute(platform.db)
  fileIds = await readFileIds(platform)
  const some = knownAt(history, [], random.pick(dates), 30).filter(() => random.chance(0.3))
  const tags = some.map(({ volumeId, key }) => ({ volumeId, key, tag: `it's`, from: '2026-01-15', to: '2026-02-03' }))
  await insertTags(platform, tags)
  for (const date of dates) {
    if ((await snapshotAt(platform.db, 'everything', date))?.duplicatesVersions) lookedUp.add(date)
    const known = knownAt(history, tags, date, Infinity)
    shownOn.set(
      date,
      known.filter(({ deleted }) => !deleted),
    )
    deletedOn.set(date, new Set(known.filter(({ deleted }) => deleted).map(idOf)))
  }
})

/** The expected entries of a date; none before the first. */
const at = (date: string): KnownEntry[] => shownOn.get(date) ?? []
const shownOn = new Map<string, KnownEntry[]>()
const deletedOn = new Map<string, Set<string>>()
/** Lists report copies if these can be looked up, which is made impossible for the first date and its equals. */
const isLookedUp = (date: string) => lookedUp.has(date)
const lookedUp = new Set<string>()
const idOf = ({ volumeId, key }: KnownEntry) => fileIds.get(`${volumeId} ${key}`) ?? ''

type Query = Record<string, string | string[]>
async function answerOf<T>(path: string, query: Query): Promise<T> {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) => [value].flat().map((v) => [key, v])),
  )
  const { status, body } = await ask('GET', `/api${path}?${parameters}`)
  if (status !== 200) throw new Error(`${status} for ${parameters}: ${JSON.stringify(body)}`)
  return body
}

const idsIn = (elements: { fileId: string }[]) => elements.map(({ fileId }) => fileId)

/** A folder that exists on some date, and the storages to query, mostly its own. */
function someFolder() {
  const everything = dates.flatMap(at)
  const { volumeId, row, path } = random.pick(everything)
  const folder = random.pick([row.parentPath, row.isDirectory ? path : row.parentPath.slice(0, -1), '/']) || '/'
  const others = [volumeId, random.pick(everything).volumeId, 999]
  const scope: Query = random.pick([
    { storageId: String(volumeId) },
    { volumeId: String(volumeId) },
    { storageIds: others.join(',') },
    {},
  ])
  const isInScope = (entry: KnownEntry) =>
    Object.keys(scope).length === 0 || Object.values(scope)[0]!.includes(String(entry.volumeId))
  const isIn = (entry: KnownEntry) => isInScope(entry) && entry.row.parentPath === `${folder}/`.replace(/\/+$/, '/')
  return { folder, scope, isInScope, isIn }
}

const pages = (known: unknown[]) => {
  const size = 1 + random.below(8)
  return { size, page: 1 + random.below(Math.ceil(known.length / size) + 1) }
}

const isHidden = ({ path }: KnownEntry) => path.split('/').some((name) => name.startsWith('.'))

test('a folder shows its files and folders, on any date, in any order and page', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) {
    const { folder, scope, isIn } = someFolder()
    const indexingDate = random.pick(dates)
    const isFolders = random.chance(0.5)
    const isAll = random.chance(0.5)
    const children = at(indexingDate).filter((entry) => isIn(entry) && entry.row.isDirectory === isFolders)
    const expected = children.filter((entry) => !isFolders || isAll || !isHidden(entry))
    const [sort, direction] = [random.pick(entrySorts), random.pick(['asc', 'desc'] as const)]
    const { size, page } = pages(expected)
    const isOfRows = random.chance(0.5)
    const whole = isFolders ? ['/directories', 'path'] : ['/files/directory', 'directoryPath']
    const rows = [`/v1/directories/contents/${isFolders ? 'folders' : 'files'}`, 'path']
    const [path, place] = (isOfRows ? rows : whole) as [string, string]
    const hidden: Query = isFolders && isAll ? { showHiddenDirectories: 'true' } : {}
    const query = {
      [place]: folder,
      ...scope,
      ...hidden,
      indexingDate,
      sort,
      direction,
      size: `${size}`,
      page: `${page}`,
    }
    const { elements, total } = await answerOf<EntryPage>(path, query)
    const ids = sorted(expected, sort, direction)
      .slice((page - 1) * size, page * size)
      .map(idOf)
    const context = JSON.stringify([path, query])
    expect({ context, total, ids: idsIn(elements) }).toEqual({ context, total: expected.length, ids })
    for (const element of elements) {
      const entry = expected.find((entry) => idOf(entry) === element.fileId)!
      expect(element).toMatchObject(isOfRows ? shownInRow(entry) : shown(entry, isLookedUp(indexingDate)))
    }
    found += total
  }
  expect([lookedUp.has(dates[0] ?? ''), lookedUp.size > cases(0, 1)]).toEqual([false, true])
  expect(found).toBeGreaterThan(cases(0, questions))
})

test('an opened folder shows its first folders and files, and each list continues to its end', async () => {
  const seen = { whole: 0, cut: 0, foldersAlone: 0 }
  for (let n = 0; n < questions; n++) {
    const { folder, scope, isIn } = someFolder()
    const indexingDate = random.pick(dates)
    const isAll = random.chance(0.5)
    const [sort, direction] = [random.pick(entrySorts), random.pick(['asc', 'desc'] as const)]
    const children = at(indexingDate).filter(isIn)
    const folders = children.filter((entry) => entry.row.isDirectory && (isAll || !isHidden(entry)))
    const files = children.filter((entry) => !entry.row.isDirectory)
    const size = 1 + random.below(8)
    const query = { ...scope, indexingDate, sort, direction, size: `${size}` }
    const hidden: Query = isAll ? { showHiddenDirectories: 'true' } : {}
    const contents = await answerOf<FolderContents>('/v1/directories/contents', { ...query, ...hidden, path: folder })
    const room = folders.length < size ? size - folders.length : size
    for (const [list, expected, most, part] of [
      [contents.folders, folders, size, 'folders'],
      [contents.files, files, room, 'files'],
    ] as const) {
      const inOrder = sorted(expected, sort, direction)
      const context = JSON.stringify([part, query])
      const { total, elements } = list
      expect({ context, total, ids: idsIn(elements) }).toEqual({
        context,
        total: expected.length,
        ids: inOrder.slice(0, most).map(idOf),
      })
      for (const [index, element] of elements.entries()) expect(element).toMatchObject(shownInRow(inOrder[index]!))
      expect(elements.every((element) => Object.keys(element).every((key) => key in EntrySummary.shape))).toBe(true)
      const ids = [...elements, ...(await restOf(part, { ...query, ...hidden, path: folder }, list))].map(
        ({ fileId }) => fileId,
      )
      expect({ context, ids }).toEqual({ context, ids: inOrder.map(idOf) })
    }
    seen[folders.length >= size ? 'foldersAlone' : files.length > room ? 'cut' : 'whole'] += 1
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(cases(0, 3))
})

/** All entries after the beginning of a list. */
async function restOf(part: string, query: Query, { cursor }: SummaryPage): Promise<EntrySummary[]> {
  if (cursor === null) return []
  return (await answerOf<SummaryPage>(`/v1/directories/contents/${part}`, { ...query, size: '1000', cursor })).elements
}

test('a folder is next to its previous date', async () => {
  const seen = { created: 0, removed: 0, '': 0 }
  const isSeen = () => Math.min(...Object.values(seen)) > cases(0, 10)
  for (let n = 0; n < questions || (!isSeen() && n < 10 * questions); n++) {
    const { folder, scope, isIn } = someFolder()
    const indexingDate = random.pick(dates)
    const previousDate = random.pick(['2025-12-31', ...dates.filter((date) => date <= indexingDate)])
    const isFolders = random.chance(0.5)
    const of = (date: string) => at(date).filter((entry) => isIn(entry) && entry.row.isDirectory === isFolders)
    const changes = compared(of(indexingDate), of(previousDate))
    const byId = new Map(changes.map((change) => [idOf(change.entry), change]))
    const [sort, direction] = [random.pick(comparedSorts), random.pick(['asc', 'desc'] as const)]
    const { size, page } = pages(changes)
    const path = `/v1/${isFolders ? 'directories' : 'files'}/snapshots/${previousDate}`
    const query = { ...scope, path: folder, indexingDate, sort, direction, size: `${size}`, page: `${page}` }
    const answer = await answerOf<ComparedPage>(path, query)
    const sized = (sizeOf: (change: Compared) => number) =>
      changes.map((change) => ({ ...change.entry, row: { ...change.entry.row, size: sizeOf(change) } }))
    const inOrder =
      sort === 'delta' || sort === 'absoluteDelta'
        ? sorted(
            sized(({ delta }) => (sort === 'delta' ? (delta ?? 0) : Math.abs(delta ?? 0))),
            'size',
            direction,
          )
        : sorted(
            sized(({ size }) => size),
            sort,
            direction,
          )
    const context = JSON.stringify([path, query])
    expect({ context, total: answer.total, ids: answer.elements.map(({ fileId }) => fileId) }).toEqual({
      context,
      total: changes.length,
      ids: inOrder.slice((page - 1) * size, page * size).map(idOf),
    })
    expect(answer.previousIndexingDate).toBe(previousDate < dates[0]! ? null : previousDate)
    for (const element of answer.elements) {
      const change = byId.get(element.fileId)!
      const looked = isLookedUp(change.was === 'removed' ? previousDate : indexingDate)
      expectSame(element, change, looked, deletedOn.get(indexingDate)!.has(element.fileId))
    }
    for (const { was } of changes) seen[was]++
  }
  expect(isSeen()).toBe(true)
})

test('a folder is next to a day before the first snapshot, in any order', async () => {
  const query = { path: '/', indexingDate: dates[0]! }
  for (const sort of comparedSorts) {
    const { elements, total } = await answerOf<ComparedPage>('/v1/files/snapshots/2025-12-31', { ...query, sort })
    expect([sort, elements.length, elements.every(({ isCreated }) => isCreated)]).toEqual([sort, total, true])
  }
})

type Compared = ReturnType<typeof compared>[number]

function expectSame(
  element: ComparedEntry,
  { entry, size, delta, was }: Compared,
  looked: boolean,
  deleted: boolean,
): void {
  const [isCreated, isRemoved] = [was === 'created', was === 'removed']
  const same = shown(entry, looked)
  expect(element).toMatchObject({ ...same, size, delta, isCreated, isRemoved, deleted })
}

test('a typed path suggests the folders that it may mean', async () => {
  let found = 0
  for (let n = 0; n < questions; n++) {
    const indexingDate = random.pick(dates)
    const { scope, isInScope } = someFolder()
    const folders = at(indexingDate).filter(({ row }) => row.isDirectory)
    const { row, path } = random.pick(folders)
    const names = path.split('/').slice(1)
    const part = row.name.slice(0, 1 + random.below(4))
    const typed = random.pick([
      '',
      '/',
      path,
      `${path}/`,
      row.parentPath + part,
      part.toUpperCase(),
      row.name.slice(-2),
      names.slice(-2).join('/'),
      `${row.name}/`,
      'a',
      '%',
      '/nowhere/a',
    ])
    const lower = typed.toLowerCase()
    const isMeant = ({ row, path }: KnownEntry) => {
      const name = row.name.toLowerCase()
      const end = lower.slice(lower.lastIndexOf('/') + 1)
      if (typed === '' || typed.startsWith('/'))
        return row.parentPath === (typed.slice(0, typed.length - end.length) || '/') && name.includes(end)
      if (!typed.includes('/')) return name.includes(lower)
      return (
        name.startsWith(end) &&
        path
          .toLowerCase()
          .slice(0, path.length - name.length + end.length)
          .endsWith(`/${lower}`)
      )
    }
    const expected = folders.filter((entry) => isInScope(entry) && isMeant(entry))
    const query = { path: typed, ...scope, indexingDate }
    const { elements, total } = await answerOf<EntryPage>('/v1/directories/paths', query)
    const context = JSON.stringify({ typed, scope, indexingDate })
    const ids = sorted(expected, 'path', 'asc').map(idOf)
    expect({ context, total, ids: idsIn(elements) }).toEqual({ context, total: expected.length, ids })
    found += total
  }
  expect(found).toBeGreaterThan(cases(0, questions))
})
