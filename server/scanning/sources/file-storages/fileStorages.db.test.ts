import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { readDashboard } from '#server/scanning/dashboard/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { createFileStorage, findFileStorage, fileStorageRoutes, folderCheckRoutes } from '../index.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(
  createApp(platform, [...fileStorageRoutes(platform), ...folderCheckRoutes(platform)]),
  await testSession(db, ['ROLE_ADMIN']),
)
const path = '/api/volumeSettings'

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, events RESTART IDENTITY CASCADE`.execute(db)
})

const draft = {
  name: 'Projects',
  path: '/mnt/projects',
  type: 'crawl.files',
  server: { id: 1 },
  scanType: 'HYBRID_MULTITHREAD',
  storagePrice: await testPriceBook(db),
  volumeIgnoreRules: [{ path: '/tmp' }],
  volumeIndexFolderOnlyPaths: [{ path: '/renders' }],
}

/** An ended scan of a volume, and the dates that show it. */
async function scanned(volumeId: number, state: 'done' | 'running', ...dates: string[]) {
  const [indexingDate = '2026-01-01'] = dates
  const row = { volumeId, state, indexingDate, jobId: 1, taskId: volumeId * 10, agentId: 1 }
  const { id } = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
  for (const indexingDate of dates) {
    await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
  }
}

test('a file storage is added, listed with its agent, changed and deleted', async () => {
  const { body } = await ask('POST', path, draft).expect(200)
  const listed = await ask('GET', path).expect(200)
  expect(listed.body).toMatchObject({ total: 1, page: 1, size: 25, sort: 'name', direction: 'asc' })
  const asked = { ...draft, id: body.id, server: { id: 1, name: 'Built-in agent' } }
  const unset = { policyActions: 'nothing', followsChanges: false, readMedia: false, sizeBasis: 'onDisk', pace: null }
  expect(listed.body.elements).toEqual([
    {
      ...asked,
      includesMountedFileSystems: false,
      ...unset,
      storagePrice: { ...draft.storagePrice, description: expect.any(String), currencySymbol: '$', price: 0 },
      mountType: 'Local',
    },
  ])
  await ask('PUT', `${path}/${body.id}`, { ...draft, name: 'Shows', volumeIgnoreRules: [] }).expect(204)
  expect(await findFileStorage(db, body.id)).toMatchObject({ name: 'Shows', volumeIgnoreRules: [] })
  await ask('DELETE', `${path}/${body.id}`).expect(204)
  expect((await ask('GET', path)).body.elements).toEqual([])
  await ask('DELETE', `${path}/${body.id}`).expect(404)
  await ask('PUT', `${path}/${body.id}`, draft).expect(404)
})

test('its size basis is on disk, policies change nothing and changes are not followed unless that is set, and changes are in the event log', async () => {
  const set = { sizeBasis: 'apparent', policyActions: 'quarantine', followsChanges: true, readMedia: true }
  const { body } = await ask('POST', path, { ...draft, ...set }).expect(200)
  const [record] = (await ask('GET', path).expect(200)).body.elements
  expect(record).toMatchObject(set)
  await ask('PUT', `${path}/${body.id}`, record).expect(204)
  expect(await findFileStorage(db, body.id)).toMatchObject(set)
  await ask('PUT', `${path}/${body.id}`, draft).expect(204)
  expect(await findFileStorage(db, body.id)).toMatchObject({ sizeBasis: 'onDisk', policyActions: 'nothing' })
  const { data } = await db.selectFrom('events').select('data').orderBy('version', 'desc').executeTakeFirstOrThrow()
  expect(data).toMatchObject({ before: set, after: { sizeBasis: 'onDisk', policyActions: 'nothing' } })
  for (const field of ['sizeBasis', 'policyActions', 'followsChanges', 'readMedia']) {
    const refused = await ask('POST', path, { ...draft, name: 'Other', [field]: 'everything' }).expect(400)
    expect(refused.body.subErrors).toMatchObject([{ field }])
  }
})

test('a path is kept without doubled slashes and a slash at its end, a rule once', async () => {
  const volumeIgnoreRules = [{ path: '/tmp' }, { path: '/tmp' }]
  const id = await createFileStorage(db, { name: 'Data', path: '/mnt//data/', volumeIgnoreRules })
  expect(await findFileStorage(db, id)).toMatchObject({ path: '/mnt/data', volumeIgnoreRules: [{ path: '/tmp' }] })
  expect(await findFileStorage(db, await createFileStorage(db, { name: 'All', path: '/' }))).toMatchObject({
    path: '/',
  })
})

test('every wrong field is named', async () => {
  const { body } = await ask('POST', path, { name: ' ', path: 'mnt', server: { id: 'x' }, scanType: 'FAST' }).expect(
    400,
  )
  expect(body).toEqual({
    message: 'Validation errors',
    subErrors: [
      { field: 'name', message: "can't be empty" },
      { field: 'path', message: 'must be an absolute path' },
      { field: 'server.id', message: 'must be a number' },
      { field: 'scanType', message: 'must be one of VOLUME_MULTITHREAD, FOLDER_MULTITHREAD, HYBRID_MULTITHREAD' },
      { field: 'storagePrice', message: "can't be empty" },
    ],
  })
})

test('a name is taken in any case, until its file storage is deleted', async () => {
  const id = await createFileStorage(db, draft as never)
  const other = await createFileStorage(db, { name: 'Other', path: '/other' })
  const taken = [{ field: 'name', message: 'should be unique, PROJECTS already exists' }]
  const wanted = { ...draft, name: 'PROJECTS' }
  expect((await ask('POST', path, wanted).expect(400)).body.subErrors).toEqual(taken)
  expect((await ask('PUT', `${path}/${other}`, wanted).expect(400)).body.subErrors).toEqual(taken)
  await ask('PUT', `${path}/${id}`, wanted).expect(204)
  await ask('DELETE', `${path}/${id}`).expect(204)
  await ask('POST', path, wanted).expect(200)
})

test('two that take one name at the same moment: one gets it', async () => {
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask('POST', path, draft)))
  expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
  expect(answers.every(({ status }) => [200, 400, 409].includes(status))).toBe(true)
})

test('the agent must exist', async () => {
  const { body } = await ask('POST', path, { ...draft, server: { id: 77 } }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'server.id', message: 'must be an agent that exists' }])
})

test('deleting takes a file storage out of the newest date, and older dates keep it', async () => {
  const [kept, gone] = [
    await createFileStorage(db, { name: 'A', path: '/a' }),
    await createFileStorage(db, { name: 'B', path: '/b' }),
  ]
  await scanned(kept, 'done', '2026-01-01', '2026-01-02')
  await scanned(gone, 'done', '2026-01-01', '2026-01-02')
  await ask('DELETE', `${path}/${gone}`).expect(204)
  const names = async (date?: string) => (await readDashboard(db, date)).storages.map(({ name }) => name)
  expect(await names()).toEqual(['A'])
  for (const date of ['2026-01-01', '2026-01-02']) expect(await names(date)).toEqual(['A', 'B'])
})

test('a file storage cannot be deleted while it is scanned', async () => {
  const id = await createFileStorage(db, { name: 'A', path: '/a' })
  await scanned(id, 'running')
  const { body } = await ask('DELETE', `${path}/${id}`).expect(409)
  expect(body.message).toBe('A scan of A is waiting or running. Delete the storage after the scan has ended.')
})

test('the list is paged, sorted by a fixed set of columns, and filtered by known kinds', async () => {
  for (const [name, folder] of [
    ['b', '/1'],
    ['A', '/3'],
    ['c', '/2'],
  ] as const) {
    await createFileStorage(db, { name, path: folder })
  }
  const names = async (query: string) =>
    (await ask('GET', `${path}?${query}`).expect(200)).body.elements.map(({ name }: { name: string }) => name)
  expect(await names('')).toEqual(['A', 'b', 'c'])
  expect(await names('sort=path,desc')).toEqual(['A', 'c', 'b'])
  expect(await names('sort=id&direction=DESC&size=2')).toEqual(['c', 'A'])
  expect(await names('size=2&page=2')).toEqual(['c'])
  expect(await names('page=9007199254740991&size=1000')).toEqual([])
  expect(await names('filterType=crawl.files&filterType=Unknown')).toEqual(['A', 'b', 'c'])
  expect(await names('filterType=NetworkVolume')).toEqual([])
  expect(await names('filterType=Unknown')).toEqual([])
  const { body } = await ask('GET', `${path}?sort=password_hash`).expect(400)
  expect(body.subErrors[0]).toEqual({
    field: 'sort',
    message: 'must be one of id, name, path, scanType, server.name, storagePrice.description',
  })
})

// As in benweet/stackedit#1497 and silverbulletmd/silverbullet#614, where 10 was before 2 and letters with accents were last.
test('names are in the order of people: numbers by value, letters with accents next to their letters', async () => {
  const inOrder = ['apple', 'Ärzte', 'film 2', 'Film 3', 'film 10', 'Zebra', 'zoo']
  for (const [at, name] of inOrder.toReversed().entries()) await createFileStorage(db, { name, path: `/${at}` })
  const names = async (address: string) =>
    (await ask('GET', address).expect(200)).body.elements.map(({ name }: { name: string }) => name)
  expect(await names(path)).toEqual(inOrder)
  expect(await names(`${path}?sort=name,desc`)).toEqual(inOrder.toReversed())
})

test('storages of other kinds are in the list by their types, and all without a filter', async () => {
  await createFileStorage(db, { name: 'A', path: '/a' })
  const types = ['S3', 'WASABI', 'DROPBOX', 'DellPowerScale', 'Archiware']
  await db
    .insertInto('volumes')
    .values(types.map((type) => ({ name: type, type, path: `${type}://films` })))
    .execute()
  const names = async (query: string) => {
    const { body } = await ask('GET', `${path}${query}`).expect(200)
    expect(body.total).toBe(body.elements.length)
    return body.elements.map(({ name }: { name: string }) => name)
  }
  for (const query of ['', '?filterType=']) expect((await names(query)).toSorted()).toEqual(['A', ...types].toSorted())
  for (const type of types) expect(await names(`?filterType=${type}`)).toEqual([type])
  expect(await names('?filterType=AWS-S3')).toEqual(['S3'])
  expect(await names('?filterType=Archives')).toEqual([])
  expect(await names('?filterType=crawl.files&filterType=NetworkVolume&filterType=DellPowerScale')).toEqual([
    'A',
    'DellPowerScale',
  ])
  const { body } = await ask('GET', `${path}?filterType=DellPowerScale`).expect(200)
  expect(body.elements).toMatchObject([{ type: 'DellPowerScale', path: 'DellPowerScale://films', mountType: null }])
  await ask('PUT', `${path}/${body.elements[0].id}`, { ...draft, name: 'B' }).expect(409)
})

