import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ServerMessage, Topic } from '#events/live.ts'
import { newestPosition } from '#server/messages/event-log/index.ts'
import { append, system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { subjects } from '#events/subjects.ts'
import { appender, begin, eventsIn, has, testLive } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const { queue, advance, note } = appender(db)

const { browser } = testLive(platform, 'events, jobs, tasks, users')
const isRefused = (topic: Topic) => (message: ServerMessage) => message.type === 'refused' && message.topic === topic

test('users who may not see jobs or the log are refused those, and keep the rest', async () => {
  const page = await browser()
  for (const topic of ['log', 'jobs', 'job-1'] as const) {
    page.say({ type: 'subscribe', topic })
    await page.until(isRefused(topic))
  }
  await queue(1)
  expect((await begin(page, 'dashboard')).type).toBe('state')
  const received = page.heard.filter(({ type }) => type !== 'refused' && type !== 'beat')
  expect(received.map((message) => 'topic' in message && message.topic)).toEqual(['dashboard'])
})

test('a user who loses a role receives none of its topics from the next beat on', async () => {
  const page = await browser('ROLE_ADMIN')
  await begin(page, 'log')
  await begin(page, 'changed')
  await note('volume-1', 1)
  await page.until(has('log', 1))
  await sql`UPDATE users SET roles = '{}'`.execute(db)
  await page.until(isRefused('log'))
  await note('volume-1', 1)
  page.say({ type: 'subscribe', topic: 'log', after: 0 })
  await page.until(isRefused('log'), page.heard.length)
  expect(eventsIn(page.heard, 'log')).toHaveLength(1)
})

test('appends of another replica are sent at once, also if it does not announce them', async () => {
  const page = await browser('ROLE_ADMIN')
  await begin(page, 'log')
  const appendElsewhere = (version: number) =>
    db.transaction().execute((trx) =>
      append(trx, 'volume-1', system, 1, (past) => {
        expect(past).toHaveLength(version - 1)
        return [{ type: 'Noted', at: '2026-01-01T00:00:00.000Z' }]
      }),
    )
  await appendElsewhere(1)
  platform.nats.connection.publish(subjects.appended, 'another')
  await page.until(has('log', 1))
  await appendElsewhere(2)
  await page.until(has('log', 2))
})

const isBeginning = (message: ServerMessage) => message.type === 'state' && message.topic === 'log'

/** More data than the server keeps for a slow browser, plus the buffers of the systems between. */
const flood = async () => {
  for (let i = 0; i < 200; i++) await note(`volume-${i}`, 1, 'x'.repeat(100_000))
}

/** Waits until a browser received all events of the log after a position, each once and in order. */
async function received({ heard }: Awaited<ReturnType<typeof browser>>, after: number) {
  const rows = await db
    .selectFrom('events')
    .select('position')
    .where('position', '>', after)
    .orderBy('position')
    .execute()
  const positions = rows.map(({ position }) => position)
  const heardOf = () =>
    eventsIn(heard, 'log')
      .map(({ position }) => position)
      .filter((position) => position > after)
  await expect.poll(heardOf, { timeout: 60_000 }).toEqual(positions)
}

test('a slow browser later receives the events that it missed; one that missed too much restarts', async () => {
  await queue(1)
  const [page, later, witness] = [await browser('ROLE_ADMIN'), await browser('ROLE_ADMIN'), await browser('ROLE_ADMIN')]
  for (const topic of ['log', 'job-1'] as const) for (const each of [page, witness]) await begin(each, topic)
  await begin(later, 'log')
  const begun = await newestPosition(db)
  for (const { socket } of [page, later]) socket.pause()
  await flood()
  await advance(1, 1)
  await received(witness, begun)
  page.socket.resume()
  await page.until(has('job-1', 4))
  await page.until((message) => message.type === 'resumed' && message.topic === 'log')
  await received(page, begun)
  expect(page.heard.filter(isBeginning)).toHaveLength(1)
  await note('volume-2', 1_001)
  await received(witness, begun)
  const before = later.heard.length
  later.socket.resume()
  await later.until(isBeginning, before)
  expect(eventsIn(later.heard, 'log').length).toBeLessThan(200)
})

test('a browser may follow fifty topics, and no more', async () => {
  const page = await browser('ROLE_ADMIN')
  for (let jobId = 1; jobId <= 45; jobId++) page.say({ type: 'subscribe', topic: `job-${jobId}` })
  await page.until((message) => message.type === 'beat', 1)
  await page.until((message) => message.type === 'beat', page.heard.length)
  for (let jobId = 46; jobId <= 51; jobId++) page.say({ type: 'subscribe', topic: `job-${jobId}` })
  expect(await page.closed()).toBe(1008)
})
