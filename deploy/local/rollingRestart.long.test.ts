import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { livePath, type ServerMessage } from '#events/live.ts'
import { LiveConnection } from '#client/app/live/connection.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { allowPages } from '../tools/bench/live/appending.ts'
import { makeTree } from './testing/tree.ts'
import { freePort } from './testing/freePort.ts'
import { type Replica, serverEnvironment, startExternalStores, startReplica } from './testing/externalStores.ts'
import { productAt, signedIn } from './testing.ts'

/*
 * Two servers on external stores, restarted one after the other while a storage is scanned and browsers follow the log. `ENTRIES=1000000`
 * changes the number of files, `BROWSERS=50` that of browsers.
 */
const entries = Number(process.env['ENTRIES'] ?? 200_000)
const browsers = Number(process.env['BROWSERS'] ?? 500)
/** The scan then takes at least this long without interruptions. */
const scanSeconds = 60
const patience = { timeout: 600_000, interval: 500 }

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'two servers that restart one after the other with %s during a scan lose, repeat and show nothing twice',
  async (signal) => {
    const { db, servers, startOne, trees } = await twoServers()
    const cookies = new Map<string, string>()
    const [a, b] = servers.map(({ address }) => address) as [string, string]
    const call = signedIn(a, undefined, cookies)
    const product = productAt(a, { startedAfter: 0, printed: () => '', pid: 0, kill: end, stop: end }, call)
    const pace = { maxLookups: 256, maxEntriesPerSecond: Math.ceil(entries / scanSeconds), quietHours: null }
    const volume = await product.addStorage({ name: 'Tree', path: trees.large, pace })
    const small = await product.addStorage({ name: 'Small', path: trees.small })
    expect(await statusAt(b, cookies)).toBe(200)
    const schedules = await scheduleOften(call, small)
    await allowPages(db, browsers)
    const pages = await openPages(servers, cookies)

    await call('POST', '/v1/scans/volumes/ids', [volume])
    const scan = () =>
      db.selectFrom('scans').selectAll().where('volumeId', '=', volume).orderBy('id').executeTakeFirstOrThrow()
    await expect.poll(async () => (await scan()).state, patience).toBe('running')
    await pause(5_000)
    for (const i of [0, 1]) {
      await servers[i]!.end(signal)
      expect(servers[i]!.ended()).toBe(signal === 'SIGTERM' ? 0 : signal)
      servers[i] = await startOne(i)
      await pause(5_000)
    }
    await expect.poll(async () => (await scan()).finishedAt, patience).not.toBeNull()
    await db.updateTable('schedules').set({ paused: true, nextDueAt: null, dueAfter: null }).execute()

    const { files, bytes } = totalsOfFind(find(trees.large))
    expect(await scan()).toMatchObject({ state: 'done', reason: null, files, bytes, unreadable: 0 })
    await expect
      .poll(
        async () => (await db.selectFrom('scans').select('id').where('finishedAt', 'is', null).execute()).length,
        patience,
      )
      .toBe(0)
    const events = (await readStream<{ type: string }>(db, `job-${(await scan()).jobId}`)).map(
      ({ event }) => event.type,
    )
    expect(events.filter((type) => /^Task(Succeeded|Warned|Failed|GivenUp|Cancelled)$/.test(type))).toEqual([
      'TaskSucceeded',
    ])
    for (const address of [a, b]) {
      const volumes = await callAt(address, cookies, '/v1/volumes')
      expect(volumes).toMatchObject({
        elements: expect.arrayContaining([expect.objectContaining({ numberOfFiles: files, sizeOfFiles: bytes })]),
      })
    }
    await checkSchedules(db, schedules)
    expect((await compareJobs(db)).differences).toEqual([])
    await checkPages(db, pages)
    await checkAgent(db)
    await checkSignOut(a, b, cookies)
  },
  1_800_000,
)

const end = async () => {}

async function twoServers() {
  const folder = testFolder('rolling')
  const trees = { large: join(folder, 'large'), small: join(folder, 'small') }
  makeTree(trees.large, entries)
  mkdirSync(trees.small)
  const stores = await startExternalStores(folder)
  const ports = [await freePort(), await freePort()]
  const servers: Replica[] = []
  // As by a supervisor: on a busy machine a start may fail, because NATS doesn't respond in time.
  const startOne = async (i: number): Promise<Replica> => {
    for (let tries = 1; ; tries++) {
      const replica = startReplica(serverEnvironment(stores, join(folder, `server-${i}`), ports[i] ?? 0))
      servers[i] = replica
      const isReady = await replica.ready().then(
        () => true,
        (error: unknown) => (tries < 5 ? false : Promise.reject(error as Error)),
      )
      if (isReady) return replica
    }
  }
  const db = openPostgres(stores.databaseUrl)
  onTestFinished(async () => {
    for (const server of servers) await server.end('SIGKILL')
    await db.destroy()
    await stores.stop()
  })
  await Promise.all([startOne(0), startOne(1)])
  return { db, servers, startOne, trees }
}

type Db = ReturnType<typeof openPostgres>
type Call = ReturnType<typeof signedIn>
type Cookies = ReadonlyMap<string, string>

