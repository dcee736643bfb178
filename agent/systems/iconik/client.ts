import { z } from 'zod'
import { cleanText } from '#events/contract/cleanText.ts'
import type { IconikConnection } from '#events/actions/iconik.ts'
import { readJson } from '#events/machine/readJson.ts'
import { type Answer, contentOf, retryAfterMs } from '../http/answer.ts'
import { addressFault } from '../http/addresses.ts'
import { newCalls } from '../http/calls.ts'
import type { TransportOptions } from '../http/transport.ts'
import { failureOf, IconikAway, IconikFailed, refusalIn, TokenRejected } from './failures.ts'
import { defaultTiming, type Timing } from './timing.ts'

type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below the base URL, with a slash at its end: Iconik redirects others, and loses their bodies. */
  path: string
  query?: Record<string, string>
  body?: object
}

/**
 * Calls of Iconik's API. They throw `IconikFailed` or `IconikAway`. A request above Iconik's limit is sent again, others are not: after a lost
 * answer the caller has to find out what Iconik did.
 */
export type Client = {
  call<T>(call: Call, answer: z.ZodType<T>, signal: AbortSignal): Promise<T>
  host: string
  close(): void
}

export type ClientOptions = { timing?: Timing; transport?: TransportOptions }

export function openClient(
  connection: IconikConnection,
  { timing = defaultTiming, transport = {} }: ClientOptions = {},
): Client {
  const base = baseUrlOf(connection.url)
  const fault = addressFault(base)
  if (fault) throw new IconikFailed(`The URL of Iconik ${fault}`)
  const { hostname } = new URL(base)
  const secrets = [connection.token]
  const calls = newCalls({ idleMs: timing.idleMs, fingerprint: undefined, ...transport })
  const pace = newPacer(connection, timing)
  let rejected: TokenRejected | undefined

  async function exchange(call: Call, signal: AbortSignal): Promise<Answer> {
    const request = requestTo(base, connection, call)
    for (const delayMs of [...timing.retryDelaysMs, undefined]) {
      await pace(signal)
      const { response } = await calls.transport.handle(request, { abortSignal: signal })
      if (response.statusCode !== 429 || delayMs === undefined) return response
      await timing.wait(retryAfterMs(response.headers['retry-after']) || delayMs, signal)
    }
    throw new Error('No try is left')
  }

  return {
    host: hostname,
    close: () => calls.transport.destroy(),
    async call(call, schema, signal) {
      if (rejected) throw rejected
      const context = { host: hostname, call: `${call.method} ${call.path}`, secrets }
      const send = async (hasAnswered: boolean) => {
        const answer = await exchange(call, signal)
        const refusal = refusalIn(answer, { ...context, hasAnswered })
        if (refusal) throw refusal
        return valueIn(answer, schema, context.call)
      }
      const failed = (error: unknown, hasAnswered: boolean) => failureOf(error, { ...context, hasAnswered })
      try {
        return await calls.call(send, { signal, failureOf: failed })
      } catch (error) {
        if (error instanceof TokenRejected) rejected = error
        throw error
      }
    },
  }
}

/** Earliest time of the next request, by configuration. */
const nextTimes = new Map<string, number>()

/**
 * Spreads the requests of this agent to one configuration over time. Other agents are not counted: Iconik itself allows more than twice as
 * many requests, and refuses those above its own limit.
 */
function newPacer({ url, appId }: IconikConnection, { requestsPerSecond, wait }: Timing) {
  const key = JSON.stringify([url, appId])
  return async (signal: AbortSignal): Promise<void> => {
    const now = performance.now()
    const time = Math.max(now, nextTimes.get(key) ?? 0)
    nextTimes.set(key, time + 1_000 / requestsPerSecond)
    if (time > now) await wait(time - now, signal)
  }
}

/** The base URL of a configuration, which may lack the path of the API. */
function baseUrlOf(url: string): string {
  const whole = url.trim().replace(/\/+$/, '')
  return URL.parse(whole)?.pathname === '/' ? `${whole}/API/` : `${whole}/`
}

function requestTo(base: string, { appId, token }: IconikConnection, { method, path, query = {}, body }: Call) {
  const { protocol, hostname, host, port, pathname } = new URL(base)
  return {
    protocol,
    hostname,
    port: port === '' ? undefined : Number(port),
    method,
    path: `${pathname}${path}`,
    query,
    headers: {
      host,
      accept: 'application/json',
      'app-id': appId,
      'auth-token': token,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body && JSON.stringify(body),
  }
}

/** The value of a successful answer; undefined for an empty one. */
async function valueIn<T>({ body }: Answer, schema: z.ZodType<T>, call: string): Promise<T> {
  try {
    return contentOf(schema, body.every(isBlank) ? undefined : await readJson(body))
  } catch (error) {
    // Iconik may have done its work even if its answer was cut.
    if (error instanceof SyntaxError)
      throw new IconikAway(`Iconik's answer to ${call} is not complete`, cleanText(beginningOf(body), 300))
    if (!(error instanceof z.ZodError)) throw error
    throw new IconikFailed(`Iconik's answer to ${call} has another form than expected`, error.message)
  }
}

const isBlank = (byte: number) => byte <= 0x20
const beginningOf = (body: Uint8Array) => Buffer.from(body.subarray(0, 1_000)).toString()
