import { beforeAll, expect, test } from 'vitest'
import type { ActionPlan } from '#events/actions/plans.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes } from '../index.ts'
import { testFilms } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, actionRoutes(platform))
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))

const { volumes, newVolume, file } = testFilms(platform)

beforeAll(async () => {
  const config = { name: 'MDC', host: 'mdc', username: '', password: '', certificateFingerprint: '' }
  const { id } = await db.insertInto('storageManagerConfigs').values(config).returning('id').executeTakeFirstOrThrow()
  const mapping = { volumeId: volumes.films, dataintellPath: '/mnt/films/a', storageManagerPath: '/stornext/snfs1' }
  await db
    .insertInto('storageManagerMappings')
    .values({ ...mapping, storageManagerConfigId: id })
    .execute()
})

const options = {
  planId: '10001',
  clientId: 'localhost',
  serverId: 1,
  credentialsId: 3,
  meta: [],
  indexroot: '',
  deltaScanAfter: false,
}
const plan = async (request: object, query = ''): Promise<ActionPlan> =>
  (await ask('POST', `/api/v1/actions/plans${query}`, request).expect(200)).body as ActionPlan
const upload = { collectionId: null, storageId: 's', storageType: 'S3', dataIntellPaths: [] }
const transfer = (transferType: string) => ({
  name: '',
  transferType,
  conflictHandling: 'OVERWRITE',
  target: { name: 'Cloud', path: '/in', storageId: 'st-2', isDirectory: true },
  sources: [],
})
const { planId: _, clientId, serverId, credentialsId, ...archived } = options
const ofPlan = `clientId=${clientId}&serverId=${serverId}&credentialsId=${credentialsId}&`
const ofClient = `clientId=${clientId}&credentialsId=${credentialsId}&`
const searchCalls: [string, string, object | undefined][] = [
  ['/v1/archiwares/plans/10001/archiveselections/search', ofPlan, archived],
  ['/v1/archiwares/restoreselections/search', ofClient, { relocate: null }],
  ['/v1/storageManager/archiveselections/search', '', undefined],
  ['/v1/storageManager/restoreselections/search', '', { relocate: null }],
  ['/v1/soda/jobs/search', '', transfer('COPY')],
  ['/v1/soda/jobs/search', '', transfer('MOVE')],
  ['/v1/iconik/jobs/search', '', upload],
]
const unlimited = [
  'isDirectory=false',
  'isDirectory=false&indexingDate=2026-01-02',
  'search=&isDirectory=false',
  'search=%20*%20',
  'name=**&owner=*',
  'startingPath=/&minimumSize=0&minimumAllocatedSize=0&minimumSizeUnit=GB&sizeBase=10',
  'extension=&tags=&volumeId=&onlyDuplicates=false',
  'archived=archived&archived=changed&archived=notArchived',
  'minimumNumberOfFiles=0&minimumNumberOfFolders=0',
]
const everything =
  'must name something to search for where no filter does, since the action would take all files of all storages'

test.each(searchCalls)('%s refuses a search without a limit, and starts nothing', async (path, query, body) => {
  const jobs = () => db.selectFrom('jobs').select('id').execute()
  const before = await jobs()
  for (const search of unlimited) {
    const { body: problem } = await ask('POST', `/api${path}?${query}${search}`, body).expect(400)
    expect([search, problem.subErrors]).toEqual([search, [{ field: 'search', message: everything }]])
  }
  expect(await jobs()).toEqual(before)
  const { body: other } = await ask('POST', `/api${path}?${query}search=no-such-file&isDirectory=false`, body)
  expect(other).toMatchObject({ message: 'No file is left to process' })
})

test('filters in the body instead of the query start nothing', async () => {
  for (const [path, query, body] of searchCalls) {
    const { status } = await ask('POST', `/api${path}?${query}isDirectory=false`, { ...body, search: 'one' })
    expect([path, status]).toEqual([path, 400])
  }
})

