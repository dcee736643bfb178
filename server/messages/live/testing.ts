import type { StreamName } from '#events/streams.ts'
import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Role } from '#events/contract/needs.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { Job, JobEvent } from '#events/jobs/events.ts'
import { type LiveEvent, ServerMessage, type Topic, livePath } from '#events/live.ts'
import type { Progress } from '#events/scans/lifecycle.ts'
import { noFilters } from '#events/search/filters.ts'
import { sessionCookie } from '#events/users/session.ts'
import { wallCookie } from '#events/wall.ts'
import { beginJob, changeJob, progressTask, queueTagging, startTask } from '#server/workers/jobs/index.ts'
import { type Actor, append, system, wakeFollowers } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testSession } from '#server/testing.ts'
import { startLive } from './index.ts'

/** A scan's progress as it is sent to browsers. */
export const progressed = (scanId: number, entries: number): LiveEvent => ({
  type: 'scanProgressed',
  scanId,
  jobId: 1,
  taskId: 1,
  progress: progress(entries),
})

export const progress = (entries: number): Progress => ({
  entries,
  directories: 1,
  bytes: entries * 10,
  unreadable: 0,
  queued: 0,
  rate: 5,
  currentPath: '/a',
})

/** An HTTP server on a free port. */
export async function listen(): Promise<{ http: Server; host: string; close: () => Promise<void> }> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const close = async () => {
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  }
  return { http, host: `127.0.0.1:${(http.address() as AddressInfo).port}`, close }
}

type From = { session?: string; wall?: string; origin?: string }

/** A browser's socket that stores received messages, except heartbeats. */
export function look(host: string, { session, wall, origin = `http://${host}` }: From) {
  const cookies = { [sessionCookie]: session, [wallCookie]: wall }
  const sent = Object.entries(cookies).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
  const headers = sent.length > 0 ? { cookie: sent.join('; ') } : {}
  const socket = new WebSocket(`ws://${host}${livePath}`, { headers, origin })
  const heard: ServerMessage[] = []
  const waiting = new Set<() => void>()
  socket.on('error', () => {})
  socket.on('message', (data) => {
    heard.push(ServerMessage.parse(JSON.parse(String(data))))
    for (const look of waiting) look()
  })
  return {
    socket,
    heard,
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    opened: () => once(socket, 'open'),
    closed: async () => (await once(socket, 'close'))[0] as number,
    /** The status of a rejected connection attempt. */
    refused: async () => ((await once(socket, 'unexpected-response'))[1] as { statusCode: number }).statusCode,
    /** The first matching message, from number `after` on. */
    until: (wanted: (message: ServerMessage) => boolean, after = 0) =>
      new Promise<ServerMessage>((resolve) => {
        const look = () => {
          const found = heard.slice(after).find(wanted)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}

type Browser = ReturnType<typeof look>

/** Live updates of a server that starts for each test, after the tables are emptied. Browsers close when the test ends. */
export function testLive(platform: Platform, tables: string) {
  let place: Awaited<ReturnType<typeof listen>>
  let live: { stop(): Promise<void> }
  beforeEach(async () => {
    await sql`TRUNCATE ${sql.raw(tables)} CASCADE`.execute(platform.db)
    place = await listen()
    live = await startLive(platform, place.http)
  })
  afterEach(async () => {
    await live.stop()
    await place.close()
  })
  const open = (from: From) => {
    const browser = look(place.host, from)
    onTestFinished(() => browser.socket.terminate())
    return browser
  }
  return {
    host: () => place.host,
    open,
    /** A connected browser of a new user with these roles. */
    browser: async (...roles: Role[]) => {
      const browser = open({ session: await testSession(platform.db, roles) })
      await browser.opened()
      return browser
    },
  }
}

/** Subscribes and returns the beginning of the topic. */
export function begin(browser: Browser, topic: Topic, after?: number): Promise<ServerMessage> {
  const from = browser.heard.length
  browser.say({ type: 'subscribe', topic, after })
  const begins = ({ type }: ServerMessage) => type === 'state' || type === 'resumed'
  return browser.until((message) => begins(message) && 'topic' in message && message.topic === topic, from)
}

/** The log events of a topic in these messages. */
export const eventsIn = (messages: ServerMessage[], topic: Topic): LoggedEvent[] =>
  messages.flatMap((message) =>
    'events' in message && message.topic === topic
      ? message.events.flatMap((event) => (event.type === 'logged' ? event.events : []))
      : [],
  )

/** Matches messages with an event of this version of the topic. */
export const has = (topic: Topic, version: number) => (message: ServerMessage) =>
  eventsIn([message], topic).some((event) => event.version === version)

/** The log position of a message. */
export const loggedOf = (message: ServerMessage) => ('logged' in message ? message.logged : undefined)

/** Appends to the log as the server does. */
export function appender(db: Db) {
  const at = '2026-01-01T00:00:00.000Z'
  const change = async (jobId: number, decide: (job: Job) => JobEvent[]) => {
    await db.transaction().execute((trx) => changeJob(trx, jobId, system, decide))
    wakeFollowers()
  }
  return {
    /** A running job with one task of the same number: three events. */
    async queue(jobId: number, by: Actor = system) {
      const payload = { tags: ['a'], remove: false, isDirectory: false, filters: noFilters }
      await db.transaction().execute((trx) => beginJob(trx, jobId, by, queueTagging(jobId, jobId, payload, at)))
      await change(jobId, (job) => startTask(job, jobId, 1, at))
    },
    advance: (jobId: number, tagged: number) =>
      change(jobId, (job) => progressTask(job, jobId, { tagged, toTag: 1_000 }, at)),
    /** Appends `count` events of another kind. */
    async note(stream: StreamName, count: number, text = '') {
      const events = Array.from({ length: count }, () => ({ type: 'Noted', at, text }))
      await db.transaction().execute((trx) => append(trx, stream, system, 1, () => events))
      wakeFollowers()
    },
  }
}
