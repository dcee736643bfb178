import type { StorNextConnection } from '#events/actions/storNext.ts'
import type { Answer } from '../http/answer.ts'
import { Refusal } from '../http/refusal.ts'
import type { TransportOptions } from '../http/transport.ts'
import { jsonIn, newServer } from '../kit/server.ts'
import { SystemAway } from '../../actions/action.ts'
import { type Challenge, challengeIn, digestHeader } from './digest.ts'
import { failureOf, LoginRejected, StorNextFailed, UnknownCall } from './failures.ts'

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
 * sign-in nothing is sent any more. Of the URLs that a host may have, a certificate or a sign-in that is not accepted ends the search.
 */
export async function openClient(
  connection: StorNextConnection,
  signal: AbortSignal,
  options: TransportOptions = {},
): Promise<Client> {
  const failures: Error[] = []
  for (const url of baseUrlsOf(connection.host)) {
    const client = newClient(connection, url, options)
    try {
      await client.call('system/info', {}, { signal })
      return client
    } catch (error) {
      client.close()
      if (!(error instanceof SystemAway || error instanceof UnknownCall)) throw error
      failures.push(error)
    }
  }
  const failure = failures.find((error) => error instanceof SystemAway) ?? failures[0]
  if (failure && !hasScheme(connection.host) && !connection.fingerprint) failure.message += plainHint(connection.host)
  throw failure
}

function newClient(connection: StorNextConnection, url: string, options: TransportOptions): Client {
  const { username = '', password = '', fingerprint } = connection
  const server = newServer({
    url,
    invalidUrl: (fault) => new StorNextFailed(`The host of StorNext ${fault}`, 'No request was sent'),
    fingerprint,
    headers: { accept: 'application/json' },
    secrets: [password],
    failureOf,
    final: LoginRejected,
    idleMs,
    ...options,
  })
  const signIn = newSignIn({ username, password })
  const base = new URL(url).pathname.replace(/\/+$/, '')
  const getOnly = new Set<string>()

  async function exchange(name: string, parameters: Parameters, { signal, isLong }: CallOptions): Promise<Answer> {
    const isGet = getOnly.has(name)
    const form = formOf({ format: 'json', ...signIn.parameters(), ...parameters })
    const [method, path] = isGet ? ['GET', `${name}?${form}`] : ['POST', name]
    const type = 'application/x-www-form-urlencoded'
    const send = () => {
      const authorization = signIn.header({ method, path: `${base}/${path}` })
      const headers = { ...(!isGet && { 'content-type': type }), ...(authorization && { authorization }) }
      const request = { method, path, headers, ...(!isGet && { body: form }) }
      return server.send(request, { signal, ...(isLong && { idleMs: options.idleMs ?? tapeIdleMs }) })
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
    host: server.host,
    close: server.close,
    call(name, parameters, callOptions) {
      const work = async () => {
        const answer = await exchange(name, parameters, callOptions)
        const response = answer.statusCode === 200 ? await jsonIn(answer) : undefined
        if (typeof response !== 'object' || response === null) throw new Refusal(answer)
        return response
      }
      return server.call(work, { request: { username, call: name }, signal: callOptions.signal })
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
