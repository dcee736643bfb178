import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
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
const environment = { DATABASE_URL: await testDatabaseUrl() }
let product = await startProduct(data, { environment })
afterAll(async () => {
  await product.stop()
  await p5.close()
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

test('an action outlives kills of the whole product and a queue that loses everything, and archives every file once', async () => {
  const volumeId = await product.addStorage({ name: 'Films', path: films })
  const { jobId: scan } = await call<{ jobId: number }>('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => isSuccessful(scan), { timeout: 120_000 }).toBe(true)
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
