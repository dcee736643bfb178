import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { JobDetails } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import { fieldsOf } from '#events/jobs/taskResults.ts'
import { livePath, type Topic } from '#events/live.ts'
import { sessionCookie } from '#events/users/session.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import { agentOf, type Product, signedIn, startProduct } from '#deploy/local/testing.ts'
import { cookieHeader, type Must, mustOf } from '#deploy/local/testing/calls.ts'
import { atEnd, scratchFolder } from './ends.ts'
import { megabytes, peakMemoryOf } from './proc.ts'

/** A product of `npm start`, with calls that throw unless they succeed. `made` creates an item, and returns its ID. */
export type Running = { product: Product; must: Must; made(path: string, body: object): Promise<number> }

/** Starts the product as `npm start` does, until the end of this process. */
export async function openProduct(data: string): Promise<Running> {
  const product = await startProduct(data)
  atEnd(product.stop)
  const must = mustOf(product.call)
  return { product, must, made: async (path, body) => (await must<{ id: number }>('POST', path, body)).id }
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

/** Starts the server in this process with its own stores, until the end of the process. */
export async function openServer(
  data: string = scratchFolder(),
  say: (message: string) => void = () => {},
): Promise<Server> {
  const config = { ...readConfig(), data: resolve(data), port: 0 }
  const stores = await startLocalStores(config, say)
  atEnd(stores.stop)
  const server = await serve(config, stores)
  atEnd(server.stop)
  return server
}

/** Scans a storage of a server in this process. Returns the committed scan; throws if it fails. */
export async function scanStorage(db: Db, volume: number): Promise<{ files: number; folders: number }> {
  await queueScans(db, { ids: [volume], cloneIndex: true, by: system })
  for (;;) {
    const ofVolume = db.selectFrom('scans').selectAll().where('volumeId', '=', volume)
    const scan = await ofVolume.orderBy('id', 'desc').executeTakeFirstOrThrow()
    if (scan.state === 'done' || scan.state === 'partial') return scan
    if (scan.state === 'failed' || scan.state === 'cancelled') throw new Error(scan.reason ?? scan.state)
    await pause(20)
  }
}

/** Cookies of new sessions of the first account. */
export async function openSessions(db: Db, count: number): Promise<string[]> {
  const { id } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
  const cookies: string[] = []
  for (let i = 0; i < count; i++) cookies.push(`${sessionCookie}=${await openSession(db, id, '127.0.0.1')}`)
  return cookies
}

/** Opens sockets as browsers of the administrator do, which follow these topics. */
export async function openSockets(address: string, topics: readonly Topic[], count: number): Promise<WebSocket[]> {
  const cookies = new Map<string, string>()
  await signedIn(address, undefined, cookies)('GET', '/currentUserInfo')
  const headers = { cookie: cookieHeader(cookies) }
  return Array.from({ length: count }, () => {
    const socket = new WebSocket(`${address.replace('http', 'ws')}${livePath}`, { headers, origin: address })
    socket.on('error', () => {})
    socket.on('open', () => {
      for (const topic of topics) socket.send(JSON.stringify({ type: 'subscribe', topic }))
    })
    return socket
  })
}
