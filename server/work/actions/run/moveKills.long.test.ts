import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import { startAgent, type TestAgent } from '#agent/testing/startAgent.ts'
import type { ActionRequest } from '#events/actions/actions.ts'
import { consumers, streams } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder, testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { startPresence } from '#server/workers/tasks/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { actionRoutes, startActions } from '../index.ts'

const stores = await testPlatform()
const { url } = await testNatsServer()
/** Called when the service has listed, or refused to list, the files of a job: the agent is about to read the copies. */
let onListed = () => {}
const transfers = await startTransfers({
  clock: { speed: 50 },
  readings: { checksums: 'absent' },
  onAnswer: ({ path }) => path.includes('/files') && onListed(),
})
const { url: sodaUrl, clientId: sodaClientId, clientSecret: sodaClientSecret } = transfers
const platform = { ...stores, config: { ...stores.config, sodaUrl, sodaClientId, sodaClientSecret } }
const { db, nats } = platform
await db.insertInto('agents').values({ id: 2, name: 'Target' }).execute()
for (const id of [1, 2]) await taskConsumers(nats, id)
// Nanoseconds. The task of a killed agent is redelivered soon.
await nats.jsm.consumers.update(streams.tasks, consumers.tasks(1, 'ACT_ON_FILES'), { ack_wait: 1_000_000_000 })
const presence = startPresence(platform)
const tasks = await startScanning(platform, presence)
await db.updateTable('agents').set({ run: null }).execute()
const actions = startActions(platform)
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
  await presence.stop()
  await transfers.close()
})
const ask = asUser(createApp(platform, actionRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))

const files = 1_200
// A task fails when its agent has ended ten times.
const kills = 8
const [source, target] = [testFolder('source'), testFolder('target')]
let films = 0
beforeAll(async () => {
  transfers.addStorage('st-1', { folder: source })
  transfers.addStorage('st-2', { folder: target })
  const volume = async (name: string, path: string, agentId: number) => {
    const values = { name, path, type: 'crawl.files', agentId }
    return (await db.insertInto('volumes').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  films = await volume('Films', source, 1)
  const archive = await volume('Archive', target, 2)
  const mapping = (volumeId: number, dataintellPath: string, sodaStorageId: string) => {
    return { volumeId, dataintellPath, sodaStorageId, sodaPath: '/' }
  }
  await db
    .insertInto('sodaMappings')
    .values([mapping(films, source, 'st-1'), mapping(archive, target, 'st-2')])
    .execute()
  mkdirSync(join(source, 'reel'))
  const entries = Array.from({ length: files }, (_, i) => {
    const path = `/reel/${i}.mov`
    writeFileSync(join(source, path), `content of ${i} `.repeat(1_000))
    const { size, mtimeMs } = statSync(join(source, path))
    return { path, size, inode: i + 10, modified: Math.floor(mtimeMs / 1_000) }
  })
  await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-02' }, [
    { path: '', entries: [{ path: '/reel', isDirectory: true, inode: 3 }] },
    { path: '/reel', entries },
  ])
})

/** True if every file is intact in at least one of its places. */
const isNothingLost = () =>
  Array.from({ length: files }, (_, i) => i).every((i) => {
    const [there, here] = [join(source, `reel/${i}.mov`), join(target, `incoming/reel/${i}.mov`)]
    return existsSync(there) || readFileSync(here, 'utf8') === `content of ${i} `.repeat(1_000)
  })

test('agents that are killed while they verify and delete moved files lose none', { timeout: 1_800_000 }, async () => {
  const payload = {
    name: '',
    transferType: 'MOVE',
    conflictHandling: 'OVERWRITE',
    target: { name: 'Archive', path: '/incoming', storageId: 'st-2', isDirectory: true },
    sources: [{ name: 'reel', path: join(source, 'reel'), storageId: String(films), isDirectory: true }],
  } as const
  const request: ActionRequest = { jobType: 'SODA_TRANSFER', payload: { ...payload, sources: [...payload.sources] } }
  const plan = (await ask('POST', '/api/v1/actions/plans', request).expect(200)).body
  expect(plan.files).toBe(files)
  const { jobId } = (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body
  const isOver = async () => !['AVAILABLE', 'RUNNING', 'NEW'].includes((await findJob(db, jobId))?.status ?? '')
  const agents: Record<number, TestAgent> = { 1: startAgent(url, 1), 2: startAgent(url, 2) }
  let killed = 0
  while (killed < kills && !(await isOver())) {
    const isListed = new Promise<void>((resolve) => (onListed = resolve))
    await Promise.race([isListed, pause(60_000)])
    await pause(30 * killed)
    const id = killed % 3 === 2 ? 2 : 1
    agents[id]?.child.kill('SIGKILL')
    await agents[id]?.ended
    killed++
    expect(isNothingLost()).toBe(true)
    agents[id] = startAgent(url, id)
  }
  await expect.poll(isOver, { timeout: 900_000, interval: 1_000 }).toBe(true)
  expect(killed).toBeGreaterThanOrEqual(4)
  expect(isNothingLost()).toBe(true)
  const job = await findJob(db, jobId)
  expect([job?.status, job?.result]).toMatchObject(['SUCCESS', { toDo: files, done: files, failed: 0 }])
  expect(transfers.paths('st-1')).toEqual([])
  expect(transfers.paths('st-2')).toHaveLength(files)
  const counts = Array.from({ length: files }, (_, i) => transfers.processed('st-1', `/reel/${i}.mov`).read)
  expect(new Set(counts)).toEqual(new Set([1]))
})
