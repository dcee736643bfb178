import { expect, test } from 'vitest'
import { listIconik } from '../../requestHandlers.ts'
import { IconikAway, IconikFailed } from './failures.ts'
import { listCollections, listStorages } from './lists.ts'
import type { IconikOptions, IconikSimulator } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { connectionTo, timingOf } from './testing.ts'

const { signal } = new AbortController()
const collectionsOf = (iconik: IconikSimulator) =>
  listCollections(connectionTo(iconik), signal, { timing: timingOf(iconik) })
const storagesOf = (iconik: IconikSimulator) => listStorages(connectionTo(iconik), signal, { timing: timingOf(iconik) })
const activeIn = ({ collections }: IconikSimulator) =>
  [...collections.values()].filter(({ status }) => status === 'ACTIVE').map(({ id }) => id)

const variants: [string, number, IconikOptions][] = [
  ['some', 250, {}],
  ['a full page', 200, {}],
  ['none', 0, {}],
  ['5,000, in pages', 5_000, {}],
  ['6,000, in a scroll', 6_000, {}],
  ['a list that ends early', 1_500, { readings: { deepPagingLimit: 1_000 } }],
  ['a list without titles as a sort field', 250, { readings: { titleSort: 'refused' } }],
  ['a list in another order', 250, { readings: { titleSort: 'ignored' } }],
  ['a total that lags', 250, { behavior: { totalLag: 60 } }],
  ['empty last pages', 200, { readings: { pastLastPage: 'empty' } }],
  ['a low limit of requests', 1_500, { behavior: { limitRequests: 5 } }],
  ['a limit without a time to wait', 1_500, { behavior: { limitRequests: 8 }, readings: { retryAfter: 'none' } }],
]

test.for(variants)('active collections are listed once: %s', async ([, count, options]) => {
  const iconik = await simulator(options)
  iconik.fillCollections(count)
  const listed = await collectionsOf(iconik)
  expect(listed.map(({ id }) => id).sort()).toEqual(activeIn(iconik).sort())
  const { compare } = new Intl.Collator('en', { numeric: true })
  expect(listed.map(({ title }) => title)).toEqual(listed.map(({ title }) => title).sort(compare))
  expect(iconik.requestsOf('collections.path')).toEqual([])
})

test('paths keep equal titles apart, also below collections that are not listed', async () => {
  const iconik = await simulator()
  const [a, b] = ['A', 'B'].map((title) => iconik.addCollection({ title }))
  for (const { id } of [a!, b!]) iconik.addCollection({ title: 'Day', parentId: id })
  const hidden = iconik.addCollection({ title: 'Hidden', parentId: a!.id, status: 'HIDDEN' })
  iconik.addCollection({ title: 'Below', parentId: hidden.id })
  const paths = (await collectionsOf(iconik)).map(({ title, path }) => [title, path])
  expect(paths).toEqual([
    ['A', ''],
    ['B', ''],
    ['Below', 'A/Hidden/Below'],
    ['Day', 'A/Day'],
    ['Day', 'B/Day'],
  ])
  const lost = iconik.addCollection({ title: 'Day', parentId: '5f0c0000-0000-11ee-8000-ffffffffffff' })
  const listed = await collectionsOf(iconik)
  expect(listed.find(({ id }) => id === lost.id)?.path).toBe('Day')
  expect(iconik.requestsOf('collections.path')).toHaveLength(1)
})

test('collections that contain each other have a path all the same', async () => {
  const iconik = await simulator()
  iconik.addCollection({ title: 'Top' })
  const address = connectionTo(iconik)
  const circle = [
    { id: '1', title: 'A', parent_id: '2' },
    { id: '2', title: 'B', parent_id: '1' },
  ]
  iconik.faults.failNext('collections.list', 200, { objects: circle, pages: 1 })
  const listed = await listCollections(address, signal, { timing: timingOf(iconik) })
  expect(listed.map(({ path }) => path)).toEqual(['B/A', 'A/B'])
})

test('active storages for files are listed with their mount points', async () => {
  const iconik = await simulator()
  for (let i = 0; i < 230; i++) iconik.addStorage({ method: 'GCS', name: `More ${i}` })
  const listed = await storagesOf(iconik)
  const names = listed.map(({ name }) => name)
  expect(new Set(names).size).toBe(20 + 3 + 230)
  for (const name of ['Inactive', 'Failing', 'Keyframes', 'Proxies']) expect(names).not.toContain(name)
  expect(
    listed.filter(({ mountPoint }) => mountPoint !== '').map(({ name, mountPoint }) => [name, mountPoint]),
  ).toEqual([
    ['FILE 1', '/mnt/media'],
    ['FILE 2', '/mnt/media'],
  ])
})