const named = (wildcard: string) => ({ name: { wildcard } })
test.each([
  [],
  { searchQueryNodes: [] },
  { searchOperator: 'OR', searchQueries: [], searchQueryNodes: [{ searchQueries: [] }] },
  [{ isDirectory: { value: false } }, { indexingDate: { after: '2026-01-01' } }],
  [named('*'), { size: { min: 0 } }, { path: { startsWith: '/' } }, { volumeId: { values: [] } }],
  [{ isDeleted: { value: false } }, { isDeleted: { value: true }, excludeFilter: true }],
  { searchOperator: 'OR', searchQueries: [named('*'), named('*.mov')] },
  { searchQueryNodes: [{ searchOperator: 'OR', searchQueries: [named('a*'), { owner: { regex: '.*' } }] }] },
])('criteria that take everything are planned only if the request says so: %j', async (criteria) => {
  const payload = { ...options, criteria, isDirectory: false }
  const request = { jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT', payload }
  const { body } = await ask('POST', '/api/v1/actions/plans', request).expect(400)
  expect(body.subErrors).toEqual([{ field: 'search', message: everything }])
  expect((await plan(request, '?everything=true')).files).toBe(3)
})

test.each([
  [named('*.mov')],
  [named('*'), { customTags: { wildcard: '*' } }],
  [{ name: { wildcard: '*.tmp' }, excludeFilter: true }],
  { searchOperator: 'OR', searchQueries: [named('a*'), { size: { min: 1 } }] },
  { searchOperator: 'AND', searchQueries: [named('*')], searchQueryNodes: [{ searchQueries: [named('a?')] }] },
])('criteria with a limit are planned: %j', async (criteria) => {
  const planned = await plan({
    jobType: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT',
    payload: { ...options, criteria, isDirectory: false },
  })
  expect(planned.files).toBeLessThanOrEqual(3)
})

test.each(['ARCHIVE_ARCHIWARE_SEARCH_RESULT', 'COMPARE_SEARCH_RESULT'])(
  'a plan of %s needs a limit',
  async (jobType) => {
    const payload = { ...(jobType.startsWith('ARCHIVE') && options), filters: { minimumSize: 0 }, isDirectory: false }
    const { status } = await ask('POST', '/api/v1/actions/plans', { jobType, payload })
    expect(status).toBe(400)
  },
)

const restored = { clientId: 'localhost', credentialsId: 3 }
const restoreOf = (relocate: unknown) => ({
  jobType: 'RESTORE_ARCHIWARE_FILES',
  payload: { ...restored, relocate, dataIntellPaths: ['p5://Default-Archive/mnt'] },
})

test.each([undefined, null, '', '  '])('files return to their own folders with relocate %j', async (relocate) => {
  const { dataIntellPaths } = restoreOf(null).payload
  const { body } = await ask('POST', `/api/v1/archiwares/restoreselections?${ofClient}`, { relocate, dataIntellPaths })
  expect((await findJob(db, body.jobId))?.payload).toMatchObject({ relocate: null })
  const search = `/api/v1/archiwares/restoreselections/search?${ofClient}search=old&isDirectory=false`
  const found = (await ask('POST', search, { relocate, dataIntellPaths: [] }).expect(200)).body
  expect((await findJob(db, found.jobId))?.payload).toMatchObject({ relocate: null })
  const store = { relocate, dataIntellPaths: ['/mnt/films/a'] }
  const retrieved = (await ask('POST', '/api/v1/storageManager/restoreselections', store).expect(200)).body
  expect((await findJob(db, retrieved.jobId))?.payload).toMatchObject({ relocate: null })
  const results = '/api/v1/storageManager/restoreselections/search?search=one&isDirectory=false'
  const searched = (await ask('POST', results, { relocate }).expect(200)).body
  expect((await findJob(db, searched.jobId))?.payload).toMatchObject({ relocate: null })
})

test.each(['/', '/restored', '/restored/', 'D:\\x', 'd:/x/y', '\\\\nas\\share\\x', '/a/..b/c..', '/tar get ä%'])(
  'a client of P5 restores to %s',
  async (relocate) => {
    const { body } = await ask('POST', '/api/v1/actions/plans', restoreOf(relocate)).expect(200)
    expect(body.files).toBe(1)
  },
)

const outside = [
  'restored',
  './x',
  '../x',
  '/a/../../etc',
  '/a/.',
  '/..',
  'D:x',
  'D:\\x\\..\\y',
  'D:/x/../y',
  'D:\\x\\.. \\y',
  '\\\\nas\\share\\..\\x',
  '/a\\..\\b',
  '/stray\uefe9',
  '/nul\0',
]
test.each(outside)('no restore goes to %j', async (relocate) => {
  const store = { relocate, dataIntellPaths: ['/mnt/films/a'] }
  for (const [path, body] of [
    [`/api/v1/archiwares/restoreselections?${ofClient}`, store],
    ['/api/v1/storageManager/restoreselections', store],
    ['/api/v1/storageManager/restoreselections/search?search=one&isDirectory=false', { relocate }],
    ['/api/v1/actions/plans', restoreOf(relocate)],
    ['/api/v1/actions/plans', { jobType: 'RESTORE_STORAGE_MANAGER_FILES', payload: store }],
  ] as const) {
    const { subErrors } = (await ask('POST', path, body).expect(400)).body
    expect(subErrors).toMatchObject([{ field: expect.stringMatching(/^(payload\.)?relocate$/) }])
  }
})

test('StorNext retrieves only to folders that are mapped', async () => {
  const retrieve = (relocate: string) =>
    ask('POST', '/api/v1/storageManager/restoreselections', { relocate, dataIntellPaths: ['/mnt/films/a'] })
  for (const relocate of ['/mnt/films/a', '/mnt/films/a/new', '/stornext/snfs1/new'])
    await retrieve(relocate).expect(200)
  for (const relocate of ['/mnt/films', '/mnt/films/ab', '/etc', '/stornext/snfs10'])
    expect((await retrieve(relocate).expect(400)).body.subErrors).toEqual([
      { field: 'relocate', message: 'must be in a folder that has a Quantum StorNext path' },
    ])
})

test('an archive refuses a folder of the index with . or .. in it', async () => {
  const { body } = await ask('POST', '/api/v1/actions/plans', {
    jobType: 'ARCHIVE_ARCHIWARE_FILES',
    payload: { ...options, indexroot: '/a/../b', dataIntellPaths: ['/mnt/films'] },
  }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'indexroot', message: 'must not have . or .. in it' }])
})