test('each change is in the event log with its user, and sent to followers', async () => {
  const heard = platform.nats.connection.subscribe(subjects.live, { max: 1 })
  const { body } = await ask('POST', path, draft)
  await ask('PUT', `${path}/${body.id}`, { ...draft, name: 'Shows' })
  await ask('DELETE', `${path}/${body.id}`)
  const rows = await db.selectFrom('events').selectAll().orderBy('version').execute()
  expect(rows.map(({ stream, type }) => [stream, type])).toEqual(
    ['Created', 'Changed', 'Removed'].map((type) => [`volume-${body.id}`, type]),
  )
  expect(rows[1]).toMatchObject({ actor: expect.stringMatching(/^user-/), address: '127.0.0.1' })
  expect(rows[1]!.data).toMatchObject({ before: { name: 'Projects' }, after: { name: 'Shows' } })
  for await (const message of heard) {
    expect(message.json()).toMatchObject({
      type: 'changed',
      topics: expect.arrayContaining(['sources', 'dashboard']),
    })
  }
})

test('the agent checks a folder, and storages around and in it are named', async () => {
  const asked: unknown[] = []
  const look = { reason: null, isEmpty: true, folders: [], hasMore: false }
  const agent = platform.nats.connection.subscribe(subjects.look(1), {
    callback: (_, message) => {
      asked.push(message.json())
      message.respond(JSON.stringify(look))
    },
  })
  onTestFinished(() => agent.unsubscribe())
  await createFileStorage(db, { name: 'Projects', path: '/mnt/projects' })
  const inner = await createFileStorage(db, { name: 'Films', path: '/mnt/projects/films' })
  const check = async (body: object) => (await ask('POST', '/api/v1/storages/folders', body).expect(200)).body
  const found = {
    ...look,
    field: null,
    notEntered: [],
    snapshotRules: [],
    sharesSpace: false,
    isSilent: false,
    coveredBy: null,
    covers: [],
  }
  expect(await check({ serverId: 1, path: '/mnt/project' })).toEqual(found)
  expect(await check({ serverId: 1, path: '/mnt//projects/' })).toMatchObject({
    coveredBy: 'Projects',
    covers: ['Films'],
  })
  expect(await check({ serverId: 1, path: '/mnt' })).toMatchObject({ coveredBy: null, covers: ['Projects', 'Films'] })
  expect(await check({ serverId: 1, path: '/mnt/projects/films', volumeId: inner })).toMatchObject({
    coveredBy: 'Projects',
  })
  expect(asked).toContainEqual({ kind: 'fileStorage', path: '/mnt/projects' })
  expect(await check({ serverId: 2, path: '/mnt/projects' })).toMatchObject({ isSilent: true, coveredBy: null })
  const share = { type: 'SMB', host: 'nas', shareName: 'films', options: 'vers=3.0', networkVolumeCredential: null }
  expect(await check({ serverId: 1, path: '/', share })).toMatchObject({ coveredBy: null })
  const { networkVolumeCredential: _, ...mount } = share
  expect(asked.at(-1)).toEqual({ kind: 'networkShare', mount: { ...mount, credential: null }, path: '/' })
  const signIn = { username: 'ana', password: 'of the share', domain: '' }
  await check({ serverId: 1, path: '/', share: { ...share, signIn } })
  expect(asked.at(-1)).toEqual({ kind: 'networkShare', mount: { ...mount, credential: signIn }, path: '/' })
  // It is not stored.
  expect(await db.selectFrom('networkCredentials').select('id').execute()).toEqual([])
})