test('a slash is at the end of every path, and the API may be part of the URL', async () => {
  const iconik = await simulator()
  iconik.addCollection()
  for (const url of [iconik.url, `${iconik.url}/`, `${iconik.url}/API`, ` ${iconik.url}/API/ `])
    expect(await listCollections({ ...connectionTo(iconik), url }, signal)).toHaveLength(1)
  expect(iconik.requests.filter(({ status }) => status === 301)).toEqual([])
})

test('a wrong token is tried once, and the failure says what to do', async () => {
  const iconik = await simulator()
  const failed = listCollections(connectionTo(iconik, 'wrong'), signal)
  await expect(failed).rejects.toThrow(/does not accept the App-ID with this Auth-Token.*Application Tokens/)
  expect(iconik.requests).toHaveLength(1)
  const question = { connection: connectionTo(iconik, 'wrong'), list: 'storages' }
  expect(await listIconik(JSON.stringify(question))).toMatchObject({
    failure: { debugMessage: 'status 401, Invalid or expired token' },
    storages: [],
  })
})

test('a question is answered with the requested list', async () => {
  const iconik = await simulator()
  iconik.addCollection({ title: 'Dailies' })
  const ask = (list: string) => listIconik(JSON.stringify({ connection: connectionTo(iconik), list }))
  expect(await ask('collections')).toMatchObject({
    failure: null,
    collections: [{ title: 'Dailies', path: '' }],
    storages: [],
  })
  expect((await ask('storages')).storages).toHaveLength(23)
  iconik.tokens.get(iconik.token)!.roles.delete('can_read_collections')
  expect((await ask('collections')).failure?.message).toMatch(/can_read_collections.*Give this right to the user/)
})

test('errors are shown in each of their forms', async () => {
  const iconik = await simulator({ roles: [] })
  for (const errorShape of ['list', 'fields', 'text'] as const) {
    iconik.behavior.errorShape = errorShape
    const text =
      'Iconik refused GET assets/v1/collections/: The role can_read_collections is required for GET assets/v1/collections/. Give'
    await expect(collectionsOf(iconik)).rejects.toThrow(text)
  }
  iconik.faults.failNext('', 422, { errors: { title: ['too long', 'odd'], message: 'No' } })
  await expect(storagesOf(iconik)).rejects.toThrow('Iconik refused GET files/v1/storages/: title: too long, odd; No')
})

test('an unreachable Iconik can be queried later, and another server is refused', async () => {
  const iconik = await simulator()
  iconik.faults.failNext('', 503, '<html>Bad gateway</html>')
  await expect(storagesOf(iconik)).rejects.toThrow(IconikAway)
  iconik.faults.failNext('', 200, '<html>Hello</html>')
  await expect(storagesOf(iconik)).rejects.toThrow('a web page instead of Iconik')
  iconik.faults.failNext('', 301, '')
  await expect(storagesOf(iconik)).rejects.toThrow('redirects requests')
  iconik.faults.failNext('', 200, { objects: [{ id: 5 }] })
  await expect(storagesOf(iconik)).rejects.toThrow('another form than expected')
  iconik.faults.resetNext('', 10)
  await expect(storagesOf(iconik)).rejects.toThrow(IconikAway)
  iconik.limitNext(6)
  await expect(storagesOf(iconik)).rejects.toThrow('too many requests')
  expect(iconik.requests.filter(({ status }) => status === 429)).toHaveLength(6)
  for (const url of ['ftp://iconik', 'http://169.254.169.254', 'iconik'])
    await expect(listStorages({ ...connectionTo(iconik), url }, signal)).rejects.toThrow(IconikFailed)
})

test('requests are spread over time, for all lists and uploads of a configuration', async () => {
  const iconik = await simulator()
  const waits: number[] = []
  const timing = { ...timingOf(iconik), requestsPerSecond: 20, wait: async (ms: number) => void waits.push(ms) }
  const connection = { ...connectionTo(iconik), appId: iconik.appId }
  for (let i = 0; i < 4; i++) await listStorages({ ...connection, url: `${iconik.url}/API` }, signal, { timing })
  // Waiting takes no time here, so that each request waits longer than the one before.
  expect(waits).toHaveLength(3)
  expect(Math.max(...waits)).toBeGreaterThan(50)
  expect(Math.max(...waits)).toBeLessThanOrEqual(150)
})
