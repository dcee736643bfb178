import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readJson } from '#events/node/readJson.ts'
import { type Answer, contentOf } from '../http/answer.ts'
import { addressFault } from '../http/addresses.ts'
import { ForeignAnswer } from '../http/refusal.ts'
import { newTransport, type Transport, type TransportOptions } from '../http/transport.ts'
import { ScanFailed } from '../system.ts'
import { DropboxRefusal, type RequestContext, failureOf } from './failures.ts'

/** Address of Dropbox, and the sign-in: the app key, and the refresh token that a user's code was exchanged for. */
export type SignIn = { url: string; appKey: string; refreshToken: string }

/** Namespace of the space of a team, in which paths begin; undefined for the account's own folder. */
type Root = { namespace: string | undefined }

/** Bytes of an answer: a page of 2,000 entries, each of which names its path twice. */
const maxBytes = 32 * 1024 * 1024
/** Time before its end from which a token is no longer used. */
const spareMs = 60_000

const Token = z.object({ access_token: z.string(), expires_in: z.number().default(14_400) })

/**
 * Sends requests to Dropbox, to `url` alone. No redirect is followed, and only a call whose token had expired is retried. Each call throws
 * `StoreBusy` or `ScanFailed`, with a message for users that contains no token. Throws `ScanFailed` for an invalid URL.
 */
export function newClient({ url, appKey, refreshToken }: SignIn, options: TransportOptions = {}) {
  const fault = addressFault(url)
  if (fault) throw new ScanFailed(`The URL of Dropbox ${fault}`)
  const { protocol, hostname } = new URL(url)
  const transport = newTransport({ maxBytes, ...options })
  const post = posting(url, transport)
  const tokens = newTokens(post, { appKey, refreshToken })
  const root: Root = { namespace: undefined }
  let hasAnswered = false

  async function callOnce(path: string, body: string, signal: AbortSignal): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${await tokens.token(signal)}`,
      'content-type': 'application/json',
      ...(root.namespace && { 'dropbox-api-path-root': JSON.stringify({ '.tag': 'root', root: root.namespace }) }),
    }
    return post(path, { headers, body }, signal)
  }

  return {
    /** Paths of later calls begin in this namespace. */
    startIn: (namespace: string) => void (root.namespace = namespace),
    /** Calls `/2/<name>`. `folder` is what a failure about a path speaks of. */
    async call<T>(name: string, argument: object | null, { read, folder = '/', signal }: Call<T>): Promise<T> {
      const [path, body] = [`/2/${name}`, JSON.stringify(argument)]
      try {
        const answer = await callOnce(path, body, signal).catch((error: unknown) => {
          if (!(error instanceof DropboxRefusal) || !error.isOfToken) throw error
          tokens.forget()
          return callOnce(path, body, signal)
        })
        hasAnswered = true
        return contentOf(read, answer)
      } catch (error) {
        signal.throwIfAborted()
        const secrets = [refreshToken, tokens.last()]
        const asked: RequestContext = { host: hostname, hasAnswered, folder, secrets, isPlain: protocol === 'http:' }
        hasAnswered ||= error instanceof DropboxRefusal
        throw failureOf(error, asked)
      }
    },
    /** Dropbox limits the requests of each sign-in. */
    server: `${hostname} ${createHash('sha256').update(refreshToken).digest('hex')}`,
    requests: transport.requests,
    close: transport.destroy,
  }
}
export type Client = ReturnType<typeof newClient>

type Call<T> = { read: z.ZodType<T>; folder?: string; signal: AbortSignal }

type SentRequest = { headers: Record<string, string>; body: string }

const posting =
  (url: string, transport: Transport) =>
  async (path: string, { headers, body }: SentRequest, abortSignal: AbortSignal): Promise<unknown> => {
    const { protocol, hostname, host, port, pathname } = new URL(url)
    const { response } = await transport.handle(
      {
        protocol,
        hostname,
        port: port === '' ? undefined : Number(port),
        method: 'POST',
        path: pathname.replace(/\/$/, '') + path,
        headers: { host, ...headers },
        body,
      },
      { abortSignal },
    )
    if (response.statusCode !== 200) throw new DropboxRefusal(response)
    return jsonOf(response)
  }

/** The access token, which is good for some hours. */
function newTokens(post: ReturnType<typeof posting>, { appKey, refreshToken }: Omit<SignIn, 'url'>) {
  let text = ''
  let endsMs = 0
  return {
    async token(signal: AbortSignal): Promise<string> {
      if (performance.now() < endsMs) return text
      const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: appKey })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const token = contentOf(Token, await post('/oauth2/token', { headers, body: form.toString() }, signal))
      text = token.access_token
      endsMs = performance.now() + token.expires_in * 1_000 - spareMs
      return text
    },
    last: () => text,
    forget: () => void (endsMs = 0),
  }
}

const jsonOf = (answer: Answer): Promise<unknown> =>
  readJson(answer.body).catch((error: unknown) => {
    throw error instanceof SyntaxError ? new ForeignAnswer(answer) : error
  })
