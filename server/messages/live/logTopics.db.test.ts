import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { JobDetails } from '#events/jobs/calls.ts'
import { type Job, type JobEvent, evolve } from '#events/jobs/events.ts'
import type { ServerMessage } from '#events/live.ts'
import { findJobDetails } from '#server/workers/jobs/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testUser } from '#server/testing.ts'
import { publishLive } from './index.ts'
import { appender, begin, eventsIn, has, loggedOf, progress, testLive } from './testing.ts'

const platform = await testPlatform()
const { db } = platform

const { browser, open } = testLive(platform, 'events, jobs, tasks')
const admin = () => browser('ROLE_ADMIN')

test('users who may start jobs follow their own, and receive nothing of others', async () => {
  const ana = await testUser(db, ['ROLE_PROJECT_MANAGER'])
  const page = open({ session: await openSession(db, ana.id, '127.0.0.1') })
  await page.opened()
  await queue(1)
  await queue(2, { ...ana, address: null })
  for (const topic of ['job-1', 'job-3', 'log'] as const) {
    page.say({ type: 'subscribe', topic })
    await page.until((message) => message.type === 'refused' && message.topic === topic)
  }
  const before = await newest()
  expect(await begin(page, 'job-2')).toMatchObject({ state: { id: 2, userId: ana.id } })
  expect(await begin(page, 'jobs', before - 6)).toMatchObject({ type: 'resumed', events: [{ jobs: [{ id: 2 }] }] })
  await advance(1, 5)
  await advance(2, 7)
  await page.until(has('job-2', 4))
  const positionsIn = (message: ServerMessage) =>
    'events' in message && message.topic === 'jobs' ? message.events : []
  await page.until((message) =>
    positionsIn(message).some((event) => event.type === 'jobs' && event.jobs[0]?.version === 4),
  )
  const heard = page.heard.flatMap(positionsIn).flatMap((event) => (event.type === 'jobs' ? event.jobs : []))
  expect(new Set(heard.map(({ id }) => id))).toEqual(new Set([2]))
})

const { queue, advance, note } = appender(db)
const newest = async () => Number((await sql<{ p: number }>`SELECT max(position) p FROM events`.execute(db)).rows[0]?.p)

test('a job is shown as it is and then by its events, which fold to what the server has', async () => {
  await queue(1)
  const page = await admin()
  const state = await begin(page, 'job-1')
  expect(state).toMatchObject({ type: 'state', state: { id: 1, status: 'RUNNING', version: 3 } })
  for (let tagged = 1; tagged <= 5; tagged++) await advance(1, tagged)
  await queue(2)
  await page.until(has('job-1', 8))
  const events = eventsIn(page.heard, 'job-1')
  expect(events.map(({ version }) => version)).toEqual([4, 5, 6, 7, 8])
  const { version: _, agentName, ...job } = (state as { state: JobDetails }).state
  const folded = events.reduce((job, { data }) => evolve(job, data as JobEvent), job as Job)
  expect({ ...folded, version: 8, agentName }).toEqual(await findJobDetails(db, 1))
})

test('the log sends everything, a job only itself, and the list of jobs their rows and the progress of scans', async () => {
  const page = await admin()
  for (const topic of ['log', 'jobs', 'job-2'] as const) await begin(page, topic)
  await queue(1)
  await note('volume-1', 1)
  await advance(1, 7)
  await page.until(has('log', 4))
  expect(eventsIn(page.heard, 'log').map(({ stream }) => stream)).toEqual([
    'job-1',
    'job-1',
    'job-1',
    'volume-1',
    'job-1',
  ])
  const rows = await page.until(
    (message) =>
      message.type === 'events' &&
      message.events.some((event) => event.type === 'jobs' && event.jobs.some(({ version }) => version === 4)),
  )
  expect(rows).toMatchObject({ topic: 'jobs', logged: await newest() })
  publishLive(platform.nats)({ type: 'scanProgressed', scanId: 1, jobId: 1, taskId: 1, progress: progress(5) })
  await page.until((message) => message.type === 'events' && message.events[0]?.type === 'scanProgressed')
  expect(eventsIn(page.heard, 'job-2')).toEqual([])
})

test('reconnecting browsers receive what followed, and everything if that is too much or of another log', async () => {
  await queue(1)
  const page = await admin()
  const logged = loggedOf(await begin(page, 'job-1'))
  await begin(page, 'log')
  for (const topic of ['job-1', 'log'] as const) page.say({ type: 'unsubscribe', topic })
  await advance(1, 1)
  await note('volume-1', 998)
  await advance(1, 2)
  for (const topic of ['job-1', 'log', 'jobs'] as const) expect((await begin(page, topic, logged)).type).toBe('resumed')
  expect(eventsIn(page.heard, 'job-1').map(({ version }) => version)).toEqual([4, 5])
  expect(eventsIn(page.heard, 'log')).toHaveLength(1_000)
  expect(page.heard.at(-1)).toMatchObject({ events: [{ type: 'jobs', jobs: [{ id: 1, version: 5 }] }] })
  await advance(1, 3)
  await page.until(has('job-1', 6))
  expect(await begin(page, 'log', logged)).toMatchObject({ type: 'state', state: null, logged: await newest() })
  expect((await begin(page, 'job-1', logged)).type).toBe('resumed')
  for (const topic of ['job-1', 'log', 'jobs'] as const) {
    expect(await begin(page, topic, (await newest()) + 1)).toMatchObject({ type: 'state', logged: await newest() })
    expect(await begin(page, topic, await newest())).toMatchObject({ type: 'resumed', events: [] })
  }
})

test('browsers that join, leave and return during appends miss no event and receive none twice', async () => {
  await queue(1)
  let isOver = false
  const appending = async () => {
    for (let tagged = 1; tagged <= 400; tagged++) await advance(1, tagged)
    isOver = true
  }
  const follow = async (topic: 'job-1' | 'log') => {
    const versions: number[] = []
    let logged: number | undefined
    for (let isLast = false; versions.at(-1) !== 403; isLast = isOver) {
      const page = await admin()
      const beginning = await begin(page, topic, logged)
      if (beginning.type === 'state' && beginning.state && 'version' in beginning.state) {
        versions.push(beginning.state.version)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
      if (isLast) await page.until(has(topic, 403))
      page.socket.terminate()
      const frames = page.heard.filter((message) => loggedOf(message) !== undefined)
      versions.push(...eventsIn(frames, topic).map(({ version }) => version))
      logged = loggedOf(frames.at(-1)!)
    }
    return versions
  }
  const [ofJob, ofLog] = await Promise.all([follow('job-1'), follow('log'), appending()])
  for (const versions of [ofJob, ofLog]) {
    expect(versions).toEqual(Array.from({ length: 404 - versions[0]! }, (_, i) => versions[0]! + i))
  }
})
