import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns'
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { machine } from '#events/node/index.ts'
import { defaultJsonLimits, type JsonLimits, newJsonMeter, TooLong } from '#events/node/jsonMeter.ts'
import { newProxiedAgent, proxyFailure } from '#events/node/proxiedAgent.ts'
import { type Proxy, proxyFor, type ProxySettings } from '#events/node/proxy.ts'
import { isRefusedAddress, RefusedAddress } from './addresses.ts'
import type { Answer } from './answer.ts'
import { type CertificateCheck, CheckedAgent } from './checkedAgent.ts'

/** Options for sending requests. The defaults are those for real stores. */
export type TransportOptions = {
  /** Time after which a connection or an answer in which nothing moves is aborted; one that moves, after ten times as long. */
  idleMs?: number
  /** Bytes of an answer. A page of 1,000 keys of 1,024 bytes, each written as %XX, takes 4 MB. */
  maxBytes?: number
  /** Limits of an answer in JSON; null for a server whose answers may be any bytes. */
  json?: JsonLimits | null
  /** Resolves names. */
  resolve?: typeof resolve
  /** Addresses to which no request is sent, also those that names resolve to; by default cloud metadata. */
  isRefused?: (address: string) => boolean
  /** A port of the loopback that receives all requests, unencrypted, for any host that they are signed for. */
  toPort?: number
  /** Checks certificates in another way. A failed check throws `UntrustedCertificate`. */
  certificate?: CertificateCheck
  /** Proxies for hosts other than this machine; by default those of the environment. */
  proxies?: ProxySettings
}

/** A host that does not answer in time. */
export class NoAnswer extends Error {}

/** A request; its answer contains the whole body. */
export type Request = {
  protocol: string
  hostname: string
  port?: number | undefined
  method: string
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  /** Bytes are sent as they are read; their length has to be among the headers. */
  body?: string | AsyncIterable<Uint8Array> | undefined
}

/** Limits that replace those of the transport, for a request whose answer may be longer. */
export type AnswerLimits = Pick<TransportOptions, 'idleMs' | 'json' | 'maxBytes'>
type HandleOptions = AnswerLimits & { abortSignal?: AbortSignal }

/**
 * Carries requests to stores, as handlers of Amazon's SDK do: those of SDKs would neither bound an answer nor look where a name leads.
 * No redirect is followed. An answer that is not a success is cut. Throws what sockets throw, `NoAnswer`, `TooLong` or `RefusedAddress`.
 */
export function newTransport(options: TransportOptions = {}) {
  const { idleMs = 30_000, maxBytes = 8 * 1024 * 1024, json = defaultJsonLimits, toPort } = options
  const { isRefused = isRefusedAddress } = options
  const lookup = guardedLookup(options.resolve ?? resolve, isRefused)
  const agents = newAgents(lookup, options)
  let requests = 0
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: Request, { abortSignal, ...limits }: HandleOptions = {}): Promise<{ response: Answer }> {
      requests++
      abortSignal?.throwIfAborted()
      const host = request.hostname.replace(/^\[|\]$/g, '')
      if (isRefused(host)) throw new RefusedAddress(host)
      const isPlain = request.protocol === 'http:' || toPort !== undefined
      const { agent, proxy } = agents.agentFor({ ...request, protocol: isPlain ? 'http:' : 'https:' })
      const sent = (isPlain ? httpRequest : httpsRequest)({
        agent,
        ...(toPort === undefined ? { host, port: request.port } : { host: '127.0.0.1', port: toPort }),
        method: request.method,
        path: request.path + queryOf(request.query ?? {}),
        headers: request.headers,
        ...(abortSignal ? { signal: abortSignal } : {}),
      })
      const answer = answerTo(sent, request.body, { idleMs, maxBytes, json, ...limits })
      if (!proxy) return { response: await answer }
      return {
        response: await answer.catch((error: unknown) => {
          throw proxyFailure(error, proxy, host)
        }),
      }
    },
    requests: () => requests,
    destroy: agents.destroy,
    // The SDK asks for these; there is nothing that it could set.
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
  }
}
export type Transport = ReturnType<typeof newTransport>

