import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import { type Job, type JobEvent, evolve } from '#events/jobs/events.ts'
import { type ServerMessage, type Topic, livePath } from '#events/live.ts'
import { sessionCookie } from '#events/users/session.ts'
import { LiveConnection } from '#client/app/live/connection.ts'
import { appender } from '#server/messages/live/testing.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { testDatabaseUrl, testDb, testFolder, testNatsServer } from '#server/platform/testing/stores.ts'
import { testSession } from '#server/testing.ts'
import { freePort } from './testing/freePort.ts'

const kills = 8
/** Events per run of the server. A page that missed more than 1,000, on a busy machine perhaps of several runs, gets the full state instead. */
const eventsPerRun = 100
const topics = ['job-1', 'job-2', 'log', 'jobs'] as const

test('a viewer misses no event and gets none twice while the server is killed repeatedly', async () => {
  const db = await testDb()
  const { queue, advance } = appender(db)
  const port = await freePort()
  const start = await serverOn(port)
  let server = await start()
  onTestFinished(() => void server.kill('SIGKILL'))
  await queue(1)
  await queue(2)
  useSockets(port, await testSession(db, ['ROLE_ADMIN']))
  const pages = Array.from({ length: 5 }, () => lookOn(port))
  for (const page of pages) await expect.poll(() => topics.every((topic) => page.states(topic).length === 1)).toBe(true)

  let isOver = false
  let appended = 0
  const appending = async () => {
    for (let tagged = 1; !isOver; tagged++) {
      if (appended++ < eventsPerRun) await advance(1 + (tagged % 2), tagged)
      await pause(15)
    }
  }
  const killing = async () => {
    for (let i = 0; i < kills; i++) {
      await pause(200 + Math.random() * 1_500)
      server.kill('SIGKILL')
      await once(server, 'exit')
      server = await start()
      appended = 0
    }
    await Promise.all(pages.map((page) => expect.poll(page.isOpen).toBe(true)))
    await pause(500)
    isOver = true
  }
  await Promise.all([appending(), killing()])

  const readLog = () => db.selectFrom('events').select(['position', 'stream', 'version']).orderBy('position').execute()
  for (const page of pages) {
    const begun = page.states('log')[0]?.logged ?? 0
    // Events of the server itself, such as the state of its stores, may still arrive in the meantime.
    const heardAndLogged = async () => {
      const logged = (await readLog()).map(({ position }) => position).filter((position) => position > begun)
      const received = positionsIn(page.received, 'log')
      const [missed, more] = [
        logged.filter((at) => !received.includes(at)),
        received.filter((at, i) => at !== logged[i]),
      ]
      return { missed, more }
    }
    await expect.poll(heardAndLogged).toEqual({ missed: [], more: [] })
    const log = await readLog()
    for (const jobId of [1, 2] as const) {
      const job = { ...(await findJob(db, jobId))!, storages: [], storageCount: 0 }
      await expect.poll(() => folded(page.received, `job-${jobId}`)).toEqual(job)
      await expect
        .poll(() => newestRow(page.received, jobId))
        .toBe(log.findLast((e) => e.stream === `job-${jobId}`)?.version)
    }
    expect(topics.map((topic) => page.states(topic).length)).toEqual([1, 1, 1, 1])
    expect(page.opened()).toBeGreaterThan(kills)
  }
})

/** Opens sockets with the headers of a browser: the session and the origin of the page. */
function useSockets(port: number, session: string) {
  const headers = { cookie: `${sessionCookie}=${session}`, origin: `http://127.0.0.1:${port}` }
  class BrowserSocket extends WebSocket {
    constructor(url: string) {
      super(url, { headers } as never)
    }
  }
  vi.stubGlobal('WebSocket', BrowserSocket)
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** The connection of a page that follows all topics. */
function lookOn(port: number) {
  const received: ServerMessage[] = []
  let isOpen = false
  let opened = 0
  const connection = new LiveConnection({
    url: `ws://127.0.0.1:${port}${livePath}`,
    onMessage: (message) => received.push(message),
    onStatus: (status) => {
      if (status.isOpen && !isOpen) opened += 1
      isOpen = status.isOpen
    },
    delaysMs: [50, 100, 200],
  })
  onTestFinished(() => connection.close())
  for (const topic of topics) connection.subscribe(topic)
  const states = (topic: Topic) =>
    received.filter((message) => message.type === 'state').filter((message) => message.topic === topic)
  return { received, states, isOpen: () => isOpen, opened: () => opened }
}

const eventsIn = (received: ServerMessage[], topic: Topic): LoggedEvent[] =>
  received
    .filter((message) => message.type === 'events' || message.type === 'resumed')
    .filter((message) => message.topic === topic)
    .flatMap(({ events }) => events.flatMap((event) => (event.type === 'logged' ? event.events : [])))

const positionsIn = (received: ServerMessage[], topic: Topic) =>
  eventsIn(received, topic).map(({ position }) => position)

/** The job as folded by the screen. Each version must arrive once and in order. */
function folded(received: ServerMessage[], topic: Topic): Job {
  const first = received.find((message) => message.type === 'state' && message.topic === topic)
  const { version: first_, agentName: _, userId: __, ...job } = (first as { state: JobDetails }).state
  const events = eventsIn(received, topic)
  expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => first_ + 1 + i))
  return events.reduce((job, { data }) => evolve(job, data as JobEvent), job as Job)
}

const newestRow = (received: ServerMessage[], jobId: number) =>
  Math.max(
    ...received
      .flatMap((message) => ('events' in message ? message.events : []))
      .flatMap((event) => (event.type === 'jobs' ? event.jobs : []))
      .filter(({ id }) => id === jobId)
      .map(({ version }) => version),
  )

/** Starts the server in its own process and waits until it responds. */
async function serverOn(port: number): Promise<() => Promise<ChildProcess>> {
  const env = {
    ...process.env,
    PORT: String(port),
    DATAINTELL_DATA: testFolder('data'),
    DATABASE_URL: await testDatabaseUrl(),
    CLICKHOUSE_URL: `chdb:${testFolder('chdb')}`,
    NATS_URL: (await testNatsServer()).url,
  }
  return async () => {
    const program = join(import.meta.dirname, '../../server/main.ts')
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    while (child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/actuator/health`).catch(() => undefined)
      if (answer?.ok) return child
      await pause(50)
    }
    throw new Error(`The server ended with ${child.exitCode}`)
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
