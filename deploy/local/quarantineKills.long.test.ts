import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobOf as requestOf } from '#events/actions/actions.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/states.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { openClickHouse } from '#server/platform/clickhouse/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { countQuarantined, planAction, planOfJob, startPlan } from '#server/work/actions/index.ts'
import { agentOf, type Product, startProduct } from './testing.ts'

const scratch = testFolder('quarantine-kills')
const [films, data] = [join(scratch, 'films'), join(scratch, 'data')]
const environment = { DATABASE_URL: await testDatabaseUrl(), AGENT_MAY_CHANGE: films, AGENT_MAY_DELETE: films }
const db = await testDb()
await copyMigratedEngine(join(data, 'clickhouse'))
const policyId = 1
const count = 10_000
// A task fails when its agent has ended ten times.
const kills = ['agent', 'product', 'agent', 'agent', 'product', 'agent'] as const

/** Paths in the storage; of each hundredth file there is a hard link in another folder. */
let paths = Array.from({ length: count }, (_, n) => `d${n % 100}/${n}.mov`)
let product: Product
let volumeId = 0
beforeAll(async () => {
  mkdirSync(films)
  for (let n = 0; n < 100; n++) mkdirSync(join(films, `d${n}`))
  for (const [n, path] of paths.entries())
    if (n % 100 === 1) linkSync(join(films, paths[n - 1] ?? ''), join(films, path))
    else writeFileSync(join(films, path), `content of ${path}`)
  product = await startProduct(data, { environment })
  volumeId = await product.addStorage({ name: 'Films', path: films, policyActions: 'delete' })
}, 120_000)
afterAll(() => product.stop())

async function request<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  for (;;) {
    const { status, answer } = await product.call(method, path, body).catch(() => ({ status: 503, answer: undefined }))
    if (status < 300) return answer as T
    if (status !== 503) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
    await pause(50)
  }
}
const jobOf = async (id: number) => JobDetails.parse(await request('GET', `/v1/jobs/${id}`))
async function ended(id: number) {
  await expect.poll(async () => isOpen(await jobOf(id)), { timeout: 300_000 }).toBe(false)
  return jobOf(id)
}

async function scan(): Promise<void> {
  const { jobId } = await request<{ jobId: number }>('POST', '/v1/scans/volumes/ids', [volumeId])
  expect((await ended(jobId)).status).toBe('SUCCESS')
}

type Services = Parameters<typeof planAction>[0]
const config = { isDemo: false, data, bundles: [] } as unknown as Services['config']

/** Uses the stores of the product while it is stopped, since policies act only on files that are a day old. */
async function whileStopped<T>(use: (services: Services) => Promise<T>): Promise<T> {
  await product.stop()
  const clickhouse = await openClickHouse(`chdb:${join(data, 'clickhouse')}`)
  const used = await use({ db, clickhouse, config }).finally(() => clickhouse.close())
  product = await startProduct(data, { environment })
  return used
}
const start = (plan: (services: Services) => Promise<{ id: number }>) =>
  whileStopped(async (services) => startPlan(services, (await plan(services)).id, system, policyId))

const stateIn = (folder: string, path: string) => {
  const found = statSync(join(folder, path), { throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeMs, found.mode, found.uid].join(' ')
}
let before: (string | undefined)[] = []
/** Folder of the only run with files, and what a shell needs to undo it. */
function runFolder(): { folder: string; script: string } {
  const top = join(films, quarantineFolder)
  const entries = existsSync(top) ? readdirSync(top, { withFileTypes: true }) : []
  const [name] = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  return { folder: join(top, name ?? 'none'), script: name ? readFileSync(join(top, `${name}.sh`), 'latin1') : '' }
}
/** Checks that each file is in one place, unchanged, and that the manifest has those in quarantine. Returns the number of files in their storage. */
function checkPlaces(mayBeGone: boolean): number {
  const { folder, script } = runFolder()
  const places = paths.map((path) => ({ path, source: stateIn(films, path), moved: stateIn(folder, path) }))
  const wrong = places.filter(({ path, source, moved }, n) => {
    const isOnce = (source === before[n]) !== (moved === before[n]) && (source === undefined) !== (moved === undefined)
    const isGone = mayBeGone && source === undefined && moved === undefined
    return !(isOnce || isGone) || (moved !== undefined && !script.includes(`'${path}'`))
  })
  expect(wrong.slice(0, 3)).toEqual([])
  return places.filter(({ source }) => source !== undefined).length
}

/** Lets a job run to its end while the agent and the product are killed. */
async function survive(id: number, mayBeGone = false): Promise<void> {
  for (const [i, what] of kills.entries()) {
    const wanted = i + 1
    await expect
      .poll(async () => (await jobOf(id)).tasks[0]?.attempt, { timeout: 120_000, interval: 5 })
      .toBeGreaterThan(0)
    await pause(150 * wanted * Math.random())
    if (!isOpen(await jobOf(id))) break
    if (what === 'agent') {
      const pid = agentOf(product.pid)
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    } else {
      await product.kill()
      checkPlaces(mayBeGone)
      product = await startProduct(data, { environment })
    }
    checkPlaces(mayBeGone)
  }
  const { status, result, tasks } = await ended(id)
  expect({ status, result }).toMatchObject({ status: 'SUCCESS', result: { toDo: count, done: count, failed: 0 } })
  expect(tasks[0]?.attempt).toBeGreaterThan(1)
}
const inQuarantine = (jobId: number) => whileStopped((services) => countQuarantined(services, [jobId]))

test(
  'files are moved, put back and deleted once, although agent and product are killed at any time',
  { timeout: 1_800_000 },
  async () => {
    before = paths.map((path) => stateIn(films, path))
    const move = async () => {
      await scan()
      const request = requestOf('quarantine', {}, { dataIntellPaths: [films] })
      const jobId = await start((services) => planAction(services, request, { by: system, ofPolicy: policyId }))
      await survive(jobId)
      expect(checkPlaces(false)).toBe(0)
      expect(await inQuarantine(jobId)).toEqual([{ jobId, volumeId, files: count, bytes: expect.any(Number) }])
      return jobId
    }
    const first = await move()
    await survive(await start((services) => planOfJob(services, 'putBack', first, system)))
    expect(paths.map((path) => stateIn(films, path))).toEqual(before)
    expect(await inQuarantine(first)).toEqual([])

    // A policy doesn't move again what was put back to its path.
    for (let n = 0; n < 100; n++) renameSync(join(films, `d${n}`), join(films, `e${n}`))
    paths = paths.map((path) => path.replace('d', 'e'))

    const second = await move()
    // An agent deletes only what was moved a day ago.
    const dayAgo = Date.now() / 1_000 - 86_400
    utimesSync(`${runFolder().folder}.sh`, dayAgo, dayAgo)
    await survive(await start((services) => planOfJob(services, 'deleteQuarantined', second, system)), true)
    expect(paths.filter((path) => stateIn(films, path) ?? stateIn(runFolder().folder, path))).toEqual([])
    expect(await inQuarantine(second)).toEqual([])
  },
)
