import type { Answer } from '../http/answer.ts'
import type { Transport } from '../http/transport.ts'
import { ScanFailed } from '../system.ts'
import { type RequestContext, failureIn, failureOf, signInRefused } from './failures.ts'
import { readJson } from '#events/machine/readJson.ts'
import { parseJson } from './json.ts'

/** Host and user of a cluster. */
export type SignIn = { hostname: string; port: number; username: string; password: string }

export type SessionRequest = { method: string; path: string; body?: string | undefined }

/** Cookies of a session. The cluster may replace `id` with any answer. */
type Cookies = { id: string; csrf: string | undefined }

/** Address without a trailing slash: OneFS 9.5 does not know it with one. */
const sessionPath = '/session/1/session'
const closeMs = 5_000

/**
 * A session of OneFS. It starts with the first request, and starts once more after a 401. It belongs to the node that created it: the
 * transport has to keep to one address.
 */
export function newSession(signIn: SignIn, transport: Transport) {
  const handle = newHandler(signIn, transport)
  let current: Cookies | undefined
  let opening: Promise<Cookies> | undefined
  let refused: Error | undefined

  const open = async (context: RequestContext, signal: AbortSignal): Promise<Cookies> => {
    try {
      return (current = await requestSession(signIn, handle, context, signal))
    } catch (error) {
      if (error instanceof ScanFailed) refused = error
      throw error
    }
  }

  /** Requests that need a session at the same time share one sign-in. */
  const opened = (context: RequestContext, signal: AbortSignal): Promise<Cookies> => {
    if (refused) throw refused
    return (opening ??= open(context, signal).finally(() => (opening = undefined)))
  }

  const sendWith = async (cookies: Cookies, request: SessionRequest, signal: AbortSignal): Promise<Answer> => {
    const answer = await handle(request, headersOf(cookies), signal)
    cookies.id = cookieOf(answer, 'isisessid') ?? cookies.id
    return answer
  }

  return {
    /** Sends a request in the session. Throws errors of the transport, and `SignInRefused`. */
    async send(request: SessionRequest, context: RequestContext, signal: AbortSignal): Promise<Answer> {
      if (refused) throw refused
      const cookies = current ?? (await opened(context, signal))
      const answer = await sendWith(cookies, request, signal)
      if (answer.statusCode !== 401) return answer
      if (current === cookies) current = undefined
      const again = await sendWith(current ?? (await opened(context, signal)), request, signal)
      if (again.statusCode === 401) throw (refused = signInRefused(context))
      return again
    },
    /** Signs out. Sessions of a cluster are limited. */
    async close(): Promise<void> {
      const cookies = current ?? (await opening?.catch(() => undefined))
      current = undefined
      if (cookies === undefined) return
      const request = { method: 'DELETE', path: sessionPath }
      await handle(request, headersOf(cookies), AbortSignal.timeout(closeMs)).catch(() => undefined)
    },
  }
}

type Handler = (request: SessionRequest, headers: Record<string, string>, signal: AbortSignal) => Promise<Answer>

function newHandler({ hostname, port }: SignIn, transport: Transport): Handler {
  const host = `${hostname}:${port}`
  const origin = { protocol: 'https:', hostname: hostname.replace(/^\[|\]$/g, ''), port }
  return async (request, headers, abortSignal) => {
    const all = { ...typeOf(request), host, referer: `https://${host}`, ...headers }
    const { response } = await transport.handle({ ...origin, ...request, headers: all }, { abortSignal })
    return response
  }
}

/** Cookies of a new session. Throws errors of the transport, and the reason why the cluster opens none. */
async function requestSession(
  { username, password }: SignIn,
  handle: Handler,
  context: RequestContext,
  signal: AbortSignal,
): Promise<Cookies> {
  const body = JSON.stringify({ username, password, services: ['platform', 'namespace'] })
  const call = `POST ${sessionPath}`
  const signingIn = { ...context, purpose: 'sign in', privilege: 'ISI_PRIV_LOGIN_PAPI', call }
  const answer = await handle({ method: 'POST', path: sessionPath, body }, {}, signal)
  if (answer.statusCode === 401) throw signInRefused(context)
  const failure = failureIn(answer, await valueOf(answer), signingIn)
  const id = cookieOf(answer, 'isisessid')
  if (failure || id === undefined) throw failure ?? failureOf(new SyntaxError('No session cookie'), signingIn)
  return { id, csrf: cookieOf(answer, 'isicsrf') }
}

const typeOf = ({ body }: SessionRequest): Record<string, string> =>
  body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }

/** Very old releases have no token against forged requests. */
const headersOf = ({ id, csrf }: Cookies): Record<string, string> => ({
  cookie: `isisessid=${id}`,
  ...(csrf !== undefined && { 'x-csrf-token': csrf }),
})

/** A cookie by its name. Several headers are one text, separated by commas. */
const cookieOf = ({ headers }: Answer, name: string): string | undefined =>
  new RegExp(`(?:^|,)\\s*${name}=([^;,\\s]+)`).exec(headers['set-cookie'] ?? '')?.[1]

const parser = { module: new URL('json.ts', import.meta.url), parseJson }

/** The JSON of an answer; undefined where it has none. */
export async function valueOf({ body }: Answer): Promise<unknown> {
  try {
    return body.length === 0 ? undefined : await readJson(body, parser)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
