import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endTask } from '#server/workers/jobs/index.ts'
import { follow } from '#server/platform/log/follow.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { sealWebhooks } from './webhookAddress.ts'
import { sendDue } from './sendDue.ts'
import { beginScan, change, endedAt, testReader, testReceiver, testSender, useMailServer } from './testing.ts'
import { notifyOfEnd } from './notifyOfEnd.ts'

const sender = await testSender()
const { db } = sender
const jobs = Array.from({ length: 12 }, (_, i) => i + 1)

/** Retries until nothing interrupts it. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let isDone = false; !isDone;) {
    isDone = await work().then(
      () => true,
      () => false,
    )
  }
}

/** Terminates every connection to the database but its own, as for killed servers, again and again. */
async function killFor(milliseconds: number): Promise<number> {
  let killed = 0
  await db.connection().execute(async (own) => {
    for (const until = Date.now() + milliseconds; Date.now() < until;) {
      await new Promise((done) => setTimeout(done, 10 + Math.random() * 60))
      const { rows } = await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5`.execute(own)
      killed += rows.length
    }
  })
  return killed
}

test('followers and senders that are killed at any moment report each job once', async () => {
  const { port, arrived } = await testMailServer()
  const receiver = await testReceiver()
  await useMailServer(db, port)
  await testReader(db, [{ webhook: receiver.address }, { status: 'ON_SUCCESS' }])
  await sealWebhooks(sender)
  for (const job of jobs) await beginScan(db, job)

  let isOver = false
  let later = 1_000
  const now = () => new Date(Date.now() + later)
  const followers = [1, 2].map(() => follow(db, 'notifications', notifyOfEnd, wakeFollowers))
  const sending = (['email', 'email', 'webhook', 'webhook'] as const).map(async (channel) => {
    while (!isOver) {
      await sendDue(sender, channel, { now }).catch(() => undefined)
      await new Promise((done) => setTimeout(done, 5))
    }
  })
  const ending = (async () => {
    for (const job of jobs) {
      await insist(() => change(db, job, (state) => endTask(state, job * 10 + 1, {}, endedAt)))
      wakeFollowers()
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  expect(await killFor(3_000)).toBeGreaterThan(20)
  await ending
  // Past the lease of deliveries taken by killed senders.
  later += 180_000
  const count = (state: 'sent' | 'waiting' | 'failed') =>
    db
      .selectFrom('deliveries')
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
      .then(({ rows }) => rows)
  await expect
    .poll(() => {
      later += 60_000
      return count('sent')
    })
    .toBe(jobs.length * 3)
  isOver = true
  await Promise.all([...sending, ...followers.map((follower) => follower.stop())])

  const keys = await db.selectFrom('deliveries').select(['key', 'channel', 'subject']).execute()
  const subjects = keys.map(({ subject, channel }) => `${subject} ${channel}`).sort()
  const each = (suffix: string) => jobs.map((job) => `Scan completed: job ${job} ${suffix}`)
  expect(subjects).toEqual([...each('email'), ...each('email'), ...each('webhook')].sort())
  // A delivery that was sent but not recorded is sent again with the same id.
  const keysOf = (channel: string) => new Set(keys.filter((row) => row.channel === channel).map(({ key }) => key))
  expect(new Set(arrived.map(({ headers }) => /^<(.*)@/.exec(headers['message-id']!)![1]))).toEqual(keysOf('email'))
  expect(new Set(receiver.posted.map(({ headers }) => headers['idempotency-key']))).toEqual(keysOf('webhook'))
})
