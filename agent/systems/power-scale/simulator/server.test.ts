import { expect, test } from 'vitest'
import { ask } from '#agent/simulator/testing.ts'
import { cluster } from '../testing.ts'
import { fillTree, type PowerScaleOptions } from './index.ts'

const snapshots = '/platform/1/snapshot/snapshots'
const jobs = '/platform/3/job/jobs'
const everyService = ['platform', 'namespace']

/** A cluster with a session. `call` sends a request in it. */
async function started(switches: PowerScaleOptions['switches'] = {}, services = everyService) {
  const simulator = await cluster({ switches })
  const url = `https://${simulator.host}`
  const login = (password = 'secret') =>
    ask(`POST ${url}/session/1/session`, { body: { username: 'scan', password, services } })
  const cookies = [(await login()).headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = cookies.find((cookie) => cookie.startsWith('isicsrf='))?.slice('isicsrf='.length) ?? ''
  const headers = { cookie: cookies.join('; '), 'x-csrf-token': csrf, referer: url }
  const call = (request: string, body?: object, changed: Record<string, string> = {}) =>
    ask(request.replace(' ', ` ${url}`), { headers: { ...headers, ...changed }, body })
  return { ...simulator, call, login, headers }
}

const namesOf = (children: { name: string }[]) => children.map(({ name }) => name)

test('a request needs the cookie, the CSRF token and a referer', async () => {
  const { call } = await started()
  const statusWith = async (changed: Record<string, string>) =>
    (await call(`GET ${snapshots}`, undefined, changed)).status
  expect(await statusWith({})).toBe(200)
  for (const changed of [{ cookie: '' }, { 'x-csrf-token': 'another' }, { referer: 'https://elsewhere' }])
    expect(await statusWith(changed)).toBe(401)
})

test('a logout ends a session', async () => {
  const { call, sessions } = await started()
  expect((await call('DELETE /session/1/session')).status).toBe(204)
  expect(sessions.openCount).toBe(0)
  expect((await call(`GET ${snapshots}`)).status).toBe(401)
})

test('a session is only for the services that the login names', async () => {
  const { call } = await started({}, ['platform'])
  expect((await call(`GET ${snapshots}`)).status).toBe(200)
  expect((await call('GET /namespace/ifs')).status).toBe(401)
})

test('activity does not extend a session, but its replacement cookie does', async () => {
  const { call, clock, headers } = await started()
  const csrf = headers.cookie.split('; ')[1]
  clock.advance(449)
  expect((await call(`GET ${snapshots}`)).headers['set-cookie']).toBe(undefined)
  clock.advance(1)
  const [replacement = ''] = (await call(`GET ${snapshots}`)).headers['set-cookie'] ?? []
  expect((await call(`GET ${snapshots}`)).headers['set-cookie']).toEqual([replacement])
  clock.advance(450)
  expect((await call(`GET ${snapshots}`)).status).toBe(401)
  expect((await call(`GET ${snapshots}`, undefined, { cookie: `${replacement}; ${csrf}` })).status).toBe(200)
})

test('a 401 is an HTML page or JSON; that of a wrong password is JSON', async () => {
  const { call, login, switches } = await started()
  const refused = () => call(`GET ${snapshots}`, undefined, { cookie: '' })
  expect((await refused()).body).toContain('<h1>Unauthorized</h1>')
  switches.unauthorizedAs = 'json'
  expect((await refused()).body).toEqual({ errors: [{ message: 'Authorization required' }] })
  expect(await login('wrong')).toMatchObject({
    status: 401,
    body: { errors: [{ message: 'Username or password is incorrect.' }] },
  })
})

test('pages follow each other with the token and the same options, or with the token alone', async () => {
  const { call, switches, clock, tree } = await started()
  fillTree(tree, 3_000)
  const address = '/namespace/ifs/data/not%20UTF-8'
  const options = '?limit=300&detail=name,size'
  const { resume } = (await call(`GET ${address}${options}`)).body
  const statusOf = async (rest: string) => (await call(`GET ${rest}`)).status
  const [repeated, alone] = [`${address}${options}&resume=${resume}`, `${address}?resume=${resume}`]
  const statuses = async () => [await statusOf(repeated), await statusOf(alone)]
  expect(await statuses()).toEqual([200, 200])
  expect(await statusOf(`${address}?limit=301&detail=name,size&resume=${resume}`)).toBe(400)
  expect(await statusOf(`/namespace/ifs/data?resume=${resume}`)).toBe(400)
  switches.resume = 'alone'
  expect(await statuses()).toEqual([400, 200])
  switches.resume = 'withOptions'
  expect(await statuses()).toEqual([200, 400])
  switches.tokenLife = 60
  clock.advance(60)
  expect(await statuses()).toEqual([400, 400])
})

test('a snapshot is read below its name, and nothing else is in it', async () => {
  const { call, tree } = await started()
  tree.ensureDirectory('/ifs/data/a/b')
  tree.ensureDirectory('/ifs/data/other')
  expect((await call(`POST ${snapshots}`, { name: 's1', path: '/ifs/data/a' })).status).toBe(201)
  tree.remove('/ifs/data/a/b')
  const listed = async (path: string) => (await call(`GET /namespace${path}`)).body.children
  expect(await listed('/ifs/.snapshot')).toEqual([{ name: 's1' }])
  expect(await listed('/ifs/.snapshot/s1')).toEqual([{ name: 'data' }])
  expect(await listed('/ifs/.snapshot/s1/data')).toEqual([{ name: 'a' }])
  expect(await listed('/ifs/.snapshot/s1/data/a')).toEqual([{ name: 'b' }])
  expect(await listed('/ifs/data/a')).toEqual([])
  for (const path of ['s1/data/other', 's2/data'])
    expect((await call(`GET /namespace/ifs/.snapshot/${path}`)).status).toBe(404)
})

test('a query finds entries by their names, within the limit of its body', async () => {
  const { call, tree } = await started()
  fillTree(tree, 3_000)
  const query = (...values: string[]) => {
    const conditions = values.map((value) => ({ operator: '=', attr: 'name', value }))
    return call('POST /namespace/ifs/data?query&detail=name&max-depth=0', { scope: { logic: 'or', conditions } })
  }
  expect(namesOf((await query('kinds', 'absent', 'odd names')).body.children)).toEqual(['odd names', 'kinds'])
  expect((await query('kinds')).status).toBe(400)
  expect((await query('kinds', 'x'.repeat(9_000))).status).toBe(400)
})

test('a snapshot is found by its ID and its name, until it expires', async () => {
  const { call, clock } = await started()
  const expires = clock.now() + 60
  const { id } = (await call(`POST ${snapshots}`, { name: 'daily', path: '/ifs/data', expires })).body
  for (const name of [id, 'daily'])
    expect((await call(`GET ${snapshots}/${name}`)).body.snapshots).toMatchObject([{ id }])
  expect((await call(`POST ${snapshots}`, { name: 'daily', path: '/ifs/data' })).status).toBe(409)
  expect((await call(`POST ${snapshots}`, { name: 'other', path: '/ifs/absent' })).status).toBe(404)
  expect((await call(`PUT ${snapshots}/${id}`, { expires: expires + 60 })).status).toBe(204)
  clock.advance(60)
  expect((await call(`GET ${snapshots}/daily`)).status).toBe(200)
  clock.advance(60)
  expect((await call(`GET ${snapshots}/daily`)).status).toBe(404)
})

test('a snapshot copies no entry and keeps what the tree changes', async () => {
  const { call, tree, snapshots: taken } = await started()
  fillTree(tree, 50_000)
  const view = tree.freeze()
  expect(Array.from({ length: tree.inodeCount }, (_, n) => n).filter((n) => view.get(n) !== tree.get(n))).toEqual([])
  taken.create({ name: 'before', path: '/ifs/data' })
  tree.remove('/ifs/data/odd names')
  tree.write('/ifs/data/kinds/file', 77)
  const sizes = async (root: string) => (await call(`GET /namespace${root}/data/kinds?detail=size`)).body.children
  expect((await sizes('/ifs'))[1].size).toBe(77)
  expect((await sizes('/ifs/.snapshot/before'))[1].size).toBe(0)
  expect((await call('GET /namespace/ifs/.snapshot/before/data/odd%20names')).body.children).toHaveLength(21)
  tree.check()
})

test('a job waits, is paused by its policy, and succeeds; another one is refused meanwhile', async () => {
  const { call, clock, tree, snapshots: taken } = await started({ jobWait: 10, jobPhase: 60, jobPause: 300 })
  const older = taken.create({ name: 'older', path: '/ifs/data' }).id
  tree.add('/ifs/data/new')
  const newer = taken.create({ name: 'newer', path: '/ifs/data' }).id
  const create = (older_snapid: number, newer_snapid: number) =>
    call(`POST ${jobs}`, {
      type: 'ChangelistCreate',
      allow_dup: false,
      changelistcreate_params: { older_snapid, newer_snapid },
    })
  expect((await create(newer, older)).status).toBe(400)
  const { id } = (await create(older, newer)).body
  expect((await create(older, newer)).status).toBe(409)
  const states = []
  for (let i = 0; i < 10; i++) {
    clock.advance(60)
    states.push((await call(`GET ${jobs}/${id}`)).body.jobs[0].state)
  }
  expect(states.slice(0, 3)).toEqual(['running', 'running', 'paused_policy'])
  expect(states.slice(6)).toEqual(['paused_policy', 'running', 'running', 'succeeded'])
  expect((await call(`GET /platform/1/snapshot/changelists/${older}_${newer}`)).status).toBe(200)
})

test('an old address works on a new cluster, and a new one not on an old cluster', async () => {
  const { call } = await started({ apiVersion: 7 })
  expect((await call('GET /platform/latest')).body).toEqual({ latest: '7' })
  expect((await call('GET /platform/99/snapshot/snapshots')).status).toBe(200)
  expect((await call('GET /platform/8/snapshot/changelists/1_2/entries')).status).toBe(404)
  expect((await call('GET /platform/1/no/such/thing')).body.errors[0].code).toBe('AEC_NOT_FOUND')
  expect((await call(`PATCH ${snapshots}`)).status).toBe(405)
})

test('arguments and fields that the API does not have are refused', async () => {
  const { call } = await started()
  expect(await call(`GET ${snapshots}?path=/ifs`)).toMatchObject({ status: 400, body: { errors: [{ field: 'path' }] } })
  expect((await call(`GET ${snapshots}?limit=1&resume=x`)).status).toBe(400)
  for (const body of [{ color: 'red' }, { expires: '7 days' }])
    expect((await call(`POST ${snapshots}`, { name: 'a', path: '/ifs', ...body })).status).toBe(400)
})
