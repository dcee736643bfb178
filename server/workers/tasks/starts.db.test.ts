import { setTimeout as pause } from 'node:timers/promises'
import { createInbox } from 'nats'
import { afterEach, expect, test } from 'vitest'
import { protocolVersion } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { TaskAnswer } from '#events/tasks.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { queueing } from '#server/scanning/scans/testing/queueing.ts'
import { startAgentRequests } from './agentRequests.ts'

const platform = await testPlatform()
const { db } = platform
const { queue } = queueing(platform)
const run = 'a run'
await db.updateTable('agents').set({ run }).execute()

const running: Running[] = []
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

type Replica = { delayMs?: number; fail?: () => void; now?: () => number }
const warnings: unknown[] = []

/** Starts a replica whose engine takes longer for each statement, or fails. */
function startReplica({ delayMs = 0, fail = () => {}, now }: Replica = {}): void {
  const command = async (statement: Parameters<Platform['clickhouse']['command']>[0]) => {
    await pause(delayMs)
    fail()
    await platform.clickhouse.command(statement)
  }
  const log = Object.assign(Object.create(platform.log) as Platform['log'], {
    warn: (details: { error?: unknown }) => void warnings.push(details.error),
  })
  const slow = { ...platform, log, clickhouse: { ...platform.clickhouse, command } }
  running.push(startAgentRequests(slow, handlersFor(slow), now))
}

async function newTask(): Promise<{ taskId: number; jobId: number }> {
  const { jobId } = await queue()
  const { id: taskId } = await db.selectFrom('tasks').select('id').where('jobId', '=', jobId).executeTakeFirstOrThrow()
  warnings.length = 0
  return { taskId, jobId }
}

/** Asks once, as an agent does for the start of a task. Its repetitions have the same `request`. */
async function ask(taskId: number, request?: string, failure?: string): Promise<TaskAnswer> {
  const body = JSON.stringify({ taskId, run, protocol: protocolVersion, request, failure })
  const options = { timeout: 30_000, noMux: true, reply: createInbox('_INBOX_agent-1') }
  return TaskAnswer.parse((await platform.nats.connection.request(subjects.startTask(1), body, options)).json())
}

const taskOf = (taskId: number) =>
  db.selectFrom('tasks').select(['attempt', 'tries', 'status']).where('id', '=', taskId).executeTakeFirstOrThrow()

/** Asks again every 40 ms without waiting for the answers. */
async function askOften(taskId: number, times: number): Promise<TaskAnswer[]> {
  const answers: Promise<TaskAnswer>[] = []
  for (let i = 0; i < times; i++) {
    answers.push(ask(taskId, 'the same'))
    await pause(40)
  }
  return Promise.all(answers)
}

test('a start that takes longer than the agent waits is one attempt, and answers the repeated request', async () => {
  startReplica({ delayMs: 50 })
  const { taskId } = await newTask()
  const answers = await askOften(taskId, 30)
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1)
  expect(answers[0]).toMatchObject({ type: 'scan', order: { attempt: 1 } })
  expect(await taskOf(taskId)).toEqual({ attempt: 1, tries: 1, status: 'RUNNING' })
  expect(warnings).toEqual([])
})

test('replicas start a task one at a time, and repeated requests count as one attempt', async () => {
  startReplica({ delayMs: 50 })
  startReplica({ delayMs: 50 })
  const { taskId } = await newTask()
  const answers = await askOften(taskId, 30)
  const orders = answers.filter(({ type }) => type === 'scan')
  expect(orders.length).toBeGreaterThan(0)
  expect(answers.filter(({ type }) => type === 'over')).toEqual([])
  expect(await taskOf(taskId)).toMatchObject({ tries: 1, status: 'RUNNING' })
  expect(warnings).toEqual([])
})

test('more storages than Postgres has connections start at once on a slow engine, each in one attempt', async () => {
  startReplica({ delayMs: 50 })
  const tasks = await Promise.all(Array.from({ length: 30 }, newTask))
  const answers = await Promise.all(tasks.map(({ taskId }) => askOften(taskId, 10)))
  expect(answers.flat().filter((answer) => answer.type !== 'scan' || answer.order.attempt !== 1)).toEqual([])
  expect(warnings).toEqual([])
})

test('an order that is ready after the agent stopped waiting answers its next request', async () => {
  startReplica()
  const { taskId } = await newTask()
  const first = await ask(taskId, 'the same')
  expect(await ask(taskId, 'the same')).toEqual(first)
  expect(await ask(taskId, 'another')).toMatchObject({ order: { attempt: 2 } })
  expect(await taskOf(taskId)).toMatchObject({ attempt: 2, tries: 2 })
})

const unknownTable = () => {
  throw new Error('Code: 60. DB::Exception: Table scan_7 does not exist. (UNKNOWN_TABLE)')
}

test('a start that fails because of a store counts as no attempt, however often it fails', async () => {
  let failures = 0
  startReplica({ fail: () => void (failures++ < 15 && unknownTable()) })
  const { taskId } = await newTask()
  for (let i = 0; i < 15; i++) expect(await ask(taskId, 'the same')).toMatchObject({ type: 'later' })
  expect(await ask(taskId, 'the same')).toMatchObject({ type: 'scan' })
  expect(await taskOf(taskId)).toMatchObject({ tries: 1, status: 'RUNNING' })
})

test('a task whose starts fail for 15 minutes is given up with the error of the store', async () => {
  let minutes = 0
  startReplica({ fail: unknownTable, now: () => minutes * 60_000 })
  const { taskId, jobId } = await newTask()
  for (minutes = 0; minutes < 15; minutes++) expect(await ask(taskId, 'the same')).toMatchObject({ type: 'later' })
  const reason =
    'The scan could not be started for 15 minutes: Code: 60. DB::Exception: Table scan_7 does not exist. (UNKNOWN_TABLE)'
  expect(await ask(taskId, 'the same')).toEqual({ type: 'over', reason })
  expect(await findJob(db, jobId)).toMatchObject({ status: 'SCANNER_ERROR', tasks: [{ result: { reason } }] })
})

test('a task is not given up while a store is away', async () => {
  let minutes = 0
  const fail = () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  startReplica({ fail, now: () => minutes * 60_000 })
  const { taskId } = await newTask()
  for (minutes = 0; minutes < 40; minutes += 10) expect(await ask(taskId, 'the same')).toMatchObject({ type: 'later' })
})

const lastFailures: [string | undefined, string][] = [
  ['The connection to NATS is closed', '; the last time it failed on the agent: The connection to NATS is closed'],
  [undefined, '; the last time the agent ended'],
]

test.each(lastFailures)(
  'a task is given up after ten attempts, with the last failure of its agent: %o',
  async (failure, detail) => {
    startReplica()
    const { taskId, jobId } = await newTask()
    for (let i = 0; i < 10; i++) expect(await ask(taskId, `execution ${i}`)).toMatchObject({ type: 'scan' })
    const reason = `The scan was started 10 times without finishing${detail}`
    expect(await ask(taskId, 'execution 10', failure)).toEqual({ type: 'over', reason })
    expect(await findJob(db, jobId)).toMatchObject({ status: 'SCANNER_ERROR', tasks: [{ result: { reason } }] })
  },
)