test('names that no system can be given, and keys that lead elsewhere, are left out by name', async () => {
  const odd = await newVolume('Odd', 'crawl.files', '/mnt/odd')
  const bucket = await newVolume('Bucket', 'S3', 's3://odd')
  const on = (volumeId: number) => ({ volumeId, indexingDate: '2026-01-02' })
  await scanFolders(platform, on(odd), [
    {
      path: '',
      entries: [
        file('/latin\uefe9.mov', 1, 3),
        file('/replaced\ufffd.mov', 2, 4),
        { path: '/d\uef80', isDirectory: true, inode: 5 },
        file('/...', 8, 7),
      ],
    },
    { path: '/d\uef80', entries: [file('/d\uef80/good.mov', 4, 6)] },
  ])
  await scanFolders(platform, { ...on(bucket), hasKeys: true }, [
    { path: '', entries: [{ path: '/a', isDirectory: true, inode: 2 }] },
    { path: '/a', entries: [{ path: '/a/..', isDirectory: true, inode: 3 }, file('/a/.', 16, 4)] },
    { path: '/a/..', entries: [file('/a/../shadow', 32, 5)] },
  ])
  const mapping = (volumeId: number, dataintellPath: string) => ({ volumeId, dataintellPath })
  const mapped = [mapping(odd, '/mnt/odd'), mapping(bucket, 's3://odd')]
  const soda = mapped.map((each, i) => ({ ...each, sodaStorageId: `own-${i + 1}`, sodaPath: '/' }))
  await db.insertInto('sodaMappings').values(soda).execute()
  const sources = mapped.map(({ volumeId, dataintellPath: path }) => {
    return { name: '', path, storageId: String(volumeId), isDirectory: true }
  })
  const leftOutOf = async (jobType: string, payload: object) =>
    (await ask('POST', '/api/v1/actions/plans', { jobType, payload }).expect(200)).body
  const text = { reason: 'Name is not valid UTF-8', files: 2, bytes: 5 }
  const dots = { reason: 'Path has . or .. in it', files: 2, bytes: 48 }
  const transferred = await leftOutOf('SODA_TRANSFER', { ...transfer('COPY'), sources })
  expect(transferred).toMatchObject({ files: 2, bytes: 10 })
  expect(transferred.leftOut).toEqual(expect.arrayContaining([text, dots]))
  const dataIntellPaths = ['/mnt/odd']
  expect((await leftOutOf('ARCHIVE_ARCHIWARE_FILES', { ...options, dataIntellPaths })).leftOut).toEqual([text])
  const { collectionId, storageId, storageType } = upload
  const uploaded = { collectionId, storageId, storageType, dataIntellPaths }
  expect((await leftOutOf('ICONIK_UPLOAD', uploaded)).leftOut).toEqual([text])
})
