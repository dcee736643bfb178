import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { sessionCookie } from '#events/users/session.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSession } from '#server/platform/callers/session.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import { agentOf, type Product, startProduct } from '#deploy/local/testing.ts'
import { type Must, mustOf } from '#deploy/local/testing/calls.ts'
import { megabytes, peakMemoryOf } from './proc.ts'

const ends: (() => Promise<unknown> | void)[] = []

/** Runs an end, after those that were added later, when the user interrupts this process. */
function onInterrupt(end: () => Promise<unknown> | void): void {
  if (ends.length === 0) process.once('SIGINT', () => void endAll().finally(() => process.exit(1)))
  ends.push(end)
}

async function endAll(): Promise<void> {
  for (const end of ends.toReversed()) await end()
}

/** Creates a folder that is removed when this process ends, also by Ctrl+C. */
export function scratchFolder(kind = 'bench'): string {
  const folder = mkdtempSync(join(tmpdir(), `dataintell-${kind}-`))
  // Postgres may run as another user, which must be able to enter its folder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  onInterrupt(() => {})
  return folder
}

/** A product of `npm start`, with calls that throw unless they succeed. `made` creates an item, and returns its ID. */
export type Running = { product: Product; must: Must; made(path: string, body: object): Promise<number> }

/** Starts the product as `npm start` does, and stops it after the work. */
export async function withProduct<T>(data: string, work: (running: Running) => Promise<T>): Promise<T> {
  const product = await startProduct(data)
  const must = mustOf(product.call)
  try {
    return await work({
      product,
      must,
      made: async (path, body) => (await must<{ id: number }>('POST', path, body)).id,
    })
  } finally {
    await product.stop()
  }
}

/** Makes a call that starts a job, and waits until the job succeeds. Throws if it doesn't. */
export async function runJob(must: Must, path: string, body?: unknown): Promise<void> {
  const { jobId } = await must<{ jobId: number }>('POST', path, body)
  for (;;) {
    const job = JobDetails.parse(await must('GET', `/v1/jobs/${jobId}`))
    if (isOpen(job)) await pause(50)
    else if (job.status !== 'SUCCESS' || fieldsOf(job.result).note)
      throw new Error(`The job ended with ${JSON.stringify(job)}`)
    else return
  }
}

/** Peak memory of the built-in agent of a product, for a line of output. */
export function agentMemory({ pid }: Product): string {
  const agent = agentOf(pid)
  if (agent === undefined) throw new Error('The agent is not there')
  return megabytes(peakMemoryOf(agent))
}

/** Starts the server in this process with its own stores, and stops it after the work, or when interrupted. */
export async function withServer(
  data: string | undefined,
  work: (server: Server) => Promise<void>,
  say: (message: string) => void = () => {},
): Promise<void> {
  const config = { ...readConfig(), data: data === undefined ? scratchFolder() : resolve(data), port: 0 }
  const stores = await startLocalStores(config, say)
  const server = await serve(config, stores)
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= server.stop().finally(stores.stop))
  onInterrupt(stop)
  try {
    await work(server)
  } catch (error) {
    if (!stopping) throw error
  } finally {
    await stop()
  }
}

/** Cookies of new sessions of the first account. */
export async function openSessions(db: Db, count: number): Promise<string[]> {
  const { id } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  const cookies: string[] = []
  for (let i = 0; i < count; i++) cookies.push(`${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`)
  return cookies
}