const cookieHeader = (cookies: Cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const responseAt = (address: string, cookies: Cookies, path: string) =>
  fetch(`${address}/api${path}`, { headers: { cookie: cookieHeader(cookies) } })
const callAt = async (address: string, cookies: Cookies, path: string): Promise<unknown> =>
  (await responseAt(address, cookies, path)).json()

async function statusAt(address: string, cookies: Cookies): Promise<number> {
  const response = await responseAt(address, cookies, '/v1/jobs')
  await response.arrayBuffer()
  return response.status
}

/** Schedules that are due each minute, ten seconds apart. */
async function scheduleOften(call: Call, volume: number): Promise<number[]> {
  const ids: number[] = []
  for (const second of [0, 10, 20, 30, 40, 50]) {
    const draft = {
      name: `At second ${second}`,
      cron: `${second} * * * * ?`,
      jobGroup: 'SCANNER',
      jobClass: 'SCAN_VOLUMES',
      payload: { volumes: [volume], cloneIndex: true },
      paused: false,
    }
    ids.push(((await call('POST', '/v1/schedules', draft)).answer as { id: number }).id)
  }
  return ids
}

type ScheduleEvent = { type: string; dueAt?: string; jobId?: number | null }

/** Each due time is recorded once, and started at most one job. */
async function checkSchedules(db: Db, ids: readonly number[]): Promise<void> {
  const started: number[] = []
  for (const id of ids) {
    const recorded = (await readStream<ScheduleEvent>(db, `schedule-${id}`)).flatMap(({ event }) =>
      event.dueAt === undefined ? [] : event,
    )
    const times = recorded.map(({ dueAt }) => dueAt)
    expect(times.length).toBeGreaterThan(0)
    expect(new Set(times).size).toBe(times.length)
    const rows = await db.selectFrom('scheduleRuns').select('dueAt').where('scheduleId', '=', id).execute()
    expect(rows.map(({ dueAt }) => dueAt.toISOString()).toSorted()).toEqual(times.toSorted())
    started.push(...recorded.flatMap(({ jobId }) => jobId ?? []))
  }
  // All jobs but the one that a user started.
  const jobs = await db.selectFrom('jobs').select('id').execute()
  expect(started.length).toBe(jobs.length - 1)
  expect(new Set(started).size).toBe(started.length)
}

type Page = { begun: number | undefined; states: number; positions: number[] }

/** Pages that follow the log at either server, like browsers behind a balancer that tries one server after the other. */
async function openPages(servers: readonly Replica[], cookies: Cookies): Promise<Page[]> {
  let next = 0
  class BrowserSocket extends WebSocket {
    constructor() {
      const { address } = servers[next++ % servers.length]!
      super(`${address.replace('http', 'ws')}${livePath}`, {
        headers: { cookie: cookieHeader(cookies), origin: address },
      } as never)
    }
  }
  vi.stubGlobal('WebSocket', BrowserSocket)
  onTestFinished(() => void vi.unstubAllGlobals())
  const pages = Array.from({ length: browsers }, () => openPage())
  await expect.poll(() => pages.every(({ states }) => states === 1), patience).toBe(true)
  return pages
}

function openPage(): Page {
  const page: Page = { begun: undefined, states: 0, positions: [] }
  const onMessage = (message: ServerMessage) => {
    if (message.type === 'state') {
      page.begun ??= message.logged
      page.states += 1
    }
    if (message.type !== 'events' && message.type !== 'resumed') return
    for (const event of message.events)
      if (event.type === 'logged') page.positions.push(...event.events.map(({ position }) => position))
  }
  const connection = new LiveConnection({ url: '', onMessage, onStatus: () => {} })
  onTestFinished(() => connection.close())
  connection.subscribe('log')
  return page
}

/** Each page received every event of the log since its beginning once, in order, and its state was never read again. */
async function checkPages(db: Db, pages: readonly Page[]): Promise<void> {
  const faults = async () => {
    const log = (await db.selectFrom('events').select('position').orderBy('position').execute()).map((e) => e.position)
    return pages.flatMap(({ begun = 0, states, positions }) => {
      const expected = log.filter((position) => position > begun)
      const isSame = expected.length === positions.length && expected.every((position, i) => position === positions[i])
      return isSame && states === 1 ? [] : [{ begun, states, expected: expected.length, received: positions.length }]
    })
  }
  await expect.poll(async () => (await faults()).slice(0, 3), patience).toEqual([])
}

/** The built-in agent of either server is working. */
async function checkAgent(db: Db): Promise<void> {
  const agent = () =>
    db.selectFrom('agents').select(['run', 'lastActiveAt']).where('id', '=', 1).executeTakeFirstOrThrow()
  const isActive = async () => {
    const { run, lastActiveAt } = await agent()
    return run !== null && Date.now() - (lastActiveAt?.getTime() ?? 0) < 15_000
  }
  await expect.poll(isActive, patience).toBe(true)
}

/** A sign-out at one server ends the session at the other. */
async function checkSignOut(first: string, second: string, cookies: Map<string, string>): Promise<void> {
  expect([await statusAt(first, cookies), await statusAt(second, cookies)]).toEqual([200, 200])
  const kept = new Map(cookies)
  await fetch(`${first}/api/logout`, {
    method: 'POST',
    headers: { cookie: cookieHeader(cookies), 'X-XSRF-TOKEN': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? '') },
  })
  expect([await statusAt(first, kept), await statusAt(second, kept)]).toEqual([401, 401])
}
