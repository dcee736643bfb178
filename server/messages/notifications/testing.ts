import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { beforeEach } from 'vitest'
import type { Job, JobEvent } from '#events/jobs/events.ts'
import type { JobNotificationDraft } from '#events/notifications/calls.ts'
import { readConfig } from '#server/platform/config.ts'
import { beginJob, changeJob, queueScan, startTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { openLog } from '#server/platform/logger.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { testUser } from '#server/testing.ts'
import { testPort } from '#server/platform/testing/testFile.ts'
import { sendDue } from './sendDue.ts'
import { sealWebhooks } from './webhookAddress.ts'

/** The parts of the platform needed for sending. */
export async function testSender(): Promise<Pick<Platform, 'db' | 'config' | 'log' | 'live'>> {
  const config = readConfig({ DATAINTELL_DATA: testFolder('data') })
  return { db: await testDb(), config, log: openLog(undefined), live: () => undefined }
}

/** An empty outbox before each test, sent by a clock that only moves when it is set. */
export function testOutbox(sender: Parameters<typeof sendDue>[0]) {
  const clock = { time: Date.now() }
  const now = () => new Date(clock.time)
  beforeEach(async () => {
    await sender.db.deleteFrom('deliveries').execute()
    clock.time = Date.now() + 1_000
  })
  return {
    clock,
    now,
    send: (channel: 'email' | 'webhook' = 'email') => sendDue(sender, channel, { now }),
    rows: () => sender.db.selectFrom('deliveries').selectAll().orderBy('id').execute(),
  }
}

/** Configures an SMTP server of the test, in plain text. Addresses of the domains need no confirmation. */
export async function useMailServer(db: Db, port: number, domains = 'example.com'): Promise<void> {
  const tls = 'spring.mail.properties.mail.smtp.starttls.enable'
  const values = [
    { name: 'spring.mail.host', value: '127.0.0.1' },
    { name: 'spring.mail.port', value: String(port) },
    { name: 'spring.mail.from', value: 'reports@example.org' },
    { name: 'spring.mail.properties.mail.smtp.auth', value: 'false' },
    { name: tls, value: 'false' },
    { name: 'allowedMailDomains', value: domains },
  ]
  await db.deleteFrom('configurations').execute()
  await db.insertInto('configurations').values(values).execute()
}

/** A user with an address and a notification. */
export async function testReader(
  db: Db,
  wanted: Partial<JobNotificationDraft>[],
  email: string | null = 'ana@example.com',
): Promise<number> {
  const { id: userId } = await testUser(db, ['ROLE_ADMIN'])
  await db.updateTable('users').set({ email, confirmedEmail: email }).where('id', '=', userId).execute()
  for (const draft of wanted) {
    const defaults = { type: 'SCAN_ON_PREMISES', status: 'ALWAYS', email: true, webhook: null, userId } as const
    await db
      .insertInto('notifications')
      .values({ ...defaults, ...draft })
      .execute()
  }
  return userId
}

/** Adds a webhook of a user to the outbox. */
export async function postTo(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  userId: number,
  webhook: string,
  key = 'job-end-7-1-webhook',
  more: { about?: string; notificationId?: number; body?: string } = {},
): Promise<void> {
  const row = { key, userId, channel: 'webhook', webhook, subject: 'Subject', body: '{"id":7}', ...more } as const
  await db.insertInto('deliveries').values(row).execute()
  await sealWebhooks({ db, config })
}

const begunAt = '2026-01-01T10:00:00.000Z'
export const endedAt = '2026-01-01T11:05:09.000Z'

/** A running scan of these volumes; its tasks are numbered `<job>1`, `<job>2` … */
export async function beginScan(db: Db, jobId: number, volumes: number[] = [1]): Promise<void> {
  const planned = volumes.map((volumeId, i) => {
    const taskId = jobId * 10 + i + 1
    return { volumeId, serverId: 1, taskId, scanId: taskId }
  })
  await db.transaction().execute((trx) => beginJob(trx, jobId, system, queueScan(jobId, planned, true, begunAt)))
  for (const { taskId } of planned) await change(db, jobId, (job) => startTask(job, taskId, 1, begunAt))
}

export const change = (db: Db, jobId: number, decide: (job: Job) => JobEvent[]) =>
  db.transaction().execute((trx) => changeJob(trx, jobId, system, decide))

/** A request received by a webhook. */
type WebhookRequest = { headers: IncomingHttpHeaders; body: string; url: string }

/** A real HTTP server on 127.0.0.1 with a configurable response; undefined makes it hang. */
export async function testReceiver(): Promise<{
  address: string
  posted: WebhookRequest[]
  answer: number | undefined
  /** Text and headers of the response. */
  text: string
  headers: Record<string, string>
}> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.posted.push({ headers: request.headers, body, url: request.url ?? '' })
      if (receiver.answer !== undefined)
        response.writeHead(receiver.answer, { Location: '/elsewhere', ...receiver.headers }).end(receiver.text)
    })
  })
  const receiver: Awaited<ReturnType<typeof testReceiver>> = {
    address: `http://127.0.0.1:${await testPort(server)}/hook`,
    posted: [],
    answer: 204,
    text: '',
    headers: {},
  }
  return receiver
}
