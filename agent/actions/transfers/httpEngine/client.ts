import type { z } from 'zod'
import type { SodaConnection } from '#events/actions/transfers.ts'
import { type Answer } from '../../../systems/http/answer.ts'
import { addressFault } from '../../../systems/http/addresses.ts'
import { newTransport, type TransportOptions } from '../../../systems/http/transport.ts'
import { LoginRejected, TokenEnded, TransferAway, TransferFailed } from '../failures.ts'
import type { Timing } from '../timing.ts'
import { failureOf, ForeignRefusal, jsonOf, type RequestContext } from './failureOf.ts'
import { newTokens } from './tokens.ts'
import { Token } from './unconfirmed.ts'

/** Requests for one call that reads, while the service fails. */
const maxTries = 3
/** Bytes of an answer: a list of 5,000 folders, or of 1,000 files. */
const maxBytes = 64 * 1024 * 1024

export type CallOptions<T> = {
  read: z.ZodType<T>
  /** The call in words that follow 'to'. */
  task: string
  signal: AbortSignal
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
}

type Sent = { method: string; path: string; headers: Record<string, string>; body?: string | undefined }

/**
 * Sends requests to a transfer service, signed in as a client. Only GET is repeated: another call may have done its work before its answer was
 * lost. After a rejected sign-in nothing is sent any more. Throws `TransferFailed` for a URL without a server.
 */
export function newClient(
  { url, clientId, clientSecret }: SodaConnection,
  timing: Timing,
  options: TransportOptions = {},
) {
  const fault = addressFault(url)
  if (fault) throw new TransferFailed(`The URL of the transfer service ${fault}`, 'No request was sent')
  const { protocol, hostname } = new URL(url)
  const transport = newTransport({ maxBytes, ...options })
  const requestOf = newRequests(url)
  let hasAnswered = false
  let rejected: LoginRejected | undefined

  async function exchange<T>(sent: Sent, read: z.ZodType<T>, task: string, signal: AbortSignal): Promise<T> {
    const isSignIn = sent.path === 'oauth/token'
    try {
      const { response } = await transport.handle(requestOf(sent), { abortSignal: signal })
      const answer = parsed(read, response)
      hasAnswered = true
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const secrets = [clientSecret, tokens.last()]
      const context: RequestContext = {
        host: hostname,
        clientId,
        task,
        isSignIn,
        isPlain: protocol === 'http:',
        hasAnswered,
        secrets,
      }
      const failure = failureOf(error, context)
      if (failure instanceof LoginRejected) rejected = failure
      throw failure
    }
  }

  const tokens = newTokens(async (signal) => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = { method: 'POST', path: 'oauth/token', headers, body: new URLSearchParams(form).toString() }
    const { access_token: text, expires_in: seconds } = await exchange(sent, Token, 'sign in', signal)
    return { text, lifetimeMs: seconds * 1_000 }
  }, timing.now)

  async function callOnce<T>(method: string, path: string, options: CallOptions<T>): Promise<T> {
    if (rejected) throw rejected
    const { read, task, signal, query = {}, body, headers = {} } = options
    const token = await tokens.get(signal)
    const search = new URLSearchParams(query).toString()
    const sent = {
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }
    try {
      return await exchange(sent, read, task, signal)
    } catch (error) {
      if (error instanceof TokenEnded) tokens.drop(token)
      throw error
    }
  }

  return {
    host: hostname,
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
    requests: transport.requests,
    close: transport.destroy,
  }
}
export type Client = ReturnType<typeof newClient>

/** Content of an answer. Throws a refusal for one that is no success, or not of the expected form. */
function parsed<T>(read: z.ZodType<T>, response: Answer): T {
  const content = read.safeParse(jsonOf(response))
  if (!content.success) throw new ForeignRefusal(response)
  return content.data
}

function newRequests(url: string) {
  const { protocol, hostname, host, port, pathname } = new URL(url)
  const base = pathname.replace(/\/+$/, '')
  return ({ method, path, headers, body }: Sent) => ({
    protocol,
    hostname,
    port: port === '' ? undefined : Number(port),
    method,
    path: `${base}/${path}`,
    headers: {
      host,
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    body,
  })
}
