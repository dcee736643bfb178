import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAgent } from '#agent/testing/startAgent.ts'
import { jobOf } from '#events/actions/actions.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { createApp } from '#server/app.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder, testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { scanRoutes } from '#server/scanning/scans/index.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { asUser, testSession } from '#server/testing.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { startPresence } from '#server/workers/tasks/index.ts'
import { countQuarantined, planAction, planOfJob, startActions, startPlan } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
const { url } = await testNatsServer()
await taskConsumers(nats, 1)
const presence = startPresence(platform)
const tasks = await startScanning(platform, presence)
await db.updateTable('agents').set({ run: null }).execute()
const actions = startActions(platform)
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
  await presence.stop()
})
const ask = asUser(createApp(platform, scanRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))

const films = testFolder('films')
const paths = ['one.mov', 'a/two.mov', "a/it's three.mov", 'a/b/four.mov'].map((path) => join(films, path))
const policyId = 7
let volumeId = 0

beforeAll(async () => {
  mkdirSync(join(films, 'a/b'), { recursive: true })
  for (const path of paths) {
    writeFileSync(path, `content of ${path}`)
    utimesSync(path, 1_600_000_000, 1_600_000_000)
  }
  volumeId = (
    await db
      .insertInto('volumes')
      .values({ name: 'Films', path: films, type: 'crawl.files', policyActions: 'delete' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
  startAgent(url, 1, { AGENT_STATE: testFolder('state'), AGENT_MAY_CHANGE: films, AGENT_MAY_DELETE: films })
})

const ended = async (jobId: number) => {
  const statusOf = async () => (await findJob(db, jobId))?.status
  await expect.poll(statusOf, { timeout: 30_000 }).toMatch(/SUCCESS|WARNING|FAILURE/)
  return (await findJob(db, jobId)) ?? expect.unreachable()
}
const scan = async () => {
  const { body } = await ask('POST', '/api/v1/scans/volumes/ids', [volumeId]).expect(200)
  expect((await ended(body.jobId)).status).toBe('SUCCESS')
}
/** Starts a plan, whose files must all be done. */
async function run(id: number): Promise<number> {
  const jobId = await startPlan(platform, id, system, policyId)
  const { status, result } = await ended(jobId)
  expect({ status, result }).toMatchObject({ status: 'SUCCESS', result: { failed: 0 } })
  return jobId
}
const quarantineAll = async () => {
  // Policies leave alone what was put back, as long as that is known.
  await db.updateTable('selections').set({ usedBy: null }).execute()
  const request = jobOf('quarantine', {}, { dataIntellPaths: [films] })
  const plan = await planAction(platform, request, { by: system, ofPolicy: policyId, leaveOutKept: true })
  expect(plan).toMatchObject({ files: paths.length, leftOut: [] })
  return run(plan.id)
}
const isFound = async (jobId: number, found: object) => {
  const storages = async () => fieldsOf((await findJob(db, jobId))?.result).found?.storages
  await expect.poll(storages, { timeout: 10_000 }).toMatchObject([found])
}
const stateOf = (path: string) => {
  const { ino, size, mtimeMs, mode, uid } = statSync(path)
  return { ino, size, mtimeMs, mode, uid }
}
const inQuarantine = (jobId: number) => countQuarantined(platform, [jobId])
/** Files below the folder of the quarantine, without what says how to undo it. */
const moved = () =>
  readdirSync(join(films, quarantineFolder), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith('.mov'),
  ).length

test('files are moved, verified, put back as they were, moved again and deleted', { timeout: 120_000 }, async () => {
  const before = paths.map(stateOf)
  await scan()
  const first = await quarantineAll()
  expect([paths.some(existsSync), moved()]).toEqual([false, paths.length])
  expect(await inQuarantine(first)).toMatchObject([{ volumeId, files: paths.length }])
  await scan()
  await isFound(first, { there: 0, gone: paths.length })

  const [single = ''] = paths
  await run((await planOfJob(platform, 'putBack', first, system, [single])).id)
  expect([existsSync(single), moved()]).toEqual([true, paths.length - 1])
  const undone = await run((await planOfJob(platform, 'putBack', first, system)).id)
  expect(paths.map(stateOf)).toEqual(before)
  expect([moved(), await inQuarantine(first)]).toEqual([0, []])
  await scan()
  await isFound(undone, { there: paths.length - 1, gone: 0 })

  const second = await quarantineAll()
  expect(await inQuarantine(second)).toMatchObject([{ files: paths.length }])
  // An agent deletes only what was moved a day ago.
  const dayAgo = Date.now() / 1_000 - 86_400
  for (const name of readdirSync(join(films, quarantineFolder)))
    if (name.endsWith('.sh')) utimesSync(join(films, quarantineFolder, name), dayAgo, dayAgo)
  const deletion = await run((await planOfJob(platform, 'deleteQuarantined', second, system)).id)
  expect([paths.some(existsSync), moved(), await inQuarantine(second)]).toEqual([false, 0, []])
  await scan()
  await isFound(deletion, { there: 0, gone: paths.length })
})

test('the manifest of a run puts its files back without the product', { timeout: 60_000 }, async () => {
  for (const path of paths) writeFileSync(path, `new content of ${path}`)
  await scan()
  const before = paths.map(stateOf)
  const jobId = await quarantineAll()
  expect(paths.some(existsSync)).toBe(false)
  const script = readdirSync(join(films, quarantineFolder)).find((name) => name.endsWith(`-${jobId}.sh`)) ?? ''
  execFileSync('sh', [script], { cwd: join(films, quarantineFolder) })
  expect(paths.map(stateOf)).toEqual(before)
})
