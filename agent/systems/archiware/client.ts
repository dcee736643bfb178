import type { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { textOf } from '../http/answer.ts'
import { Refusal } from '../http/refusal.ts'
import type { AnswerLimits, TransportOptions } from '../http/transport.ts'
import { isPage, isSuccess, jsonIn, newServer } from '../kit/server.ts'
import { whileBusy } from '../whileBusy.ts'
import { failureOf, LoginRejected, NotFound, NotP5, P5Failed } from './failures.ts'
import { generalPaths, headerValue } from './unconfirmed.ts'

/** Limits of one level of an index, which has no pages: 64 MB are about 200,000 entries. */
const levelLimits: AnswerLimits = { maxBytes: 64 * 1024 * 1024, json: { depth: 64, values: 4_000_000 } }
/** P5 may take this long before it sends a level. */
const idleMs = 120_000
const maxTries = 3

/** Reads the body of an answer, which is JSON or text; undefined for one that P5 would not send. */
type Reader<T> = (body: unknown) => T | undefined

/** P5 takes the parameters of calls as headers. */
export type CallOptions<T> = {
  read: Reader<T>
  parameters?: Record<string, string>
  /** Encodes the values of parameters; `headerValue` unless given. */
  encode?: (value: string) => string
  body?: object
  signal: AbortSignal
  /** True if the answer is one level of an index, which is longer than others. */
  isLevel?: boolean
  /** Requests for one call, while the server fails; 3 unless given. */
  tries?: number
}

/** `isKnown`: the server was in use before, so that even a first request that fails to connect may succeed later. */
type ClientOptions = TransportOptions & { isKnown?: boolean }

/**
 * Sends requests to a P5 server. Each call throws `P5Failed` or `P5Busy`. Only GET is repeated: another call may have done its work before
 * its answer was lost. After a rejected login nothing is sent any more. Throws `P5Failed` for a URL without a server.
 */
export function newClient(connection: ArchiwareConnection, { isKnown = false, ...transport }: ClientOptions = {}) {
  const { url, username, password, fingerprint } = connection
  const login = Buffer.from(`${username}:${password}`).toString('base64')
  const server = newServer({
    url,
    defaultPath: '/rest/v1',
    invalidUrl: (fault) => new P5Failed(`The URL of Archiware P5 ${fault}`, 'No request was sent'),
    fingerprint,
    headers: { authorization: `Basic ${login}`, accept: 'application/json', 'content-type': 'application/json' },
    secrets: [password, login],
    failureOf,
    final: LoginRejected,
    idleMs,
    ...transport,
  })
  const levels: AnswerLimits = { ...levelLimits, ...transport }

  const callOnce = <T>(method: string, path: string, options: CallOptions<T>): Promise<T> => {
    const { read, parameters = {}, encode = headerValue, body, signal, isLevel = false } = options
    const headers = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encode(value)]))
    const { maxBytes, json } = levels
    const exchange = async () => {
      const answer = await server.send({ method, path, headers, body }, { signal, ...(isLevel && { maxBytes, json }) })
      if (!isSuccess(answer)) throw new Refusal(answer)
      if (isPage(answer)) throw new NotP5(answer)
      // Some answers are texts, such as the report of a job.
      const value = read((await jsonIn(answer)) ?? textOf(answer))
      if (value === undefined) throw new NotP5(answer)
      return value
    }
    return server.call(exchange, { request: { username, isKnown }, signal })
  }

  const call: Call = (method, path, options) =>
    whileBusy(() => callOnce(method, path, options), options.signal, method === 'GET' ? (options.tries ?? maxTries) : 1)
  return {
    call,
    /** Gets something of the group `general`. */
    general: newGeneralCall(call),
    host: server.host,
    requests: server.requests,
    close: server.close,
  }
}
export type Client = ReturnType<typeof newClient>

type Call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions<T>) => Promise<T>

/** Tries the two paths of a call, and begins with the one that P5 knew before. */
function newGeneralCall(call: Call) {
  let isSecondKnown = false
  return async <T>(path: string, options: CallOptions<T>): Promise<T> => {
    const paths = generalPaths(path)
    const [first, second] = isSecondKnown ? [paths[1], paths[0]] : paths
    try {
      return await call('GET', first, options)
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      const answer = await call('GET', second, options)
      isSecondKnown = !isSecondKnown
      return answer
    }
  }
}
