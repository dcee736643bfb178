import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { startAgent } from '#agent/testing/startAgent.ts'
import type { ActionRequest } from '#events/actions/actions.ts'
import { consumers, streams } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { findJob } from '#server/workers/jobs/index.ts'
import { taskConsumers } from '#server/platform/nats/nats.ts'
import { testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { startScanning } from '#server/scanning/scans/testing/startScanning.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { sourceRoutes } from '#server/scanning/sources/index.ts'
import { startPresence } from '#server/workers/tasks/index.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { actionRoutes, startActions } from '../index.ts'

const platform = await testPlatform()
const { db, nats } = platform
const { url } = await testNatsServer()
await taskConsumers(nats, 1)
// Nanoseconds. The task of a killed agent is redelivered soon.
await nats.jsm.consumers.update(streams.tasks, consumers.tasks(1, 'ACT_ON_FILES'), { ack_wait: 1_000_000_000 })
const presence = startPresence(platform)
const tasks = await startScanning(platform, presence)
await db.updateTable('agents').set({ run: null }).execute()
const actions = startActions(platform)
const p5 = await startArchiware({ clock: { speed: 3 } })
afterAll(async () => {
  await actions.stop()
  await tasks.stop()
  await presence.stop()
  await p5.close()
})
const ask = asUser(
  createApp(platform, [...actionRoutes(platform), ...sourceRoutes(platform)]),
  await testSession(db, ['ROLE_ADMIN']),
)

const files = 2_500
// A task fails when its agent has ended ten times.
const kills = 8
let credentialsId = 0
beforeAll(async () => {
  const storagePrice = await testPriceBook(db)
  const draft = { name: 'P5', username: p5.user, password: p5.password, url: p5.url }
  credentialsId = (await ask('POST', '/api/v1/archiwares/credentials', draft).expect(200)).body.id
  await ask('POST', '/api/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice }).expect(200)
  const { id: volumeId } = await db.selectFrom('volumes').select('id').executeTakeFirstOrThrow()
  // The simulator has a file of this size and time at every path.
  const entries = Array.from({ length: files }, (_, i) => ({
    path: `/${i}.mov`,
    size: 1_000,
    inode: i + 3,
    modified: 1_700_000_000,
  }))
  await scanFolders(platform, { volumeId, indexingDate: '2026-01-02' }, [{ path: '', entries }])
})

/** Files that P5 processed, each time. */
const processed = () => p5.jobs.all().flatMap((job) => job.files.map(({ path }) => path))

test('an agent that is killed again and again archives every file once', { timeout: 1_800_000 }, async () => {
  const payload = {
    planId: '10001',
    clientId: 'localhost',
    serverId: 1,
    credentialsId,
    meta: [],
    indexroot: '',
    deltaScanAfter: false,
    dataIntellPaths: ['/mnt/films'],
  }
  const request: ActionRequest = { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload }
  const plan = (await ask('POST', '/api/v1/actions/plans', request).expect(200)).body
  const { jobId } = (await ask('POST', `/api/v1/actions/plans/${plan.id}/start`).expect(200)).body
  const jobOf = () => findJob(db, jobId)
  for (let kill = 1; kill <= kills; kill++) {
    const { child, ended } = startAgent(url, 1)
    await expect.poll(async () => (await jobOf())?.tasks[0]?.attempt).toBeGreaterThanOrEqual(kill)
    await pause(100 * kill)
    child.kill('SIGKILL')
    await ended
  }
  startAgent(url, 1)
  // A batch that P5 may not have got is sent again after two minutes.
  await expect.poll(async () => (await jobOf())?.status, { timeout: 900_000 }).toBe('SUCCESS')
  expect((await jobOf())?.result).toMatchObject({ toDo: files, done: files, failed: 0 })
  const paths = processed()
  expect(paths.length).toBe(files)
  expect(new Set(paths).size).toBe(files)
})
