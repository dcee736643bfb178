import { beforeAll, expect, test } from 'vitest'
import { noFilters } from '#events/search/filters.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { changeTagsOf } from '#server/work/tags/changeTagsOf.ts'
import { tagResults } from '#server/work/tags/tagResults.ts'
import { createApp } from '#server/app.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { newLimitedUser } from './testing/limitedHistory.ts'

const platform = await testPlatform()
const volumeId = await newVolume(platform, 'Films')
const indexingDate = '2026-01-01'
const link = { linkCount: 3, inode: 70, size: 600, allocatedSize: 1024 }
const folder = (path: string, inode: number) => ({ path, isDirectory: true, inode })
const report = 'dataintell.report.Large.2026-01-01'

beforeAll(async () => {
  await scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [folder('/all', 2)] },
    { path: '/all', entries: [folder('/all/a', 3), folder('/all/b', 4), folder('/all/c', 5)] },
    {
      path: '/all/a',
      entries: [
        { ...link, path: '/all/a/first' },
        { path: '/all/a/vega.mov', inode: 10, owner: 'vega', group: 'vega', metadata: { vega: 'vega' } },
      ],
    },
    { path: '/all/b', entries: [{ ...link, path: '/all/b/second' }] },
    {
      path: '/all/c',
      entries: [
        { ...link, path: '/all/c/third' },
        { path: '/all/c/plain', inode: 9 },
      ],
    },
  ])
  await changeTagsOf(platform, [entry('/all'), entry('/all/b')], {
    decide: () => ({ add: ['client', report], remove: [] }),
    by: system,
    scope: 'everything',
  })
  await changeTagsOf(platform, [entry('/all/a')], {
    decide: () => ({ add: ['vega', 'dataintell.report.Vega.2026-01-01'], remove: [] }),
    by: system,
    scope: 'everything',
  })
})

const entry = (path: string, isDirectory = true) => ({ volumeId, path, isDirectory })
const newUser = () =>
  newLimitedUser(platform, ['ROLE_PROJECT_MANAGER'], {
    folders: ['/all/b', '/all/c'].map((path) => ({ storageId: volumeId, path })),
  })

test('of the hard links of a file the first visible one has its bytes, and the folders above count it once', async () => {
  const { scope } = await newUser()
  const rows = [...(await readRows(platform, volumeId, indexingDate, scope)).values()]
  const sizes = rows.map(({ parentPath, name, size, allocatedSize, countedSize }) => [
    parentPath + name,
    size,
    allocatedSize,
    countedSize,
  ])
  expect(sizes.sort()).toEqual([
    ['', 610, 1536, 610],
    ['/all', 610, 1536, 610],
    ['/all/b', 600, 1024, 600],
    ['/all/b/second', 600, 1024, 600],
    ['/all/c', 610, 1536, 610],
    ['/all/c/plain', 10, 512, 10],
    ['/all/c/third', 600, 1024, 0],
  ])
})

type FolderPage = { elements: { path: string; customTag: string[] }[] }

test('tags of the folders above are not shown, and match nothing', async () => {
  const { ask } = await newUser()
  const found = async (query: string) => {
    const { elements } = (await ask('GET', `/api/directories/search?${query}`).expect(200)).body as FolderPage
    return elements.map(({ path, customTag }) => [path, ...customTag]).sort()
  }
  expect(await found('size=10')).toEqual([['/all'], ['/all/b', 'client'], ['/all/c']])
  expect(await found('tag=client')).toEqual([['/all/b', 'client']])
  // Another user's report may have compared data that this user doesn't see.
  expect(await found('report=Large')).toEqual([])
  const { body } = await ask('GET', `/api/v1/directories/contents?path=/&storageId=${volumeId}`).expect(200)
  expect(body.folders.elements).toMatchObject([{ path: '/all', customTag: [] }])
})

