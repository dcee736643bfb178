import { z } from 'zod'
import type { SodaConnection } from '#events/actions/transfers.ts'
import { type Answer, contentOf } from '../../http/answer.ts'
import type { TransportOptions } from '../../http/transport.ts'
import { newServer } from '../../kit/server.ts'
import { newSession } from '../../kit/session.ts'
import { LoginRejected, TokenEnded, TransferAway, TransferFailed } from '../failures.ts'
import type { Timing } from '../timing.ts'
import { failureOf, ForeignRefusal, jsonOf } from './failureOf.ts'
import { Token } from './unconfirmed.ts'

/** Bytes of an answer: a list of 5,000 folders, or of 1,000 files. */
const maxBytes = 16 * 1024 * 1024
/** Tokens are renewed this time before their end, or after half of their time if they are shorter. */
const spareMs = 5 * 60_000
/** Requests for one call that reads, while the service fails. */
const maxTries = 3

export type CallOptions<T> = {
  read: z.ZodType<T>
  /** The call in words that follow 'to'. */
  task: string
  signal: AbortSignal
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof newClient>

/**
 * Calls a transfer service, signed in as a client. Only GET is repeated: another call may have done its work before its answer was lost.
 * After a rejected sign-in nothing is sent any more. Throws `TransferFailed` for a URL without a server.
 */
export function newClient(connection: SodaConnection, timing: Timing, options: TransportOptions = {}) {
  const { clientSecret } = connection
  const server = openServer(connection, options)
  const session = newSession((signal: AbortSignal) => signIn(server, connection, { signal, now: timing.now }), {
    isOver: ({ renewAt }) => timing.now() >= renewAt,
  })

  async function callOnce<T>(method: 'GET' | 'POST', path: string, options: CallOptions<T>): Promise<T> {
    const { query = {}, body, headers, read, task, signal } = options
    const token = await session.get(signal)
    const search = new URLSearchParams(query).toString()
    const request = {
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: { authorization: `Bearer ${token.text}`, ...headers },
      body,
    }
    const facts = { clientId: connection.clientId, task, isSignIn: false, secrets: [clientSecret, token.text] }
    try {
      return await server.call(async () => parsed(read, await server.send(request, { signal })), {
        request: facts,
        signal,
      })
    } catch (error) {
      if (error instanceof TokenEnded) session.drop(token)
      throw error
    }
  }

  return {
    host: server.host,
    async call<T>(method: 'GET' | 'POST', path: string, options: CallOptions<T>): Promise<T> {
      let hasRenewed = false
      for (let tries = 1; ; tries++) {
        try {
          return await callOnce(method, path, options)
        } catch (error) {
          const isOver = method !== 'GET' || tries === maxTries || !(error instanceof TransferAway)
          if (isOver || (error instanceof TokenEnded && hasRenewed)) throw error
          if (error instanceof TokenEnded) hasRenewed = true
          else await timing.wait(error.retryAfterMs ?? timing.retryDelayMs, options.signal)
        }
      }
    },
    close: server.close,
  }
}

const openServer = ({ url, clientSecret }: SodaConnection, options: TransportOptions) =>
  newServer({
    url,
    invalidUrl: (fault) => new TransferFailed(`The URL of the transfer service ${fault}`, 'No request was sent'),
    headers: { accept: 'application/json' },
    secrets: [clientSecret],
    failureOf,
    final: LoginRejected,
    maxBytes,
    ...options,
  })

/** A token, and the time at which it is renewed. */
async function signIn(
  server: ReturnType<typeof openServer>,
  { clientId, clientSecret }: SodaConnection,
  { signal, now }: { signal: AbortSignal; now: () => number },
) {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const request = {
    method: 'POST',
    path: 'oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
  const facts = { clientId, task: 'sign in', isSignIn: true }
  const work = async () => parsed(Token, await server.send(request, { signal }))
  const { access_token: text, expires_in: seconds } = await server.call(work, { request: facts, signal })
  const lifetimeMs = seconds * 1_000
  return { text, renewAt: now() + lifetimeMs - Math.min(spareMs, lifetimeMs / 2) }
}

/** Content of an answer. Throws a refusal for one that is no success, or not of the expected form, and `TooLong`. */
async function parsed<T>(read: z.ZodType<T>, answer: Answer): Promise<T> {
  const content = await jsonOf(answer)
  try {
    return contentOf(read, content)
  } catch (error) {
    throw error instanceof z.ZodError ? new ForeignRefusal(answer) : error
  }
}
