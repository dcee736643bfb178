import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { bodyOf, listen, type Tls } from '#agent/systems/archiware/simulator/server.ts'
import { type Answer, Faults } from './faults.ts'

/** A request of a client. The path has no query, and no base path. */
export type SimulatedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

/**
 * A request in the records, with `***` instead of secrets. The path includes the query. The status is 0 while there is no answer, and if
 * the answer was lost. `at` in simulated milliseconds since 1970.
 */
export type RecordedRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  at: number
  status: number
}

export type ServerOptions = {
  /** Port without TLS, or 0 for any. */
  port: number
  /** Adds a second port, with TLS. */
  tls: Tls | undefined
  /** Part of the path before all calls, such as `/sws/v2`. Other paths get status 404. */
  basePath: string
  /** Names of parameters and properties that are secrets. */
  secretNames: string[]
  throttled: Answer
  now: () => number
  onAnswer: ((request: RecordedRequest) => void) | undefined
  answer: (request: SimulatedRequest) => Answer | Promise<Answer>
}

/** HTTP server of a simulator on the loopback. It records all requests, and has faults. */
export async function startServer(options: ServerOptions) {
  const responder = newResponder(options)
  const plain = await newPort(responder.listener, options.port, undefined)
  const secure = options.tls && (await newPort(responder.listener, 0, options.tls))
  const ports = secure ? [plain, secure] : [plain]
  let isClosed = false
  const stop = () => Promise.all(ports.map((port) => port.stop()))
  const start = async () => void (isClosed || (await Promise.all(ports.map((port) => port.start()))))
  return {
    faults: responder.faults,
    requests: responder.requests,
    maxParallelRequests: responder.maxParallelRequests,
    url: plain.url + options.basePath,
    /** Address with TLS, if it has one. */
    tlsUrl: secure && secure.url + options.basePath,
    /** Cuts all connections and refuses others until `start`. */
    async stop() {
      await stop()
    },
    start,
    /** Cuts all connections, and refuses others for this number of milliseconds of real time. */
    async restart(downMs = 0) {
      await stop()
      await wait(downMs)
      await start()
    },
    async close() {
      isClosed = true
      await stop()
    },
  }
}

/** A listener that can be stopped, so that connections are refused, and started on the same port. */
async function newPort(listener: RequestListener, port: number, tls: Tls | undefined) {
  const first = await listen(listener, port, tls)
  let listening: typeof first | undefined = first
  return {
    url: first.url,
    async stop() {
      const stopped = listening
      listening = undefined
      await stopped?.close()
    },
    async start() {
      listening ??= await listen(listener, Number(new URL(first.url).port), tls)
    },
  }
}

function newResponder(options: ServerOptions) {
  const { basePath, answer, onAnswer } = options
  const faults = new Faults(options.throttled)
  const requests: RecordedRequest[] = []
  const parallel = { count: 0, max: 0 }

  const respond = async (message: IncomingMessage, response: ServerResponse) => {
    const record = recordOf(message, options)
    requests.push(record)
    parallel.max = Math.max(parallel.max, ++parallel.count)
    response.once('close', () => parallel.count--)
    const body = await bodyOf(message)
    record.body = masked(body, options.secretNames)
    const request = requestOf(message, basePath, body)
    const effect = faults.take(record.method, request?.path ?? record.path)
    if (effect.delayMs) await wait(effect.delayMs, undefined, { ref: false })
    const answered = effect.answer ?? (request ? await answer(request) : { status: 404, body: 'Not Found' })
    if (effect.isLost) return response.destroy()
    record.status = answered.status
    onAnswer?.(record)
    send(response, answered, effect)
  }
  const listener: RequestListener = (message, response) =>
    void respond(message, response).catch((error: unknown) => {
      if (!response.headersSent)
        send(response, { status: 500, body: `The simulator failed: ${(error as Error).stack}` })
    })
  return { listener, faults, requests, maxParallelRequests: () => parallel.max }
}

function recordOf(message: IncomingMessage, { now, secretNames }: ServerOptions): RecordedRequest {
  const { authorization, ...headers } = message.headers
  const shown = authorization === undefined ? headers : { ...headers, authorization: '***' }
  return {
    method: message.method ?? '',
    path: masked(message.url ?? '', secretNames),
    headers: shown,
    body: '',
    at: now(),
    status: 0,
  }
}

/** Undefined for a path outside of the base path. */
function requestOf(message: IncomingMessage, basePath: string, body: string): SimulatedRequest | undefined {
  const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s)
  if (!path.startsWith(`${basePath}/`)) return undefined
  return {
    method: message.method ?? '',
    path: path.slice(basePath.length + 1),
    query: new URLSearchParams(query),
    headers: message.headers,
    body,
  }
}

/** Replaces values of parameters and of JSON properties with these names. */
function masked(text: string, names: string[]): string {
  const parameter = new RegExp(`((?:^|[?&])(?:${names.join('|')})=)[^&]*`, 'g')
  const property = new RegExp(`("(?:${names.join('|')})"\\s*:\\s*)"[^"]*"`, 'g')
  return text.replace(parameter, '$1***').replace(property, '$1"***"')
}

/** Sends an answer with its fault. An empty body has no type. */
export function send(
  response: ServerResponse,
  { status, body, headers }: Answer,
  { isMalformed, resetAfterBytes }: { isMalformed?: true; resetAfterBytes?: number } = {},
): void {
  const isText = typeof body === 'string'
  const whole = Buffer.from(isText ? body : JSON.stringify(body))
  const bytes = isMalformed ? whole.subarray(0, whole.length / 2) : whole
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(status, {
    ...(whole.length > 0 ? { 'content-type': type } : {}),
    ...headers,
    ...(status === 204 ? {} : { 'content-length': bytes.length }),
  })
  if (resetAfterBytes === undefined || resetAfterBytes >= bytes.length) return void response.end(bytes)
  response.write(bytes.subarray(0, resetAfterBytes), () => response.destroy())
}
