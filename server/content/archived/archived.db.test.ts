import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type ArchivedTotals, type ArchiveState, archiveStates, archiveStateTitles } from '#events/search/archived.ts'
import type { Entry } from '#events/entries.ts'
import type { PathMapping } from '#events/sources/pathMapping.ts'
import { createApp } from '#server/app.ts'
import { exportRoutes } from '#server/questions/exports/index.ts'
import { cases, isLong, testSeed } from '#server/platform/testing/cases.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { expectedArchive } from './oracle/expectedArchive.ts'
import { type KnownFile, randomFiles, randomIndex, randomMappings, type Storage } from './oracle/randomArchive.ts'
import { archivedRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const routes = [...searchRoutes(platform), ...exportRoutes(platform), ...archivedRoutes(platform)]
const ask = asUser(createApp(platform, routes), await testSession(db, []))
const seed = testSeed(20_261_127)

beforeEach(async () => {
  await db.deleteFrom('snapshots').execute()
  await db.deleteFrom('archiwareMappings').execute()
  await sql`UPDATE volumes SET name = 'Past ' || id`.execute(db)
})

async function newStorage(name: string, type: string, path = `/${name}`): Promise<number> {
  const { id } = await db.insertInto('volumes').values({ name, path, type }).returning('id').executeTakeFirstOrThrow()
  return id
}
async function newShare(name: string): Promise<number> {
  const volumeId = await newStorage(name, 'NetworkVolume', '/')
  const share = { type: 'SMB' as const, host: 'nas', shareName: name, options: '', credentialId: null }
  await db
    .insertInto('networkVolumes')
    .values({ volumeId, ...share })
    .execute()
  return volumeId
}
async function newIndex(name: string, path: string): Promise<number> {
  const volumeId = await newStorage(name, 'Archiware', `p5://${name}`)
  await db.insertInto('archiwares').values({ volumeId, indexId: name, path, credentialId: null }).execute()
  return volumeId
}
const setMappings = async (mappings: PathMapping[]) => {
  await db.deleteFrom('archiwareMappings').execute()
  if (mappings.length > 0)
    await db
      .insertInto('archiwareMappings')
      .values(mappings.map(({ externalPath, ...mapping }) => ({ ...mapping, archiwarePath: externalPath })))
      .execute()
}

/** Scans a storage with these files, by their paths in it, and their folders. */
function scan(volumeId: number, indexingDate: string, files: Iterable<File>, cloneIndex = false) {
  const contents = new Map<string, File[]>([['', []]])
  const folderOf = (path: string): File[] => {
    const above = contents.get(path)
    if (above) return above
    folderOf(path.slice(0, path.lastIndexOf('/'))).push({ path, isDirectory: true, inode: 5 })
    const own: File[] = []
    contents.set(path, own)
    return own
  }
  for (const file of files) folderOf(file.path.slice(0, file.path.lastIndexOf('/'))).push(file)
  const folders = [...contents].map(([path, entries]) => ({ path, entries }))
  return scanFolders(platform, { volumeId, indexingDate, cloneIndex }, folders)
}

const search = async (query: string): Promise<Entry[]> =>
  (await ask('GET', `/api/files/search?size=500&sort=path&${query}`).expect(200)).body.elements
const searchBy = async (indexingDate: string, criteria: object): Promise<Entry[]> =>
  (await ask('POST', `/api/v1/search?size=500&indexingDate=${indexingDate}`, criteria).expect(200)).body.elements
const pathsOf = (entries: Pick<Entry, 'fullPath'>[]) => entries.map(({ fullPath }) => fullPath).sort()
const within = (root: string, files: Map<string, KnownFile>): File[] =>
  [...files.values()].map((file) => ({ ...file, path: root === '/' ? file.path : file.path.slice(root.length) }))

const dates = ['2026-01-01', '2026-01-02', '2026-01-03'] as const
const choices: ArchiveState[][] = [
  ...archiveStates.map((state) => [state]),
  ['archived', 'changed'],
  [...archiveStates],
]
choices.push(['changed', 'notArchived'], ['archived', 'notArchived'])

async function randomHistory(caseSeed: number) {
  const random = newRandom(caseSeed)
  const storages: Storage[] = [
    { volumeId: await newStorage('Films', 'crawl.files'), root: '/Films', files: randomFiles(random) },
    { volumeId: await newShare('media'), root: String.raw`\\nas\media`, files: randomFiles(random) },
    { volumeId: await newStorage('x', 'DellPowerScale', '/mnt/x'), root: '/mnt/x', files: randomFiles(random) },
  ]
  const mappings = randomMappings(random, storages)
  const named = [
    { name: 'Index A', root: '/' },
    { name: 'Index B', root: '/mnt/x' },
  ]
  const indexes = named.map(({ name, root }) => ({
    name,
    ...randomIndex(random, root, dates.length, { storages, mappings }),
  }))
  // One after another: answers name indexes in the order of their numbers.
  const ids: number[] = []
  for (const { name, root } of named) ids.push(await newIndex(name, root))
  await setMappings(mappings)
  for (const [n, date] of dates.entries()) {
    for (const { volumeId, files } of n === 0 ? storages : []) await scan(volumeId, date, files.values())
    for (const [at, { root, scans }] of indexes.entries()) await scan(ids[at]!, date, within(root, scans[n]!), n > 0)
  }
  return { storages, mappings, indexes }
}

const seeds = Array.from({ length: cases(1, 40) }, (_, n) => seed + n)
test.each(seeds)('searches, lists, totals and downloads agree with a comparison file by file: case %i', async (at) => {
  const { storages, mappings, indexes } = await randomHistory(at)
  for (const [n, date] of dates.entries()) {
    const expected = storages.flatMap((storage) =>
      [...storage.files.values()].map((file) => ({
        ...file,
        volumeId: storage.volumeId,
        fullPath: storage.root + (storage.root.startsWith('\\') ? file.path.replaceAll('/', '\\') : file.path),
        archive: expectedArchive(file, storage, { mappings, indexes, scans: n + 1 }),
      })),
    )
    const having = (states: ArchiveState[]) => expected.filter(({ archive }) => states.includes(archive.state))
    const all = await search(`indexingDate=${date}`)
    const shown = Object.fromEntries(all.map(({ fullPath, archive }) => [fullPath, archive]))
    for (const { fullPath, archive } of expected)
      expect({ [fullPath]: shown[fullPath] }).toEqual({ [fullPath]: archive })
    for (const states of isLong ? choices : choices.filter((_, i) => i % dates.length === n)) {
      const filter = states.map((state) => `archived=${state}`).join('&')
      expect(pathsOf(await search(`indexingDate=${date}&${filter}`))).toEqual(pathsOf(having(states)))
      const inFolder = having(states).filter(({ path }) => path.startsWith('/a/'))
      expect(pathsOf(await search(`indexingDate=${date}&startingPath=/a&${filter}`))).toEqual(pathsOf(inFolder))
      const found = await searchBy(date, [{ archived: { values: states } }])
      expect(pathsOf(found)).toEqual(pathsOf(having(states)))
    }
    await expectTotals(date, expected)
    await expectDownload(date, expected)
  }
})

type Expected = Pick<Entry, 'fullPath' | 'volumeId' | 'size' | 'archive'>[]

async function expectTotals(date: string, expected: Expected) {
  for (const volumeId of new Set(expected.map((file) => file.volumeId))) {
    const totals = (state: ArchiveState) => {
      const files = expected.filter((file) => file.volumeId === volumeId && file.archive?.state === state)
      return { count: files.length, size: files.reduce((sum, { size }) => sum + size, 0) }
    }
    const { body } = await ask('GET', `/api/v1/detailedVolumes/${volumeId}/archived?indexingDate=${date}`).expect(200)
    expect(body).toEqual({
      archived: totals('archived'),
      changed: totals('changed'),
      notArchived: totals('notArchived'),
      indexes: ['Index A', 'Index B'],
    } satisfies ArchivedTotals)
  }
}

async function expectDownload(date: string, expected: Expected) {
  const { body } = await ask('GET', `/api/files/search/csv?indexingDate=${date}`).responseType('blob')
  const [heads = [], ...rows] = readCsv(body as Buffer)
  const cell = (row: string[], head: string) => row[heads.indexOf(head)]
  const cells = new Map(
    rows.map((row) => [cell(row, 'Path'), ['Archive state', 'Archive index'].map((h) => cell(row, h))]),
  )
  for (const { fullPath, archive } of expected)
    expect(cells.get(fullPath)).toEqual([archiveStateTitles[archive?.state ?? 'notArchived'], archive?.index ?? ''])
  const compared = new Set(expected.map(({ fullPath }) => fullPath))
  const others = [...cells].filter(([path]) => !compared.has(path ?? ''))
  expect(new Set(others.flatMap(([, texts]) => texts))).toEqual(new Set(['']))
}

const day = dates[0]
const film = { size: 10, modified: 1_600_000_000 }

test('a mapping takes effect at once, and the longest one counts', async () => {
  const films = await newStorage('Films', 'crawl.files')
  const index = await newIndex('Tapes', '/Volumes')
  await scan(films, day, [{ path: '/raw/a.mov', ...film }])
  await scan(index, day, [{ path: '/Raw/a.mov', ...film, backupDate: 1_700_000_000 }])
  const state = async () => (await search('')).find(({ path }) => path === '/raw/a.mov')?.archive?.state
  expect(await state()).toBe('notArchived')
  const everywhere = { volumeId: -1, dataintellPath: '/Films/raw', externalPath: '/Volumes/Raw' }
  await setMappings([everywhere])
  expect(await state()).toBe('archived')
  expect(await search('archived=archived')).toHaveLength(1)
  await setMappings([everywhere, { volumeId: films, dataintellPath: '/Films', externalPath: '/Volumes' }])
  expect(await state()).toBe('notArchived')
  expect(await search('archived=archived')).toEqual([])
})

test('an unknown size or time, and a folder, are never an archived file', async () => {
  const films = await newStorage('Films', 'crawl.files')
  const index = await newIndex('Tapes', '/')
  const unread = { size: -1, modified: 0 }
  await scan(films, day, [
    { path: '/unread', ...unread },
    { path: '/undated', size: 10, modified: 0 },
    { path: '/folder', ...film },
  ])
  await scan(index, day, [
    { path: '/Films/unread', ...unread },
    { path: '/Films/undated', size: 10, modified: 0 },
    { path: '/Films/folder/in it', ...film },
  ])
  const states = (await search(`volumeId=${films}`)).map(({ name, archive }) => [name, archive])
  expect(states).toEqual([
    ['folder', { state: 'notArchived', since: null, index: null }],
    ['undated', { state: 'changed', since: null, index: 'Tapes' }],
    ['unread', { state: 'changed', since: null, index: 'Tapes' }],
  ])
  expect(await search('archived=archived')).toEqual([])
  expect(pathsOf(await search('archived=changed'))).toEqual(['/Films/undated', '/Films/unread'])
})

test('without an index in the snapshot, and outside file storages, the state is missing', async () => {
  const films = await newStorage('Films', 'crawl.files')
  await scan(films, day, [{ path: '/a.mov', ...film }])
  const totalsOf = async (id: number) => (await ask('GET', `/api/v1/detailedVolumes/${id}/archived`).expect(200)).body
  expect((await search('')).map(({ archive }) => archive)).toEqual([null])
  expect(await search('archived=notArchived')).toEqual([])
  expect(await totalsOf(films)).toBeNull()
  const bucket = await newStorage('Bucket', 'S3')
  const index = await newIndex('Tapes', '/')
  await scan(bucket, day, [{ path: '/a.mov', ...film }])
  await scan(index, day, [{ path: '/Bucket/a.mov', ...film }])
  expect(await totalsOf(bucket)).toBeNull()
  expect(pathsOf(await search('archived=notArchived'))).toEqual(['/Films/a.mov'])
  const { body } = await ask('GET', '/api/directories/search?archived=notArchived').expect(200)
  expect(body.elements).toEqual([])
  await sql`DELETE FROM archiwares`.execute(db)
})
