import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { addressTooLong, type Answer, errorAnswer, Refused, serviceUnavailable, unknownAddress } from './errors.ts'
import { answerNamespace } from './namespace/namespace.ts'
import { answerPlatform } from './platform/routes.ts'
import type { Incoming, Requests } from './requests.ts'

/** Characters of an address above which a node refuses it. */
const maxAddressLength = 8_198

type NodeOptions = { number: number; port: number; key: string; cert: string; cluster: Cluster; requests: Requests }

/** A node of the cluster: a server on the loopback that keeps its port when it stops and starts again. */
export class ClusterNode {
  readonly #options: NodeOptions
  #server: Server | undefined
  #port: number

  constructor(options: NodeOptions) {
    this.#options = options
    this.#port = options.port
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`
  }

  async start(): Promise<void> {
    const { key, cert } = this.#options
    const server = createServer({ key, cert }, (request, response) => void this.#serve(request, response))
    // The default of five seconds closes connections that clients are about to use.
    server.keepAliveTimeout = 60_000
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Closes all connections, and accepts no new ones. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { cluster, requests, number: node } = this.#options
    const { method = 'GET', url = '/', headers } = request
    const record = (status: number | undefined) =>
      requests.add({ node, method, url, headers, status, time: cluster.clock.now() })
    requests.maxOpen = Math.max(requests.maxOpen, ++requests.open)
    try {
      const effect = cluster.faults.take(`${method} ${url}`, requests.open)
      const body = await bodyBytes(request)
      if (effect.delayMs) await wait(effect.delayMs)
      cluster.clock.advance(cluster.switches.timeOfRequest)
      const [path = '', query = ''] = url.split(/\?(.*)/s)
      const incoming = { node, method, path, query: new URLSearchParams(query), headers, body }
      const answer = effect.answer ?? (url.length > maxAddressLength ? addressTooLong : answerTo(cluster, incoming))
      record(effect.isLost ? undefined : answer.status)
      if (effect.isLost) response.destroy()
      else send(response, answer, effect.resetAfterBytes)
    } catch {
      // The client has closed the connection.
      record(undefined)
      response.destroy()
    } finally {
      requests.open--
    }
  }
}

async function bodyBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function send(
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  resetAfterBytes: number | undefined,
): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': bytes.length }) })
  if (resetAfterBytes === undefined) response.end(bytes)
  else response.write(bytes.subarray(0, resetAfterBytes), () => response.destroy())
}

/** Answers a request to a node, without the faults of its connection. */
function answerTo(cluster: Cluster, request: Incoming): Answer {
  try {
    return dispatch(cluster, request)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    return errorAnswer('AEC_SYSTEM_INTERNAL_ERROR', String(error))
  }
}

function dispatch(cluster: Cluster, request: Incoming): Answer {
  const { sessions, switches, jobs } = cluster
  jobs.settle()
  // With a slash at the end, OneFS 9.5 does not know the address.
  if (request.path === '/session/1/session') return sessions.answer(request)
  const isPlatform = /^\/platform(\/|$)/.test(request.path)
  if (!isPlatform && !/^\/namespace(\/|$)/.test(request.path)) return unknownAddress
  if (isPlatform ? !switches.isPlatformOn : !switches.isNamespaceOn) return serviceUnavailable
  const { user, cookies } = sessions.authorize(request, isPlatform ? 'platform' : 'namespace')
  const answer = (isPlatform ? answerPlatform : answerNamespace)(cluster, request, user)
  return cookies.length === 0 ? answer : { ...answer, headers: { ...answer.headers, 'set-cookie': cookies } }
}