test('tags are written within the scope only, also by jobs', async () => {
  const { id, ask } = await newUser()
  const change = (...entries: object[]) => ask('PUT', '/api/v1/files/tags', { entries, add: ['mine'] })
  for (const outside of [entry('/all'), entry('/all/a'), entry('/all/a/first', false), entry('/nowhere')])
    await change(outside, entry('/all/c')).expect(404)
  await change(entry('/all/c')).expect(200, { changed: 1 })
  await tagResults(
    platform,
    { tags: ['swept'], remove: false, isDirectory: true, filters: noFilters, limitedTo: id },
    async () => true,
  )
  const rows = await platform.clickhouse.rows<{ path: string; tag: string }>(
    sql`
      SELECT concat(parent_path, name) AS path, tag FROM entry_tags FINAL WHERE tag IN ('mine', 'swept') ORDER BY path, tag`,
  )
  expect(rows).toEqual([
    { path: '/all/b', tag: 'swept' },
    { path: '/all/c', tag: 'mine' },
    { path: '/all/c', tag: 'swept' },
  ])
})

/** A storage with a file in a folder that moves after each scan; returns its ID, and the numbers of its scans. */
async function wanderingFolder(name: string, paths: string[]) {
  const id = await newVolume(platform, name)
  const dates = ['2026-02-01', '2026-02-02', '2026-02-03'].slice(0, paths.length)
  for (const [at, path] of paths.entries())
    await scanFolders(platform, { volumeId: id, indexingDate: dates[at] ?? '' }, [
      { path: '', entries: [folder(path, 40), folder('/still', 41)] },
      { path, entries: [{ path: `${path}/take.mov`, inode: 42, size: 70, modified: 1_650_000_000 }] },
      { path: '/still', entries: [] },
    ])
  const scans = await platform.db.selectFrom('scans').select('id').where('volumeId', '=', id).orderBy('id').execute()
  return { id, scans: scans.map((scan) => scan.id) }
}

const kindsBetween = async (ask: Awaited<ReturnType<typeof newUser>>['ask'], id: number) => {
  const { body } = await ask('GET', `/api/v1/comparisons/2026-02-01/files?indexingDate=2026-02-03&volumeId=${id}`)
  return (body as { elements: { kind: string; path: string; previousPath: string }[] }).elements
    .map(({ kind, path, previousPath }) => [kind, path, previousPath])
    .sort()
}

test('a project that moved twice between two dates has moved, and a file that was elsewhere between them is new', async () => {
  const { id, scans } = await wanderingFolder('Wandering', ['/one', '/two', '/three'])
  const draft = { name: 'Wanderer', description: '', allocatedSize: 0 }
  const project = await platform.db.insertInto('projects').values(draft).returning('id').executeTakeFirstOrThrow()
  const places = ['/one', '/two', '/three'].map((path, at) => ({
    projectId: project.id,
    volumeId: id,
    isNested: false,
    path,
    fromScan: at === 0 ? 0 : (scans[at] ?? 0),
    ...(at < 2 && { beforeScan: scans[at + 1] ?? 0 }),
  }))
  await platform.db.insertInto('projectFolders').values(places).execute()
  const follower = await newLimitedUser(platform, [], { projects: [project.id] })
  expect(await kindsBetween(follower.ask, id)).toEqual([['MOVED', '/three/take.mov', '/one/take.mov']])
  const folders = ['/one', '/three', '/still'].map((path) => ({ storageId: id, path }))
  const { ask } = await newLimitedUser(platform, [], { folders })
  expect(await kindsBetween(ask, id)).toEqual([
    ['CREATED', '/three/take.mov', ''],
    ['REMOVED', '/one/take.mov', ''],
  ])
})

test('links opened by a user with limits, and pages counted for them, have nothing of other folders', async () => {
  const { ask } = await newUser()
  const get = async (path: string) => (await ask('GET', `/api${path}`).expect(200)).body
  // The addresses that someone without limits would share.
  const filters = `startingPath=/all/a&storageAndPath=${volumeId}:/all/a&search=first`
  expect(await get(`/files/search?${filters}`)).toMatchObject({ elements: [], total: 0, cursor: null })
  expect(await get(`/files/search/sizes?${filters}`)).toEqual({ count: 0, size: 0 })
  const page = await get(`/files/search?size=1&sort=path,asc&volumeId=${volumeId}`)
  expect([page.total, page.elements.length]).toEqual([3, 1])
  const paths: string[] = []
  for (let cursor: string | null = page.cursor, { elements } = page; ;) {
    paths.push(...elements.map((one: { path: string }) => one.path))
    if (cursor === null) break
    const next = await get(
      `/files/search?size=1&sort=path,asc&volumeId=${volumeId}&cursor=${encodeURIComponent(cursor)}`,
    )
    ;[cursor, elements] = [next.cursor, next.elements]
  }
  expect(paths).toEqual(['/all/b/second', '/all/c/plain', '/all/c/third'])
})

