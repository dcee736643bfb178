import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startTransfers } from '#agent/actions/transfers/simulator/index.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import { testDatabaseUrl, testFolder } from '#server/platform/testing/stores.ts'
import { findByCommandLine } from './stores/processes.ts'
import { startProduct } from './testing.ts'

const files = 2_500
// The attempt after the last one does the rest.
const kills = 4

const scratch = testFolder('action-kills')
const [films, data] = [join(scratch, 'films'), join(scratch, 'data')]
mkdirSync(films)
for (let i = 0; i < files; i++) writeFileSync(join(films, `${i}.mov`), `content of ${i}`)
const p5 = await startArchiware({ clock: { speed: 1 } })
p5.addPlan('20001', { name: 'To tape' })
p5.addClient('studio', { folders: { [films]: films } })
/** Called when the service lists the files of a job: an agent is about to read the copies. */
let onListed = () => {}
const transfers = await startTransfers({
  clock: { speed: 50 },
  readings: { checksums: 'absent' },
  onAnswer: ({ path }) => path.includes('/files') && onListed(),
})
const [reels, moved] = [join(scratch, 'reels'), join(scratch, 'moved')]
for (const folder of [reels, moved]) mkdirSync(folder)
const environment = {
  DATABASE_URL: await testDatabaseUrl(),
  SODA_URL: transfers.url,
  SODA_CLIENT_ID: transfers.clientId,
  SODA_CLIENT_SECRET: transfers.clientSecret,
}
let product = await startProduct(data, { environment })
afterAll(async () => {
  await product.stop()
  await p5.close()
  await transfers.close()
})

async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  const { status, answer } = await product.call(method, path, body)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return answer as T
}
const jobOf = (id: number) => call<JobDetails>('GET', `/v1/jobs/${id}`)
/** NATS outlives the product. */
async function emptyNats(): Promise<void> {
  const find = () => findByCommandLine(join(data, 'nats/nats.conf'))
  process.kill(find()!.pid, 'SIGKILL')
  await expect.poll(find).toBeUndefined()
  rmSync(join(data, 'nats/jetstream'), { recursive: true })
}
const attemptOf = async (id: number) => (await jobOf(id)).tasks[0]?.attempt
const isSuccessful = async (id: number) => (await jobOf(id)).status === 'SUCCESS'

async function scanned(name: string, path: string): Promise<number> {
  const volumeId = await product.addStorage({ name, path })
  const { jobId } = await call<{ jobId: number }>('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => isSuccessful(jobId), { timeout: 120_000 }).toBe(true)
  return volumeId
}

test('an action outlives kills of the whole product and a queue that loses everything, and archives every file once', async () => {
  await scanned('Films', films)
  const login = { name: 'P5', url: p5.url, username: p5.user, password: p5.password }
  const { id: credentialsId } = await call<{ id: number }>('POST', '/v1/archiwares/credentials', login)
  const target = { planId: '20001', clientId: 'studio', serverId: 1, credentialsId }
  const options = { meta: [], indexroot: '', deltaScanAfter: false, dataIntellPaths: [films] }
  const request = { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload: { ...target, ...options } }
  const plan = await call<{ id: number }>('POST', '/v1/actions/plans', request)
  const { jobId } = await call<{ jobId: number }>('POST', `/v1/actions/plans/${plan.id}/start`)
  for (let kill = 1; kill <= kills; kill++) {
    await expect.poll(() => attemptOf(jobId), { timeout: 120_000 }).toBe(kill)
    await pause(300 * kill)
    await product.kill()
    if (kill % 2 === 0) await emptyNats()
    product = await startProduct(data, { environment })
  }
  // A batch that P5 may not have got is sent again after two minutes.
  await expect.poll(() => isSuccessful(jobId), { timeout: 900_000 }).toBe(true)
  const { result } = await jobOf(jobId)
  expect(result).toMatchObject({
    toDo: files,
    done: files,
    failed: 0,
  } satisfies Partial<ActResult>)
  const processed = p5.jobs.all().flatMap((job) => job.files.map(({ path }) => path))
  expect([processed.length, new Set(processed).size]).toEqual([files, files])
})

/** True if every file is intact in at least one of its places. */
const isNothingLost = () =>
  Array.from({ length: moves }, (_, i) => i).every((i) => {
    const content = contentOf(i)
    const [there, here] = [join(reels, `${i}.mov`), join(moved, `in/${i}.mov`)]
    return existsSync(there) || (existsSync(here) && readFileSync(here, 'utf8') === content)
  })
const moves = 1_200
const contentOf = (i: number) => `content of ${i} `.repeat(500)

test('a move whose copies are read outlives kills of the whole product, and loses no file', async () => {
  for (let i = 0; i < moves; i++) writeFileSync(join(reels, `${i}.mov`), contentOf(i))
  transfers.addStorage('st-1', { folder: reels })
  transfers.addStorage('st-2', { folder: moved })
  const storages = [await scanned('Reels', reels), await scanned('Moved', moved)]
  for (const [i, dataintellPath] of [reels, moved].entries())
    await call('POST', '/v1/soda/volumeMappings', {
      volumeId: storages[i],
      dataintellPath,
      sodaStorageId: `st-${i + 1}`,
      sodaPath: '/',
    })
  const { jobId } = await call<{ jobId: number }>('POST', '/v1/soda/jobs', {
    name: '',
    transferType: 'MOVE',
    conflictHandling: 'RENAME',
    target: { name: 'Moved', path: '/in', storageId: 'st-2', isDirectory: true },
    sources: [{ name: 'reels', path: reels, storageId: String(storages[0]), isDirectory: true }],
  })
  for (let kill = 1; kill <= kills; kill++) {
    const isListed = new Promise<void>((resolve) => (onListed = resolve))
    await Promise.race([isListed, pause(120_000)])
    await pause(60 * (kill - 1))
    await product.kill()
    expect(isNothingLost()).toBe(true)
    product = await startProduct(data, { environment })
    if (await isSuccessful(jobId)) break
  }
  await expect.poll(() => isSuccessful(jobId), { timeout: 900_000 }).toBe(true)
  expect((await jobOf(jobId)).result).toMatchObject({ toDo: moves, done: moves, failed: 0 })
  expect([isNothingLost(), transfers.paths('st-1'), transfers.paths('st-2').length]).toEqual([true, [], moves])
})
