import { z } from 'zod'
import { cleanText } from '#events/contract/cleanText.ts'
import type { IconikConnection } from '#events/actions/iconik.ts'
import { readJson } from '#events/node/readJson.ts'
import { type Answer, contentOf, retryAfterMs } from '../http/answer.ts'
import type { TransportOptions } from '../http/transport.ts'
import { newServer } from '../kit/server.ts'
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
  const { appId, token } = connection
  const server = newServer<{ call: string }>({
    url: connection.url.trim(),
    defaultPath: '/API',
    invalidUrl: (fault) => new IconikFailed(`The URL of Iconik ${fault}`),
    headers: { accept: 'application/json', 'app-id': appId, 'auth-token': token },
    secrets: [token],
    failureOf,
    final: TokenRejected,
    idleMs: timing.idleMs,
    ...transport,
  })
  const pace = newPacer(connection, timing)

  async function exchange(call: Call, signal: AbortSignal): Promise<Answer> {
    for (const delayMs of [...timing.retryDelaysMs, undefined]) {
      await pace(signal)
      const answer = await server.send(call, { signal })
      if (answer.statusCode !== 429 || delayMs === undefined) return answer
      await timing.wait(retryAfterMs(answer.headers['retry-after']) || delayMs, signal)
    }
    throw new Error('No try is left')
  }

  return {
    host: server.host,
    close: server.close,
    call(call, schema, signal) {
      const request = { call: `${call.method} ${call.path}` }
      const work = async (hasAnswered: boolean) => {
        const answer = await exchange(call, signal)
        const refusal = refusalIn(answer, { ...request, host: server.host, hasAnswered, secrets: [token] })
        if (refusal) throw refusal
        return valueIn(answer, schema, request.call)
      }
      return server.call(work, { request, signal })
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