test('a storage covers only file systems that its scans enter', async () => {
  const tmpfs = { path: '/shm', reason: 'fileSystem', detail: 'tmpfs' }
  const proc = { path: '/proc', reason: 'kernel', detail: 'proc' }
  const empty = { reason: null, isEmpty: false, folders: [], hasMore: false }
  const looks: Record<string, object> = {
    '/around': { ...empty, notEntered: [tmpfs, proc], realPath: '/around', mountsAbove: [] },
    '/around/shm/x': { ...empty, notEntered: [], realPath: '/around/shm/x', mountsAbove: ['/around/shm'] },
    '/linked': { ...empty, notEntered: [], realPath: '/around/a', mountsAbove: [] },
  }
  const agent = platform.nats.connection.subscribe(subjects.look(1), {
    callback: (_, message) => void message.respond(JSON.stringify(looks[message.json<{ path: string }>().path])),
  })
  onTestFinished(() => agent.unsubscribe())
  const check = async (body: object) =>
    (await ask('POST', '/api/v1/storages/folders', { serverId: 1, ...body }).expect(200)).body
  const inner = await createFileStorage(db, { name: 'Memory', path: '/around/shm/x' })
  expect(await check({ path: '/around' })).toMatchObject({ covers: [], notEntered: [tmpfs, proc] })
  const all = { path: '/around', includesMountedFileSystems: true }
  expect(await check(all)).toMatchObject({ covers: ['Memory'], notEntered: [proc] })
  const outer = await createFileStorage(db, { name: 'Around', path: '/around' })
  expect(await check({ path: '/around/shm/x', volumeId: inner })).toMatchObject({ coveredBy: null })
  expect(await check({ path: '/linked' })).toMatchObject({ coveredBy: 'Around' })
  await db.updateTable('volumes').set({ crossFileSystems: true }).where('id', '=', outer).execute()
  expect(await check({ path: '/around/shm/x', volumeId: inner })).toMatchObject({ coveredBy: 'Around' })
})
