import type { Answer } from '../http/answer.ts'
import { newSession } from '../kit/session.ts'
import { jsonIn, type newServer } from '../kit/server.ts'
import { ScanFailed } from '../system.ts'
import { failureIn, failureOf, type RequestContext, signInRefused } from './failures.ts'
import { parseJson } from './json.ts'

type Send = ReturnType<typeof newServer>['send']
type SessionRequest = { method: string; path: string; body?: object | undefined }
type Sending = { context: RequestContext; signal: AbortSignal }

/** Cookies of a session. The cluster may replace `id` with any answer. */
type Cookies = { id: string; csrf: string | undefined }

/** Address without a trailing slash: OneFS 9.5 does not know it with one. */
const path = 'session/1/session'
const closeMs = 5_000

/**
 * A session of OneFS. It starts with the first request, and starts once more after a 401. It belongs to the node that created it: the
 * transport has to keep to one address.
 */
export function newOneFsSession(user: { username: string; password: string }, send: Send) {
  const isFinal = (error: unknown) => error instanceof ScanFailed
  const session = newSession((sending: Sending) => signIn(user, send, sending), { isFinal })

  const sendWith = async (cookies: Cookies, request: SessionRequest, signal: AbortSignal): Promise<Answer> => {
    const answer = await send({ ...request, headers: headersOf(cookies) }, { signal })
    cookies.id = cookieOf(answer, 'isisessid') ?? cookies.id
    return answer
  }

  return {
    /** Sends a request in the session. Throws errors of the transport, and `SignInRefused`. */
    async send(request: SessionRequest, sending: Sending): Promise<Answer> {
      const { context, signal } = sending
      const cookies = await session.get(sending)
      const answer = await sendWith(cookies, request, signal)
      if (answer.statusCode !== 401) return answer
      session.drop(cookies)
      const again = await sendWith(await session.get(sending), request, signal)
      if (again.statusCode === 401) throw signInRefused(context)
      return again
    },
    /** Signs out. Sessions of a cluster are limited. */
    async close(): Promise<void> {
      const cookies = await session.end()
      if (cookies === undefined) return
      const request = { method: 'DELETE', path, headers: headersOf(cookies) }
      await send(request, { signal: AbortSignal.timeout(closeMs) }).catch(() => undefined)
    },
  }
}

/** Cookies of a new session. Throws errors of the transport, and the reason why the cluster opens none. */
async function signIn(
  { username, password }: { username: string; password: string },
  send: Send,
  { context, signal }: Sending,
): Promise<Cookies> {
  const body = { username, password, services: ['platform', 'namespace'] }
  const signingIn = { ...context, purpose: 'sign in', privilege: 'ISI_PRIV_LOGIN_PAPI', call: `POST /${path}` }
  const answer = await send({ method: 'POST', path, body }, { signal })
  if (answer.statusCode === 401) throw signInRefused(context)
  const failure = failureIn(answer, await valueOf(answer), signingIn)
  const id = cookieOf(answer, 'isisessid')
  if (failure || id === undefined) throw failure ?? failureOf(new SyntaxError('No session cookie'), signingIn)
  return { id, csrf: cookieOf(answer, 'isicsrf') }
}

/** Very old releases have no token against forged requests. */
const headersOf = ({ id, csrf }: Cookies): Record<string, string> => ({
  cookie: `isisessid=${id}`,
  ...(csrf !== undefined && { 'x-csrf-token': csrf }),
})

/** A cookie by its name. Several headers are one text, separated by commas. */
const cookieOf = ({ headers }: Answer, name: string): string | undefined =>
  new RegExp(`(?:^|,)\\s*${name}=([^;,\\s]+)`).exec(headers['set-cookie'] ?? '')?.[1]

/** The JSON of an answer; undefined where it has none. */
export const valueOf = (answer: Answer): Promise<unknown> =>
  jsonIn(answer, { module: new URL('json.ts', import.meta.url), parseJson })
