import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startIconik } from '#agent/systems/iconik/simulator/index.ts'
import { startStorNext } from '#agent/systems/stornext/simulator/index.ts'
import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import { startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/states.ts'
import { testDatabaseUrl, testFolder } from '#server/platform/testing/stores.ts'
import { findByCommandLine } from './stores/processes.ts'
import { agentOf, type Product, startProduct } from './testing.ts'

// One after the start of each action, while earlier ones continue.
const kills = ['product', 'agent', 'product and queue', 'agent', 'product'] as const

const scratch = testFolder('action-kills')
const [films, copies, data] = [join(scratch, 'films'), join(scratch, 'copies'), join(scratch, 'data')]
for (const folder of [films, copies]) mkdirSync(folder)
const managed = '/stornext/snfs1/films'

const p5 = await startArchiware({ clock: { speed: 0.2 } })
p5.addPlan('20001', { name: 'To tape' })
p5.addClient('studio', { folders: { [films]: films } })
const stornext = await startStorNext({ clock: { speed: 1 }, folders: { [managed]: films } })
// Without checksums, an agent reads the copies of a move.
const transfers = await startTransfers({ clock: { speed: 4 }, readings: { checksums: 'absent' } })
transfers.addStorage('st-1', { folder: films })
transfers.addStorage('st-2', { folder: copies })
const iconik = await startIconik()
const environment = { DATABASE_URL: await testDatabaseUrl(), ICONIK_URL: iconik.url }
let product: Product
afterAll(async () => {
  await product.stop()
  for (const system of [p5, stornext, transfers, iconik]) await system.close()
})

/** Retries a call while the product or a store of it is away. */
async function request<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  for (;;) {
    const { status, answer } = await product.call(method, path, body).catch(() => ({ status: 503, answer: undefined }))
    if (status < 300) return answer as T
    if (status !== 503) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
    await pause(50)
  }
}
const create = async (path: string, body: object) => (await request<{ id: number }>('POST', path, body)).id
const start = async (path: string, body: object) => (await request<{ jobId: number }>('POST', path, body)).jobId
const jobOf = async (id: number) => JobDetails.parse(await request('GET', `/v1/jobs/${id}`))
const hasEnded = async (id: number) => !isOpen(await jobOf(id))

async function scan(volumeId: number): Promise<void> {
  const id = await start('/v1/scans/volumes/ids', [volumeId])
  await expect.poll(() => hasEnded(id), { timeout: 120_000 }).toBe(true)
  expect((await jobOf(id)).status).toBe('SUCCESS')
}

const volumes: number[] = []
let credentialsId = 0
beforeAll(async () => {
  product = await startProduct(data, { environment })
  for (const [name, path] of [
    ['Films', films],
    ['Copies', copies],
  ] as const)
    volumes.push(await product.addStorage({ name, path }))
  const [volumeId] = volumes
  credentialsId = await create('/v1/archiwares/credentials', {
    name: 'P5',
    url: p5.url,
    username: p5.user,
    password: p5.password,
  })
  const user = { username: 'dataintell', password: 'planted-password' }
  const storageManagerConfigId = await create('/v1/storageManager/configs', {
    name: 'MDC',
    host: stornext.url,
    ...user,
  })
  const mapping = { volumeId, dataintellPath: films }
  await create('/v1/storageManager/volumeMappings', { ...mapping, storageManagerConfigId, storageManagerPath: managed })
  await create('/v1/soda/volumeMappings', { ...mapping, sodaStorageId: 'st-1', sodaPath: '/' })
  const target = { volumeId: volumes[1], dataintellPath: copies, sodaStorageId: 'st-2', sodaPath: '/' }
  await create('/v1/soda/volumeMappings', target)
  const settings = {
    iconikAppId: iconik.appId,
    'iconik.authtoken': iconik.token,
    sodaUrl: transfers.url,
    sodaClientId: transfers.clientId,
    sodaClientSecret: transfers.clientSecret,
  }
  await request(
    'PUT',
    '/configurations',
    Object.entries(settings).map(([name, value]) => ({ name, value })),
  )
})

const contentOf = (path: string) => `content of ${path} `.repeat(100)
const md5Of = (path: string) => createHash('md5').update(contentOf(path)).digest('hex')
const isCopied = (path: string) =>
  existsSync(join(copies, path)) && readFileSync(join(copies, path), 'utf8') === contentOf(path)
