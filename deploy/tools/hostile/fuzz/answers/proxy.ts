import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, request as sendSafely } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import type { Mutation, SentAnswer } from './mutations.ts'

/** Answers of a system to change: after `skip` correct ones, `times` of them. */
export type Change = { mutation: Mutation; seed: number; skip: number; times: number }

/** The proxies of a system that change its answers together. */
export type Lane = {
  /** Changes the next answers; undefined changes none. */
  arm(change: Change | undefined): void
  /** Answers since the last change was armed, and those that were changed. */
  counts(): { answers: number; changed: number }
  /** Returns the change of the next answer, if it is to be changed. */
  next(): { change: Change; count: number } | undefined
}

export function newLane(): Lane {
  let armed: Change | undefined
  const counted = { answers: 0, changed: 0 }
  return {
    arm(change) {
      armed = change
      if (change) Object.assign(counted, { answers: 0, changed: 0 })
    },
    counts: () => ({ ...counted }),
    next() {
      const at = counted.answers++ - (armed?.skip ?? 0)
      if (!armed || at < 0 || at >= armed.times) return undefined
      return { change: armed, count: counted.changed++ }
    },
  }
}

export type ProxyOptions = {
  lane: Lane
  /** Address of the system that answers a request, by the body of the request. */
  upstream: (body: string) => string
  /** Address that receives requests only if a redirect was followed. */
  trap: string
  /** Certificate for a system with TLS. */
  tls?: { key: string; cert: string }
  /** Changes all answers in the same way, such as addresses in them. */
  rewrite?: (text: string) => string
}

/** Starts a proxy on the loopback that passes requests on to a system, and changes its answers. */
export async function startProxy({ lane, upstream, trap, tls, rewrite }: ProxyOptions) {
  const listener: RequestListener = (request, response) => {
    const work = async () => {
      const body = await buffer(request)
      const correct = await answerOf(upstream(body.toString()), request, body)
      if (rewrite && correct.body.length > 0) correct.body = Buffer.from(rewrite(correct.body.toString()))
      const next = lane.next()
      const url = `${tls ? 'https' : 'http'}://${request.headers.host}${request.url}`
      const random = newRandom((next?.change.seed ?? 0) + (next?.count ?? 0))
      write(response, next ? next.change.mutation.change(correct, { random, count: next.count, url, trap }) : correct)
    }
    work().catch((error: unknown) => (console.error(error), response.destroy()))
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('clientError', (_, socket) => socket.destroy())
  const port = await portOf(server)
  const close = () => (server.close(), server.closeAllConnections())
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, close }
}

/** Starts a server on a free port of the loopback. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Starts a host that no one is configured to call. */
export async function startTrap() {
  const requests: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    requests.push(`${method} ${url} ${JSON.stringify(headers)}`)
    response.end('{}')
  })
  return { url: `http://127.0.0.1:${await portOf(server)}`, requests, close: () => void server.close() }
}

/** Sends a request on unchanged, with its own host, because signatures cover it. */
async function answerOf(upstream: string, request: IncomingMessage, body: Buffer): Promise<SentAnswer> {
  const { protocol, hostname, port } = new URL(upstream)
  const { method, url: path, headers } = request
  const options = { hostname, port, method, path, headers, agent: false, rejectUnauthorized: false }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = protocol === 'https:' ? sendSafely(options, resolve) : send(options, resolve)
    sent.once('error', reject).end(body)
  })
  const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...kept } = response.headers
  return { status: response.statusCode ?? 500, headers: kept, body: await buffer(response) }
}

function write(response: ServerResponse, { status, headers, body, cutAfter, bytesPerSecond }: SentAnswer): void {
  const hasBody = ![204, 304].includes(status)
  response.on('error', () => {})
  response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': body.length }) })
  if (!hasBody) response.end()
  else if (bytesPerSecond !== undefined) void drip(response, body, bytesPerSecond)
  else if (cutAfter === undefined) response.end(body)
  else response.write(body.subarray(0, cutAfter), () => response.destroy())
}

async function drip(response: ServerResponse, body: Buffer, bytesPerSecond: number): Promise<void> {
  for (let at = 0; at < body.length && !response.destroyed; at += bytesPerSecond) {
    response.write(body.subarray(at, at + bytesPerSecond))
    await pause(1_000)
  }
  response.end()
}
