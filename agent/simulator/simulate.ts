import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, ConnectionCut, Refused } from './answers.ts'
import { Faults } from './faults.ts'
import { newPort, type Tls } from './listen.ts'

/** Address of a simulator: its port, or 0 for any, and the part of the path before all calls, such as `/sws/v2`. */
export type Host = { port?: number; tls?: Tls; basePath?: string }

/** A request to one of the hosts. The path has no query, no base path, and no slash at the start. */
export type SimulatedRequest = {
  host: string
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
  /** For bodies that are read as a stream. */
  message: IncomingMessage
}

/**
 * A request in the records, with `***` instead of secrets. `call` is its name in faults, and the path includes base path and query. The
 * status is 0 while there is no answer, and if the answer was lost. `at` in milliseconds of the simulator's clock.
 */
export type RecordedRequest = {
  host: string
  call: string
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
  status: number
}

type Addressed = Pick<SimulatedRequest, 'host' | 'method' | 'path' | 'query'>

export type Simulation<T> = {
  /** Hosts by name. Those that are undefined are left out. */
  hosts: T
  /** Answers a request below the base path of its host. It may throw `Refused` or `ConnectionCut`. */
  answer: (request: SimulatedRequest) => Answer | Promise<Answer>
  now: () => number
  /** Name of a request in faults and records. By default, its path. */
  callOf?: (request: Addressed) => string
  /** Hosts whose bodies are read as streams, by `answer`. */
  streams?: readonly string[]
  /** Names of headers, parameters and properties that are secrets, in addition to `authorization` and `cookie`. */
  secretNames?: readonly string[]
  /** Answer to requests above the rate of the faults. */
  throttled?: Answer
  onAnswer?: ((request: RecordedRequest) => void) | undefined
  /** Called for each request that a fault answers. */
  onFault?: (request: SimulatedRequest) => void
  /** Called before the hosts are closed. */
  onClose?: () => void
}

const maxRecords = 100_000

/** HTTP servers of a simulator on the loopback. They record all requests, and have faults. */
export async function simulate<T extends Record<string, Host | undefined>>(simulation: Simulation<T>) {
  const { hosts } = simulation
  const { respond, ...record } = newResponder(simulation)
  const ports = new Map<string, Awaited<ReturnType<typeof newPort>>>()
  for (const [name, host] of Object.entries(hosts)) {
    if (!host) continue
    const listener = (message: IncomingMessage, response: ServerResponse) => void respond(name, host, message, response)
    ports.set(name, await newPort(listener, host.port, host.tls))
  }
  let isClosed = false
  const stop = async () => void (await Promise.all(Array.from(ports.values(), (port) => port.stop())))
  const start = async () => {
    if (!isClosed) await Promise.all(Array.from(ports.values(), (port) => port.start()))
  }
  const urls = [...ports].map(([name, { url }]) => [name, url + (hosts[name]?.basePath ?? '')])
  return {
    ...record,
    /** Addresses of the hosts, with their base paths. */
    urls: Object.fromEntries(urls) as { [N in keyof T]: undefined extends T[N] ? string | undefined : string },
    /** Requests whose method and path match, such as `/^GET \/jobs/`. */
    matching: (pattern: RegExp) => record.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`)),
    /** Cuts all connections, and refuses others until `start`. */
    stop,
    start,
    /** Cuts all connections, and refuses others for this number of milliseconds of real time. */
    async restart(downMs = 0) {
      await stop()
      await wait(downMs)
      await start()
    },
    /** Cuts all connections, and accepts others only to cut them, for this number of milliseconds of real time. */
    drop(downMs = 0) {
      for (const port of ports.values()) port.drop(downMs)
    },
    async close() {
      isClosed = true
      simulation.onClose?.()
      await stop()
    },
  }
}

function newResponder<T>(simulation: Simulation<T>) {
  const { answer, onAnswer, callOf = ({ path }) => path, streams = [], now } = simulation
  const faults = new Faults(simulation.throttled ?? { status: 503, body: 'Service Unavailable' })
  const mask = newMask(['authorization', 'cookie', ...(simulation.secretNames ?? [])])
  const requests: RecordedRequest[] = []
  const open = { count: 0, max: 0 }

  const respond = async (host: string, { basePath = '' }: Host, message: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = message
    const [path = '', query = ''] = url.split(/\?(.*)/s)
    const isBelow = path.startsWith(`${basePath}/`)
    const address = { host, method, path: path.slice(basePath.length + 1), query: new URLSearchParams(query) }
    const call = isBelow ? callOf(address) : path
    const shown = { host, call, method, path: mask.text(url), headers: mask.headers(headers), body: '' }
    const record: RecordedRequest = { ...shown, at: now(), status: 0 }
    if (requests.push(record) > 2 * maxRecords) requests.splice(0, maxRecords)
    open.max = Math.max(open.max, ++open.count)
    response.once('close', () => open.count--)
    const effect = faults.take(method, call, open.count)
    const answerRequest = async (): Promise<Answer> => {
      const body = streams.includes(host) ? '' : await bodyOf(message)
      record.body = mask.text(body)
      if (effect.isDropped) throw new ConnectionCut()
      if (effect.delayMs) await wait(effect.delayMs, undefined, { ref: false })
      const request = { ...address, headers, body, message }
      if (!effect.answer) return isBelow ? answer(request) : { status: 404, body: 'Not Found' }
      simulation.onFault?.(request)
      await message.resume().toArray()
      return effect.answer
    }
    const sent = await answerRequest().catch(answerOfError)
    if (!sent || effect.isLost) return void response.destroy()
    record.status = sent.status
    onAnswer?.(record)
    send(response, sent, effect)
  }
  return { respond, faults, requests, maxParallelRequests: () => open.max }
}

/** Answer of an error. Undefined if the connection ends without an answer. */
function answerOfError(error: Error): Answer | undefined {
  if (error instanceof Refused) return error.answer
  return error instanceof ConnectionCut ? undefined : { status: 500, body: `The simulator failed: ${error.stack}` }
}

/** Replaces values of headers, parameters and JSON properties with these names. */
function newMask(names: readonly string[]) {
  const parameter = new RegExp(`((?:^|[?&])(?:${names.join('|')})=)[^&]*`, 'g')
  const property = new RegExp(`("(?:${names.join('|')})"\\s*:\\s*)"[^"]*"`, 'g')
  return {
    text: (text: string) => text.replace(parameter, '$1***').replace(property, '$1"***"'),
    headers: (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, names.includes(name) ? '***' : value])),
  }
}

/** Whole body of a message. */
export async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = ''
  message.setEncoding('utf8')
  for await (const piece of message) text += String(piece)
  return text
}

/** Sends an answer with its fault. An empty body has no type. */
function send(
  response: ServerResponse,
  { status, body = '', headers }: Answer,
  { isMalformed, resetAfterBytes }: { isMalformed?: true; resetAfterBytes?: number },
): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body)
  const whole = Buffer.from(isRaw ? body : JSON.stringify(body))
  const bytes = isMalformed ? whole.subarray(0, whole.length / 2) : whole
  const type = isRaw ? 'text/plain; charset=utf-8' : 'application/json'
  response.writeHead(status, {
    ...(whole.length > 0 ? { 'content-type': type } : {}),
    ...headers,
    ...(status === 204 ? {} : { 'content-length': bytes.length }),
  })
  if (resetAfterBytes === undefined || resetAfterBytes >= bytes.length) response.end(bytes)
  else response.write(bytes.subarray(0, resetAfterBytes), () => response.destroy())
}
