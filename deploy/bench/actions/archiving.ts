import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openArchive } from '#agent/actions/archiware/archive.ts'
import { runFiles } from '#agent/actions/runAction.ts'
import { newFileList } from '#agent/actions/testing/fileList.ts'
import { jobOf } from '#events/actions/actions.ts'
import type { ActionPlan } from '#events/actions/plans.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { agentOf, type Product, startProduct } from '../../local/testing.ts'
import { peakMemory } from '../commands.ts'
import { makeTree } from '../tree.ts'

/** Report of the P5 server's process. */
export type P5Report = { url: string; user: string; password: string; requests: number; archived: number }

/**
 * `npm run bench -- archiving [FILES]`: archives that many files (default: 100,000) to a simulated P5 with the whole product, and compares it with
 * a plain loop: the agent's client alone, which keeps the states of the files in memory. Linux only.
 */
const files = Number(process.argv[3] ?? 100_000)
const scratch = mkdtempSync(join(tmpdir(), 'dataintell-bench-'))
// Postgres may run as another user, which must be able to enter its folder.
chmodSync(scratch, 0o711)
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
process.once('SIGINT', () => process.exit(1))

const films = join(scratch, 'films')
makeTree(films, files)
console.log(`${files} files to archive`)
const whole = await withProduct()
const loop = await alone()
console.log(`product / client alone      ${(whole / loop).toFixed(2)} (aim 1.2)`)
process.exit(0)

/** Starts a P5 server for a measurement, and prints its result. */
async function measured(name: string, archive: (p5: P5Report) => Promise<number>): Promise<number> {
  const p5 = fork(join(import.meta.dirname, 'p5.ts'), [films])
  const before = await told(p5)
  const seconds = await archive(before)
  p5.send('tell')
  const after = await told(p5)
  p5.disconnect()
  if (after.archived !== files) throw new Error(`P5 archived ${after.archived} files`)
  console.log(`${name.padEnd(24)} ${seconds.toFixed(2).padStart(7)} s, ${after.requests - before.requests} requests`)
  return seconds
}

async function told(process: ChildProcess): Promise<P5Report> {
  const [message] = (await once(process, 'message')) as [P5Report]
  return message
}

async function withProduct(): Promise<number> {
  const product = await startProduct(join(scratch, 'data'))
  try {
    const volumeId = await product.addStorage({ name: 'Films', path: films })
    const { jobId } = await post<{ jobId: number }>(product, '/v1/scans/volumes/ids', [volumeId])
    await untilDone(product, jobId)
    const seconds = await measured('product', (p5) => archived(product, p5))
    const agent = agentOf(product.pid)
    if (agent === undefined) throw new Error('The agent is not there')
    console.log(
      `peak memory, agent          ${(peakMemory(agent) / 1024 / 1024).toFixed(0)} MB (aim 200, with the scan)`,
    )
    return seconds
  } finally {
    await product.stop()
  }
}

async function archived(product: Product, { url, user: username, password }: P5Report): Promise<number> {
  const login = { name: 'P5', url, username, password }
  const { id: credentialsId } = await post<{ id: number }>(product, '/v1/archiwares/credentials', login)
  const options = { planId: '20001', clientId: 'studio', serverId: 1, meta: [], indexroot: '', deltaScanAfter: false }
  const request = jobOf('archive', { ...options, credentialsId }, { dataIntellPaths: [films] })
  const plan = await post<ActionPlan>(product, '/v1/actions/plans', request)
  if (plan.files !== files) throw new Error(`The plan has ${plan.files} files`)
  const began = performance.now()
  const { jobId } = await post<{ jobId: number }>(product, `/v1/actions/plans/${plan.id}/start`)
  await untilDone(product, jobId)
  return (performance.now() - began) / 1000
}

async function post<T>(product: Product, path: string, body?: unknown): Promise<T> {
  const { status, answer } = await product.call('POST', path, body)
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer as T
}

async function untilDone(product: Product, jobId: number): Promise<void> {
  for (;;) {
    const job = JobDetails.parse((await product.call('GET', `/v1/jobs/${jobId}`)).answer)
    if (!isOpen(job)) {
      if (job.status !== 'SUCCESS') throw new Error(`The job ended with ${JSON.stringify(job)}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The client of P5 without a server: nothing of the files is stored. */
function alone(): Promise<number> {
  const list = newFileList(
    readdirSync(films, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const place = join(parentPath, name)
        const { size, mtimeMs } = statSync(place)
        return { place, size, modified: Math.floor(mtimeMs / 1000) }
      }),
  )
  return measured('client alone', async ({ url, user: username, password }) => {
    const connection = { url, username, password }
    const system = { kind: 'archive', planId: '20001', clientId: 'studio', indexRoot: '', connection } as const
    const order = { attempt: 1, jobId: 1, product: '1a2b3c4d-0000-4000-8000-000000000000', system }
    const began = performance.now()
    await runFiles(list.link(), order, new AbortController().signal, (_, context) => openArchive(system, context))
    return (performance.now() - began) / 1000
  })
}
