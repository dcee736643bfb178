import { expect, onTestFinished, test } from 'vitest'
import { protocolVersion } from '#events/agents.ts'
import type { JobStatus } from '#events/jobs/events.ts'
import { subjects } from '#events/subjects.ts'
import { beginJob, findJob, queueReport } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { startPresence } from './presence.ts'
import { startServerWorker } from './serverWorker.ts'

const platform = await testPlatform()
const { db, nats } = platform
const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:8123'), { code: 'ECONNREFUSED' })

/** Runs a report that fails with each error in turn; resolves with its task once its job has this status. */
async function runFailing(jobId: number, errors: Error[], status: JobStatus, on = platform) {
  const payload = { templateId: 1, templateName: 'Report', runId: 1 }
  await db
    .transaction()
    .execute((trx) => beginJob(trx, jobId, system, queueReport(jobId, jobId, payload, new Date().toISOString())))
  const handler = {
    consumer: 'failing',
    topics: [],
    async run() {
      const error = errors.shift()
      if (error) throw error
      return { files: 1 }
    },
  }
  const worker = startServerWorker(on, 'RUN_REPORT', handler, 50)
  onTestFinished(() => worker.stop())
  await expect.poll(async () => (await findJob(db, jobId))?.status).toBe(status)
  return (await findJob(db, jobId))?.tasks[0]
}

test('a task of the server is not given up while a store is away, however often it fails', async () => {
  expect(await runFailing(1, Array<Error>(7).fill(away), 'SUCCESS')).toMatchObject({ attempt: 8, lapses: 0 })
})

test('a worker that cannot read its tasks looks again', async () => {
  let failures = 3
  const failing = db.withPlugin({
    transformQuery({ node }) {
      if (failures-- > 0) throw away
      return node
    },
    transformResult: async ({ result }) => result,
  })
  expect(await runFailing(4, [], 'SUCCESS', { ...platform, db: failing })).toMatchObject({ attempt: 1 })
})

test('each failed attempt is logged with its job, task and number', async () => {
  const lines: object[] = []
  const log = { ...platform.log, warn: (line: object) => void lines.push(line) } as unknown as typeof platform.log
  await runFailing(3, [new Error('Disk full')], 'SUCCESS', { ...platform, log })
  expect(lines).toMatchObject([
    { jobId: 3, taskId: 3, attempt: 1, type: 'RUN_REPORT', error: { message: 'Disk full' } },
  ])
})

test('a task of the server is given up after five attempts with the error of the last one', async () => {
  const reason = 'Gave up after 5 attempts; the last one failed: Table report_entries does not exist'
  const errors = Array.from({ length: 5 }, () => new Error('Table report_entries does not exist'))
  expect(await runFailing(2, errors, 'SCANNER_ERROR')).toMatchObject({ result: { reason } })
})

test('agents are not silent while NATS is away, nor at once after it returns', async () => {
  const presence = startPresence(platform)
  onTestFinished(() => presence.stop())
  await db.updateTable('agents').set({ run: 'a run' }).where('id', '=', 1).execute()
  const machine = { id: 'a machine', boot: 'a boot', pid: 7 }
  const beat = { run: 'a run', version: '1', protocol: protocolVersion, machine, host: 'north', tasks: [70], memory: 1 }
  const started = presence.lastWorkedOn(70)
  await expect
    .poll(() => {
      nats.connection.publish(subjects.heartbeat(1), JSON.stringify(beat))
      return presence.lastWorkedOn(70)
    })
    .toBeGreaterThan(started)
  const server = await testNatsServer()
  await server.kill()
  await expect.poll(() => presence.lastWorkedOn(70)).toBe(Infinity)
  const restarted = Date.now()
  await server.start()
  await expect.poll(() => presence.lastWorkedOn(70)).toBeLessThan(Infinity)
  expect(presence.lastWorkedOn(70)).toBeGreaterThanOrEqual(restarted)
})
