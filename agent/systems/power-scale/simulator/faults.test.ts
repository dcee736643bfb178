import { expect, test } from 'vitest'
import { cluster, login, session, snapshots } from './testing.ts'

const config = '/platform/1/cluster/config'

test('a service that is switched off answers with a page', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  simulator.switches.isNamespaceOn = false
  const page = await call('GET', '/namespace/ifs')
  expect(page).toMatchObject({ status: 503, text: expect.stringContaining('Service Unavailable') })
  expect(page.headers['content-type']).toContain('text/html')
  expect((await call('GET', config)).status).toBe(200)
  Object.assign(simulator.switches, { isNamespaceOn: true, isPlatformOn: false })
  expect((await call('GET', '/namespace/ifs')).status).toBe(200)
  expect((await call('GET', config)).status).toBe(503)
})

test('without the license of SnapshotIQ, snapshots are missing', async () => {
  const simulator = await cluster({ switches: { license: 'Expired' } })
  const call = await session(simulator)
  expect((await call('GET', '/platform/1/license/licenses')).body.licenses[0]).toMatchObject({
    name: 'SnapshotIQ',
    status: 'Expired',
  })
  expect(await call('POST', snapshots, { name: 'a', path: '/ifs' })).toMatchObject({
    status: 403,
    body: { errors: [{ code: 'AEC_INVALID_LICENSE' }] },
  })
  simulator.switches.license = 'Evaluation'
  expect((await call('GET', '/platform/1/snapshot/license')).body.days_to_expiry).toBe(30)
  expect((await call('POST', snapshots, { name: 'a', path: '/ifs' })).status).toBe(201)
})

test.for([
  ['ISI_PRIV_SNAPSHOT', snapshots],
  ['ISI_PRIV_JOB_ENGINE', '/platform/1/job/types'],
  ['ISI_PRIV_STATISTICS', '/platform/1/statistics/current?key=ifs.bytes.total'],
  ['ISI_PRIV_QUOTA', '/platform/1/quota/quotas'],
  ['ISI_PRIV_NS_IFS_ACCESS', '/namespace/ifs'],
] as const)('a user without %s is refused with its name', async ([privilege, path]) => {
  const users = [{ username: 'limited', password: 'secret', without: [privilege] }]
  const simulator = await cluster({ users })
  const refused = await (await session(simulator, { username: 'limited' }))('GET', path)
  expect(refused.status).toBe(403)
  expect(refused.body.errors[0]).toMatchObject({ code: 'AEC_FORBIDDEN', message: expect.stringContaining(privilege) })
})

test('a user who may not sign in to the platform API gets the 401 of a wrong password', async () => {
  const users = [{ username: 'scan', password: 'secret', without: ['ISI_PRIV_LOGIN_PAPI' as const] }]
  expect((await login(await cluster({ users }))).status).toBe(401)
})

test('an old address works on a new cluster, and a new one not on an old cluster', async () => {
  const simulator = await cluster({ switches: { apiVersion: 7, release: '8.2.0.0' } })
  const call = await session(simulator)
  expect((await call('GET', '/platform/latest')).body).toEqual({ latest: '7' })
  expect((await call('GET', '/platform/7/cluster/config')).status).toBe(200)
  expect((await call('GET', '/platform/99/snapshot/snapshots')).status).toBe(200)
  expect((await call('GET', '/platform/1/job/recent')).status).toBe(404)
  expect((await call('GET', '/platform/1/no/such/thing')).body.errors[0].code).toBe('AEC_NOT_FOUND')
  expect((await call('PATCH', config)).status).toBe(405)
})

test('arguments and fields that the API does not have are refused', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  expect(await call('GET', `${snapshots}?path=/ifs`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'path' }] },
  })
  expect((await call('GET', `${snapshots}?limit=1&limit=2`)).body.errors[0].code).toBe('AEC_ARG_SINGLE_ONLY')
  expect((await call('POST', snapshots, { name: 'a', path: '/ifs', color: 'red' })).status).toBe(400)
  expect((await call('POST', snapshots, { name: 'a', path: '/ifs', expires: '7 days' })).status).toBe(400)
  expect((await call('POST', snapshots, '{')).status).toBe(400)
  expect((await call('GET', `/namespace/ifs?detail=${'name,'.repeat(2_000)}`)).status).toBe(414)
})

test('requests fail, or fail later, as often as a test wants', async () => {
  const { faults, ...simulator } = await cluster()
  const call = await session({ faults, ...simulator })
  faults.failNext(/^GET \/platform/, 500, { skip: 1, times: 2 })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await call('GET', config)).status)
  expect(statuses).toEqual([200, 500, 500, 200])
  faults.transientNext(/config/)
  expect(await call('GET', config)).toMatchObject({ status: 200, body: { errors: [{ code: 'AEC_TRANSIENT' }] } })
})

test('a connection ends in the middle of a page, or before the response', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  simulator.faults.resetNext(/^GET/, 10)
  await expect(call('GET', config)).rejects.toThrow('aborted')
  simulator.faults.loseAnswer(/^POST/)
  await expect(call('POST', snapshots, { name: 'kept', path: '/ifs' })).rejects.toThrow('socket hang up')
  expect((await call('GET', `${snapshots}/kept`)).status).toBe(200)
  expect(simulator.requests.log.map(({ status }) => status)).toEqual([201, 200, undefined, 200])
})

test('responses are slow, and too many requests in a second are refused', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  simulator.faults.latencyMs = 50
  const start = performance.now()
  await call('GET', config)
  expect(performance.now() - start).toBeGreaterThan(45)
  simulator.faults.clear()
  simulator.faults.throttle = 2
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('GET', config)))
  expect(answers.map(({ status }) => status)).toContain(503)
  expect(simulator.requests.maxOpen).toBeGreaterThan(0)
})

test('a stopped node refuses connections, and restarts at the same address', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  await simulator.stopNode(0)
  await expect(call('GET', config)).rejects.toThrow('ECONNREFUSED')
  await simulator.startNode(0)
  expect((await call('GET', config)).status).toBe(200)
  await simulator.restart()
  expect((await call('GET', config)).status).toBe(401)
})

test('capacity is reported by the file system, the statistics, the pools and the quotas', async () => {
  const simulator = await cluster()
  const call = await session(simulator)
  const { f_blocks: blocks, f_bsize: size } = (await call('GET', '/platform/1/cluster/statfs')).body
  expect(blocks * size).toBe(400e12 - (400e12 % size))
  const { stats } = (await call('GET', '/platform/1/statistics/current?key=ifs.bytes.total&key=ifs.bytes.avail')).body
  expect(stats.map(({ value }: { value: number }) => value)).toEqual([400e12, 150e12])
  const { storagepools } = (await call('GET', '/platform/3/storagepool/storagepools')).body
  expect(storagepools[0].usage.total_bytes).toBe('400000000000000')
  const usage = { logical: 5, physical: 9, inodes: 2 }
  simulator.quotas.push({ path: '/ifs/data', isContainer: true, isReady: true, hard: 100, usage })
  const quotas = (path: string) => call('GET', `/platform/1/quota/quotas?path=${path}&resolve_names=true`)
  expect((await quotas('/ifs/data')).body.quotas).toMatchObject([
    { container: true, enforced: true, thresholds: { hard: 100 }, usage: { fslogical: 5, inodes: 2 } },
  ])
  expect((await quotas('/ifs/other')).body.quotas).toEqual([])
})