/** Keeps connections to hosts, and through proxies to others. A proxy resolves names itself. */
function newAgents(lookup: ReturnType<typeof guardedLookup>, { certificate, proxies, toPort }: TransportOptions) {
  const direct = {
    'http:': new HttpAgent({ keepAlive: true, lookup }),
    'https:': certificate
      ? new CheckedAgent({ keepAlive: true, lookup }, certificate)
      : new HttpsAgent({ keepAlive: true, lookup }),
  }
  const proxied = new Map<string, HttpAgent>()
  const agentBehind = (proxy: Proxy, isSafe: boolean): HttpAgent =>
    isSafe && certificate
      ? new CheckedAgent({ keepAlive: true }, certificate, proxy)
      : newProxiedAgent(proxy, isSafe, { keepAlive: true })
  return {
    agentFor({ protocol, hostname, port }: Pick<Request, 'hostname' | 'port'> & { protocol: 'http:' | 'https:' }) {
      const used = proxies ?? machine().proxies
      const proxy = toPort === undefined ? proxyFor(used, { protocol, hostname, port }) : undefined
      if (!proxy) return { agent: direct[protocol], proxy }
      const agent = proxied.get(protocol) ?? agentBehind(proxy, protocol === 'https:')
      proxied.set(protocol, agent)
      return { agent, proxy }
    },
    destroy() {
      for (const agent of [...Object.values(direct), ...proxied.values()]) agent.destroy()
    },
  }
}

type Limits = { idleMs: number; maxBytes: number; json: JsonLimits | null }

/** The whole answer to a request. The server may send it before it has read the whole body. */
async function answerTo(sent: ClientRequest, body: Request['body'], limits: Limits): Promise<Answer> {
  const { idleMs } = limits
  let givenUp: NoAnswer | undefined
  const giveUp = () => sent.destroy((givenUp = new NoAnswer(`No answer in ${idleMs} ms`)))
  const idle = setTimeout(giveUp, idleMs)
  const total = setTimeout(giveUp, idleMs * 10)
  const sending =
    typeof body === 'object' ? watched(body, () => [idle, total].forEach((timer) => timer.refresh())) : undefined
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).on('error', reject)
      sent.once('socket', (socket) => socket.connecting && socket.once('connect', () => idle.refresh()))
      // With a text as its body, Node would encode the headers as UTF-8 too.
      if (typeof body !== 'object') sent.end(body === undefined ? undefined : Buffer.from(body))
      if (sending) pipeline(sending.read(), sent).catch((error: Error) => sent.destroy(error))
    })
    const content = await contentOf(response, limits, () => idle.refresh())
    return { statusCode: response.statusCode ?? 0, headers: headersOf(response), body: content }
  } catch (error) {
    // If the request was aborted while its body arrived, reading the body fails, with an error of its own.
    throw givenUp ?? sending?.failure() ?? error
  } finally {
    clearTimeout(idle)
    clearTimeout(total)
    if (!sent.writableFinished) sent.destroy()
  }
}

/** Bytes of an answer that is not a success: its reason is at its beginning. */
const maxErrorBytes = 256 * 1024

/** The body of an answer. Throws `TooLong` as soon as it exceeds a limit. */
async function contentOf(
  response: IncomingMessage,
  { maxBytes, json }: Limits,
  onBytes: () => void,
): Promise<Uint8Array> {
  const { statusCode = 0, headers } = response
  const isSuccess = statusCode >= 200 && statusCode < 300
  const checkLength = (bytes: number) => {
    if (!isSuccess || bytes <= maxBytes) return
    response.destroy()
    throw new TooLong(`More than ${Math.round(maxBytes / 1024)} kB`)
  }
  checkLength(Number(headers['content-length'] ?? 0))
  const meter = json && newJsonMeter(json)
  const chunks: Uint8Array[] = []
  let bytes = 0
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a body without an encoding comes in bytes
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    onBytes()
    bytes += chunk.length
    checkLength(bytes)
    if (isSuccess) meter?.add(chunk)
    chunks.push(chunk)
    if (!isSuccess && bytes > maxErrorBytes) break
  }
  return Buffer.concat(chunks)
}

/** Bytes of a body. `failure` is the reason why they can't be read: sockets report only that the request ended. */
function watched(body: AsyncIterable<Uint8Array>, onBytes: () => void) {
  let failure: unknown
  return {
    failure: () => failure,
    async *read(): AsyncGenerator<Uint8Array> {
      try {
        for await (const bytes of body) {
          onBytes()
          yield bytes
        }
      } catch (error) {
        failure = error
        throw error
      }
    },
  }
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Percent-encoded as signatures have it. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

function queryOf(query: NonNullable<Request['query']>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => (value === null ? encoded(name) : `${encoded(name)}=${encoded(value)}`)),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

type FoundAddress = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** Resolves a name for a connection, and refuses it when any of its addresses is refused. */
const guardedLookup =
  (resolveName: typeof resolve, isRefused: (address: string) => boolean) =>
  (host: string, options: LookupOptions, found: FoundAddress) =>
    resolveName(host, options, (error, address: string | LookupAddress[], family?: number) => {
      const all = typeof address === 'string' ? [{ address }] : (address ?? [])
      const refused = all.find(({ address }) => isRefused(address))
      if (!error && refused) found(new RefusedAddress(host), '', 0)
      else found(error, address, family)
    })