const transfer = (transferType: 'COPY' | 'MOVE') => (folder: string) =>
  start('/v1/soda/jobs', {
    name: '',
    transferType,
    conflictHandling: 'OVERWRITE',
    target: { name: 'Copies', path: '/', storageId: 'st-2', isDirectory: true },
    sources: [{ name: folder, path: join(films, folder), storageId: String(volumes[0]), isDirectory: true }],
  })

type Action = {
  files: number
  start: (folder: string) => Promise<number>
  /** Number of times that the system has each of the files, which are named from the storage's root on. */
  timesDone: (paths: string[]) => number[]
}
const actions: Record<string, Action> = {
  StorNext: {
    files: 2_500,
    start: (folder) => start('/v1/storageManager/archiveselections', { dataIntellPaths: [join(films, folder)] }),
    timesDone: (paths) => paths.map((path) => stornext.processed(`${managed}/${path}`).store),
  },
  Iconik: {
    files: 400,
    start: (folder) =>
      start('/v1/iconik/jobs', {
        collectionId: null,
        storageId: iconik.storageNamed('S3 1').id,
        storageType: 'S3',
        dataIntellPaths: [join(films, folder)],
      }),
    timesDone(paths) {
      const stored = iconik.files().map((file) => file.status === 'CLOSED' && file.stored?.md5)
      return paths.map((path) => stored.filter((md5) => md5 === md5Of(path)).length)
    },
  },
  Copy: {
    files: 1_200,
    start: transfer('COPY'),
    timesDone: (paths) => paths.map((path) => Number(isCopied(path))),
  },
  Move: {
    files: 1_200,
    start: transfer('MOVE'),
    timesDone: (paths) => paths.map((path) => Number(isCopied(path) && !existsSync(join(films, path)))),
  },
  'Archiware P5': {
    files: 2_500,
    async start(folder) {
      const target = { planId: '20001', clientId: 'studio', serverId: 1, credentialsId }
      const options = { meta: [], indexroot: '', deltaScanAfter: false, dataIntellPaths: [join(films, folder)] }
      const plan = { jobType: 'ARCHIVE_ARCHIWARE_FILES', payload: { ...target, ...options } }
      return start(`/v1/actions/plans/${await create('/v1/actions/plans', plan)}/start`, {})
    },
    timesDone(paths) {
      const processed = p5.jobs.all().flatMap((job) => job.files.map(({ path }) => path))
      return paths.map((path) => processed.filter((one) => one === join(films, path)).length)
    },
  },
}
const pathsOf = (name: string) => Array.from({ length: actions[name]!.files }, (_, i) => `${name}/${i}.mov`)
/** Files of the move that are nowhere intact. */
const lost = () => pathsOf('Move').filter((path) => !existsSync(join(films, path)) && !isCopied(path))

async function kill(what: (typeof kills)[number]): Promise<void> {
  if (what === 'agent') return void process.kill(agentOf(product.pid)!, 'SIGKILL')
  await product.kill()
  expect(lost()).toEqual([])
  if (what === 'product and queue') await emptyNats()
  product = await startProduct(data, { environment })
}

/** NATS outlives the product. */
async function emptyNats(): Promise<void> {
  const find = () => findByCommandLine(join(data, 'nats/nats.conf'))
  process.kill(find()!.pid, 'SIGKILL')
  await expect.poll(find).toBeUndefined()
  rmSync(join(data, 'nats/jetstream'), { recursive: true })
}

// StorNext may wait half an hour for files that it may have got before a kill.
test('actions outlive kills of the product, the agent and the queue, and are done with every file once', async () => {
  for (const name of Object.keys(actions)) {
    mkdirSync(join(films, name))
    for (const path of pathsOf(name)) writeFileSync(join(films, path), contentOf(path))
  }
  await scan(volumes[0]!)
  const jobs = new Map<string, number>()
  for (const [i, [name, { start }]] of Object.entries(actions).entries()) {
    const id = await start(name)
    jobs.set(name, id)
    await expect.poll(async () => (await jobOf(id)).tasks[0]?.attempt, { timeout: 120_000 }).toBeGreaterThan(0)
    await pause(300 * (i + 1))
    await kill(kills[i]!)
  }
  for (const [name, id] of jobs) {
    await expect.poll(() => hasEnded(id), { timeout: 2_400_000 }).toBe(true)
    const { files, timesDone } = actions[name]!
    const { status, result, tasks } = await jobOf(id)
    expect([name, status, result]).toMatchObject([name, 'SUCCESS', { toDo: files, done: files, failed: 0 }])
    expect([name, (tasks[0]?.attempt ?? 0) > 1]).toEqual([name, true])
    expect(timesDone(pathsOf(name))).toEqual(Array(files).fill(1))
  }
})