// Reported for other products: lists of values that ignore the limits, because they are kept for everyone.
test('values that someone without limits reads are not suggested to others, in any order', async () => {
  const { ask } = await newUser()
  const everyone = asUser(createApp(platform, routesOf(platform)), await testSession(platform.db, []))
  const lists = [
    '/v1/files/tags?',
    '/v1/files/reports?',
    '/v1/files/fields/metadata/mapping?',
    ...['owner', 'extension'].map((name) => `/files/search/fields?fieldName=${name}&`),
  ]
  for (const list of lists) {
    const read = async (of: typeof ask) => (await of('GET', `/api${list}indexingDate=${indexingDate}`).expect(200)).text
    const [first, all, again] = [await read(ask), await read(everyone), await read(ask)]
    expect([list, again]).toEqual([list, first])
    expect([list, /vega|mov|video/i.test(first)]).toEqual([list, false])
    expect([list, /vega|mov|video/i.test(all)]).toEqual([list, true])
  }
})

// Reported for other products: a name that is refused because something hidden has it.
test('a name that something hidden has is free', async () => {
  const { ask } = await newUser()
  const { id: other } = await testUser(platform.db, [])
  const saved = { name: 'Vega', query: '', isShared: true }
  await platform.db
    .insertInto('savedSearches')
    .values({ ...saved, userId: other })
    .execute()
  await ask('POST', '/api/v1/savedSearches', saved).expect(200)
  const draft = { name: 'Vega', description: '', allocatedSize: 0 }
  await platform.db.insertInto('projects').values(draft).execute()
  const answers = []
  for (const name of ['Vega', 'Free']) {
    const { status, body } = await ask('POST', '/api/projects', { ...draft, name, paths: [] })
    answers.push([status, body])
  }
  expect(answers[0]).toEqual(answers[1])
})

const callsOfPaths = [
  '/files/search?search=vega&startingPath=',
  '/directories/search?search=a&startingPath=',
  '/files/directory?directoryPath=',
  '/directories?path=',
  `/directories/details?storageId=${volumeId}&path=`,
  `/directories/statistics?storageId=${volumeId}&path=`,
  `/v1/directories/details?storageId=${volumeId}&path=`,
  `/v1/directories/contents?storageId=${volumeId}&path=`,
  `/v1/directories/map?storageId=${volumeId}&path=`,
  `/v1/directories/map/dominant?by=owner&storageId=${volumeId}&path=`,
  '/v1/directories/paths?path=',
  '/v1/directories/lookup?path=',
  '/v1/comparisons/2026-01-01?path=',
]
const oddPaths = ['', '/', '/all', '/all/', '//all', '/all/b/..', '/all/b/../a', '/all/b/../../all/a', '/ALL/a'].concat(
  [
    String.raw`/all/b\..\a`,
    '/all/b/%2e%2e/a',
    '/all/b/../a/vega.mov',
    '/all/./a',
    '/all/a/',
    '/Films/all/a',
    'all/a',
    '*',
  ],
)

// Reported for other products: searches without a folder, and paths that leave one, that list what is elsewhere.
test('no search without a folder, and no path that leaves one, leads outside', async () => {
  const { ask } = await newUser()
  for (const [at, path] of oddPaths.entries())
    for (const [n, call] of callsOfPaths.entries()) {
      if (!isLong && (at + n) % 8 !== 0) continue
      const { status, body } = await ask('GET', `/api${call}${encodeURIComponent(path)}`)
      // Errors repeat the path.
      const text = JSON.stringify(status === 200 ? body : {})
      expect([call, path, status < 500, /vega|\/all\/a"/.test(text)]).toEqual([call, path, true, false])
    }
})

test('a hidden folder is answered with the same bytes as one that never existed', async () => {
  const { ask } = await newUser()
  for (const call of callsOfPaths) {
    const answers = []
    for (const path of ['/all/a', '/all/q']) {
      const { status, text, headers } = await ask('GET', `/api${call}${path}`)
      const { date: _, etag: __, 'content-security-policy': ___, ...others } = headers as Record<string, string>
      answers.push({ status, text: text.replaceAll(path, ''), ...others })
    }
    expect([call, answers[0]]).toEqual([call, answers[1]])
  }
})
