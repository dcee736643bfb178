import type { StorNextConnection } from '#events/actions/storNext.ts'
import { readJson } from '#events/machine/readJson.ts'
import type { Answer } from '../http/answer.ts'
import { addressFault } from '../http/addresses.ts'
import { newCalls } from '../http/calls.ts'
import type { TransportOptions } from '../http/transport.ts'
import { SystemAway } from '../../actions/action.ts'
import { type Challenge, challengeIn, digestHeader } from './digest.ts'
import { failureOf, LoginRejected, Refusal, StorNextFailed, UnknownCall } from './failures.ts'

/** Milliseconds without an answer: of most calls, and of one that waits for tapes. */
const idleMs = 120_000
const tapeIdleMs = 4 * 3_600_000

export type Parameters = Record<string, string | string[]>
type CallOptions = {
  signal: AbortSignal
  /** The call waits for tapes before it answers. */
  isLong?: boolean
}

/** Calls a service, such as `file/fsfileinfo`, and returns its response, whose commands may have failed. */
export type Client = {
  call(name: string, parameters: Parameters, options: CallOptions): Promise<object>
  host: string
  close(): void
}

/**
 * Finds the web services of a host, and signs in. Calls throw `StorNextFailed` or `StorNextAway`. No call is repeated. After a rejected
 * sign-in nothing is sent any more.
 */
export async function openClient(
  connection: StorNextConnection,
  signal: AbortSignal,
  options: TransportOptions = {},
): Promise<Client> {
  const quick = newCalls({ idleMs, fingerprint: connection.fingerprint, ...options })
  const long = newCalls({ idleMs: tapeIdleMs, fingerprint: connection.fingerprint, ...options })
  const close = () => [quick, long].forEach(({ transport }) => transport.destroy())
  try {
    const client = await findServices(connection, signal, { quick, long })
    return { ...client, close }
  } catch (error) {
    close()
    throw error
  }
}

type Servers = { quick: ReturnType<typeof newCalls>; long: ReturnType<typeof newCalls> }

/** Tries the URLs that a host may have. A certificate or a sign-in that is not accepted ends the search. */
async function findServices(connection: StorNextConnection, signal: AbortSignal, servers: Servers) {
  const failures: Error[] = []
  for (const url of baseUrlsOf(connection.host)) {
    const client = newClient(connection, url, servers)
    try {
      await client.call('system/info', {}, { signal })
      return client
    } catch (error) {
      if (!(error instanceof SystemAway || error instanceof UnknownCall)) throw error
      failures.push(error)
    }
  }
  const failure = failures.find((error) => error instanceof SystemAway) ?? failures[0]
  if (failure && !hasScheme(connection.host) && !connection.fingerprint) failure.message += plainHint(connection.host)
  throw failure
}

function newClient(connection: StorNextConnection, url: string, { quick, long }: Servers) {
  const fault = addressFault(url)
  if (fault) throw new StorNextFailed(`The host of StorNext ${fault}`, 'No request was sent')
  const { username = '', password = '' } = connection
  const { protocol, hostname } = new URL(url)
  const signIn = newSignIn({ username, password })
  const getOnly = new Set<string>()
  let hasAnswered = false
  let rejected: LoginRejected | undefined

  async function exchange(name: string, parameters: Parameters, { signal, isLong }: CallOptions): Promise<Answer> {
    const { transport } = isLong ? long : quick
    const isGet = getOnly.has(name)
    const form = formOf({ format: 'json', ...signIn.parameters(), ...parameters })
    const request = requestTo(url, name, isGet ? { query: form } : { body: form })
    const send = async () => {
      const authorization = signIn.header(request)
      const headers = { ...request.headers, ...(authorization && { authorization }) }
      return (await transport.handle({ ...request, headers }, { abortSignal: signal })).response
    }
    const answer = await send()
    // A server that allows no form did nothing.
    if (answer.statusCode === 405 && !isGet) {
      getOnly.add(name)
      return exchange(name, parameters, { signal, isLong: isLong ?? false })
    }
    return answer.statusCode === 401 && signIn.accepts(answer) ? send() : answer
  }

  return {
    host: hostname,
    async call(name: string, parameters: Parameters, options: CallOptions): Promise<object> {
      if (rejected) throw rejected
      const send = async () => {
        const answer = await exchange(name, parameters, options)
        const response = answer.statusCode === 200 ? await objectIn(answer) : undefined
        if (!response) throw new Refusal(answer)
        hasAnswered = true
        return response
      }
      const failed = (error: unknown): Error => {
        const context = { host: hostname, username, call: name, hasAnswered, secrets: [password] }
        const failure = failureOf(error, { ...context, isPlain: protocol === 'http:' })
        if (failure instanceof LoginRejected) rejected = failure
        return failure
      }
      return quick.call(send, { signal: options.signal, failureOf: failed })
    },
  }
}

/** Signs in with parameters until the server sends a Digest challenge. */
function newSignIn({ username, password }: { username: string; password: string }) {
  let challenge: Challenge | undefined
  let count = 0
  return {
    parameters: (): Parameters => (username === '' || challenge ? {} : { username, password }),
    header: ({ method, path }: { method: string; path: string }): string | undefined =>
      challenge && digestHeader(challenge, { method, uri: path, username, password }, ++count),
    /** Takes the challenge of an answer. False if the same password was rejected with another one, or there is no user. */
    accepts({ headers }: Answer): boolean {
      const received = challengeIn(headers['www-authenticate'])
      if (!received || username === '' || (challenge && !received.isStale)) return false
      challenge = received
      count = 0
      return true
    },
  }
}

const formOf = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  ).toString()

function requestTo(url: string, name: string, { query, body }: { query?: string; body?: string }) {
  const { protocol, hostname, host, port, pathname } = new URL(url)
  const path = `${pathname.replace(/\/+$/, '')}/${name}`
  return {
    protocol,
    hostname,
    port: port === '' ? undefined : Number(port),
    method: body === undefined ? 'GET' : 'POST',
    path: query === undefined ? path : `${path}?${query}`,
    headers: {
      host,
      accept: 'application/json',
      ...(body === undefined ? {} : formHeaders(body)),
    },
    body,
  }
}

const formHeaders = (body: string) => ({
  'content-type': 'application/x-www-form-urlencoded',
  'content-length': String(Buffer.byteLength(body)),
})

/** The response in an answer; undefined for one that StorNext would not send. */
async function objectIn({ body }: Answer): Promise<object | undefined> {
  const response = await readJson(body).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error
  })
  return typeof response === 'object' && response !== null ? response : undefined
}

const hasScheme = (host: string): boolean => /^https?:\/\//i.test(host)

/** Base URLs that the web services of a configured host may have, in the order to try them. Without a scheme, a host is only sent a password over TLS. */
export const baseUrlsOf = (host: string): string[] => pathsOf(hasScheme(host) ? host : `https://${host}`)

/** Advice for web services without TLS. Their default port is 81. */
function plainHint(host: string): string {
  const plain = /^(\[[^\]]*\]|[^:/]*):\d+(\/|$)/.test(host) ? host : host.replace(/^[^/]*/, (name) => `${name}:81`)
  return `. If its web services only use plain HTTP, enter http://${plain} as the host in the credentials; the password is then sent unencrypted`
}

/** A URL with its path; without one, the services are at their default path, or at the root behind a proxy. */
function pathsOf(url: string): string[] {
  const whole = url.replace(/\/+$/, '')
  return URL.parse(whole)?.pathname === '/' ? [`${whole}/sws/v2`, whole] : [whole]
}
