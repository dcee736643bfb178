import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { Dashboard, isRunning } from '#events/dashboard.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { type Must, mustOf } from '#deploy/local/testing/calls.ts'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { agentOf, type Product, startProduct } from '#deploy/local/testing.ts'
import { atEnd } from '../kit/ends.ts'
import { eventually, healthOf, offline } from './product.ts'

/** Processes of a product. */
export const processNames = ['server', 'agent', 'postgres', 'nats'] as const
export type ProcessName = (typeof processNames)[number]

/** A product with two storages, a project and a report, and work on them. */
export type Site = Awaited<ReturnType<typeof openSite>>

type Input = Parameters<Product['call']>

/** Starts a product with two small storages that change, a project and a report. `data` may be a mounted disk. */
export async function openSite(folder: string, { files = 2_000, data = join(folder, 'data') } = {}) {
  const trees = [join(folder, 'media'), join(folder, 'copies')] as const
  for (const [i, tree] of trees.entries()) makeTree(tree, files, i === 0 ? 'frame' : 'copy')
  const environment = { ...offline, PORT: String(await freePort()) }
  let product = await startProduct(data, { environment })
  atEnd(() => product.stop())
  const must = mustOf((...input) => product.call(...input))
  const volumes: number[] = []
  for (const [i, path] of trees.entries()) volumes.push(await product.addStorage({ name: `storage ${i}`, path }))
  const scanAll = () => must('POST', '/v1/scans/volumes/ids', volumes)
  const site = {
    data,
    trees,
    volumes,
    product: () => product,
    must,
    scanAll,
    pids: () => pidsOf(product, data),
    async killServer() {
      await product.kill()
    },
    /** Starts the server again after a kill, and waits for it. */
    async startServer() {
      product = await startProduct(data, { environment })
    },
    isUp: async () => (await healthOf(product.address)) === 200,
  }
  await scanAll()
  if (!(await eventually(() => noScanRuns(site), 300_000))) throw new Error('The first scans did not end')
  return { ...site, ...(await addWork(site)) }
}

type Basics = { product(): Product; must: Must; volumes: number[] }

async function addWork({ must, product, volumes: [first = 0, second = 0] }: Basics) {
  const sources = (id: number) => [{ id, type: 'VOLUME' }]
  const parameters = { references: sources(first), comparison: sources(second) }
  const draft = { name: 'Copies', type: 'DUPLICATED', parameters }
  const report = await must<{ id: number }>('POST', '/v1/reports/templates', draft)
  const paths = [{ volumeId: first, path: '/project_0000' }]
  await must('POST', '/projects', { name: 'Aurora', description: '', allocatedSize: 1_000_000, paths })
  return {
    /** One piece of work of each kind, as users start it. Failures while a part of the product is away are returned. */
    work: (round: number) => {
      const named = {
        entries: [{ volumeId: first, path: '/project_0000', isDirectory: true }],
        add: [`round ${round}`],
      }
      const orders: Input[] = [
        ['POST', '/v1/scans/volumes/ids', [first, second]],
        ['POST', `/v1/search/tags?tagToApply=found-${round}`, [{ extension: { value: 'mov' } }]],
        ['POST', `/v1/reports/templates/${report.id}/jobs`],
        ['PUT', '/v1/files/tags', named],
        ['GET', '/v1/projects'],
        ['POST', '/v1/search/csv', [{ isDirectory: { value: false } }]],
      ]
      return Promise.all(orders.map((order) => attempt(product(), order)))
    },
  }
}

/** The status of a call, or 0 with the reason if no one responded. */
async function attempt(product: Product, input: Input): Promise<{ call: string; status: number; answer: unknown }> {
  const call = `${input[0]} ${input[1]}`
  try {
    return { call, ...(await product.call(...input)) }
  } catch (error) {
    return { call, status: 0, answer: String(error) }
  }
}

/** True if no scan waits or runs. */
export async function noScanRuns({ must }: Pick<Site, 'must'>): Promise<boolean> {
  const { scans } = Dashboard.parse(await must('GET', '/v1/dashboard'))
  return scans.length > 0 && !scans.some(isRunning)
}

function pidsOf(product: Product, data: string): Record<ProcessName, number | undefined> {
  return {
    server: product.pid,
    agent: agentOf(product.pid),
    postgres: processOf(data, () => Number.parseInt(readFileSync(join(data, 'postgres/postmaster.pid'), 'utf8'))),
    nats: processOf(data, () => (JSON.parse(readFileSync(join(data, 'nats/running.json'), 'utf8')) as Identity).pid),
  }
}
type Identity = { pid: number }

/** A process that works in the data folder. A file of one that ended may name the process of somebody else. */
function processOf(data: string, read: () => number): number | undefined {
  try {
    const pid = read()
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Adds, grows, renames and removes some files and folders of a storage. */
export function changeTree(random: Random, tree: string, round: number): void {
  const folder = join(tree, `round ${round}`)
  mkdirSync(folder, { recursive: true })
  for (let i = random.below(60); i >= 0; i--)
    writeFileSync(join(folder, `new ${i}.mov`), 'x'.repeat(random.below(5_000)))
  for (const { path, kind } of find(tree)) {
    if (kind !== 'f' || !random.chance(0.02)) continue
    const file = join(tree, path)
    if (random.chance(0.4)) rmSync(file, { force: true })
    else if (random.chance(0.5)) appendFileSync(file, 'grown')
    else renameSync(file, `${file}.moved-${round}`)
  }
  if (round > 2 && random.chance(0.5)) rmSync(join(tree, `round ${round - 2}`), { recursive: true, force: true })
}

/** Files and bytes of each storage, as shown and as `find` counts them. */
export async function countsOf({ must, volumes, trees }: Pick<Site, 'must' | 'volumes' | 'trees'>) {
  type Volume = { id: number; numberOfFiles: number; sizeOfFiles: number }
  const { elements } = await must<{ elements: Volume[] }>('GET', '/v1/volumes')
  const shown = volumes.map((volume) => {
    const { numberOfFiles: files, sizeOfFiles: bytes } = elements.find(({ id }) => id === volume) ?? {}
    return { files, bytes }
  })
  const found = trees.map((tree) => {
    const { files, bytes } = totalsOfFind(find(tree))
    return { files, bytes }
  })
  return { shown, found }
}
