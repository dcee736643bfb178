import type { ArchiwareConnection } from '#events/sources/archiwares.ts'
import { readJson } from '#events/machine/readJson.ts'
import { type Answer, isHtml, textOf } from '../http/answer.ts'
import { addressFault } from '../http/addresses.ts'
import { newCalls } from '../http/calls.ts'
import { Refusal } from '../http/refusal.ts'
import type { AnswerLimits, TransportOptions } from '../http/transport.ts'
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
export function newClient(connection: ArchiwareConnection, { isKnown = false, ...options }: ClientOptions = {}) {
  const { username, password, fingerprint } = connection
  const requestOf = newRequests(connection)
  const { protocol, hostname } = new URL(connection.url)
  const { transport, call: callServer } = newCalls({ idleMs, fingerprint, ...options })
  const { maxBytes, json } = { ...levelLimits, ...options }
  const secrets = [password, loginOf(connection)]
  let rejected: LoginRejected | undefined

  const failed = (error: unknown, hasAnswered: boolean): Error => {
    const isPlain = protocol === 'http:'
    const failure = failureOf(error, { host: hostname, username, isPlain, isKnown, hasAnswered, secrets })
    if (failure instanceof LoginRejected) rejected = failure
    return failure
  }

  async function callOnce<T>(method: string, path: string, options: CallOptions<T>): Promise<T> {
    const { read, signal, isLevel = false } = options
    if (rejected) throw rejected
    const send = async () => {
      const { response } = await transport.handle(requestOf(method, path, options), {
        abortSignal: signal,
        ...(isLevel && { maxBytes, json }),
      })
      if (response.statusCode < 200 || response.statusCode > 299) throw new Refusal(response)
      const answer = read(await bodyOf(response))
      if (answer === undefined) throw new NotP5(response)
      return answer
    }
    return callServer(send, { signal, failureOf: failed })
  }

  const call: Call = (method, path, options) =>
    whileBusy(() => callOnce(method, path, options), options.signal, method === 'GET' ? (options.tries ?? maxTries) : 1)
  return {
    call,
    /** Gets something of the group `general`. */
    general: newGeneralCall(call),
    host: hostname,
    requests: transport.requests,
    close: transport.destroy,
  }
}
export type Client = ReturnType<typeof newClient>

type Call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions<T>) => Promise<T>

const loginOf = ({ username, password }: ArchiwareConnection) =>
  Buffer.from(`${username}:${password}`).toString('base64')

/** Makes requests. Throws `P5Failed` for a URL without a server. */
function newRequests(connection: ArchiwareConnection) {
  const { url } = connection
  const fault = addressFault(url)
  if (fault) throw new P5Failed(`The URL of Archiware P5 ${fault}`, 'No request was sent')
  const { protocol, hostname, host, port, pathname } = new URL(url)
  const base = pathname.replace(/\/+$/, '') || '/rest/v1'
  const headers = {
    host,
    authorization: `Basic ${loginOf(connection)}`,
    accept: 'application/json',
    'content-type': 'application/json',
  }
  return (
    method: string,
    path: string,
    { parameters = {}, encode = headerValue, body }: Pick<CallOptions<unknown>, 'parameters' | 'encode' | 'body'>,
  ) => ({
    protocol,
    hostname,
    port: port === '' ? undefined : Number(port),
    method,
    path: `${base}/${path}`,
    headers: {
      ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, encode(value)])),
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
}

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

/** A body as JSON, or else as text, such as a job's report. A web page is no answer of P5. */
async function bodyOf(answer: Answer): Promise<unknown> {
  const beginning = textOf({ ...answer, body: answer.body.subarray(0, 1_000) })
  if (isHtml(beginning, answer.headers)) throw new NotP5(answer)
  return readJson(answer.body).catch((error: unknown) => {
    if (error instanceof SyntaxError) return textOf(answer)
    throw error
  })
}
