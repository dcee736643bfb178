import { readJson } from '#events/node/readJson.ts'
import { addressFault } from '../http/addresses.ts'
import { type Answer, isHtml, textOf } from '../http/answer.ts'
import { type AnswerLimits, newTransport, type Request, type TransportOptions } from '../http/transport.ts'

/** Facts about a server that sentences about its failures name. */
export type ServerFacts = {
  host: string
  /** True if its address begins with http: because a user typed that. */
  isPlain: boolean
  /** True if the server, or its service, has answered before: then a failure may pass in a moment. */
  hasAnswered: boolean
  /** Secrets that no message may contain. */
  secrets: readonly string[]
}

type ServerOptions<Q> = TransportOptions & {
  url: string
  /** Path of the API, if the URL has none. */
  defaultPath?: string
  /** Error for a URL without a server; `fault` follows 'The URL'. Not for a URL that was checked before. */
  invalidUrl?: (fault: string) => Error
  /** SHA-256 of the one certificate to accept; without it, authorities are checked. */
  fingerprint?: string | undefined
  /** Headers of all requests. */
  headers?: Record<string, string>
  secrets: readonly string[]
  /** Failure of a call, for users. */
  failureOf: (error: unknown, request: Q & ServerFacts) => Error
  /** Failure after which nothing is sent any more, such as a rejected login: another try could lock the account. */
  final: new (...args: never[]) => Error
}

/** A request. Its path follows that of the API, and a body that is an object is sent as JSON. */
type SentRequest = Pick<Request, 'method' | 'path' | 'query'> & {
  headers?: Record<string, string>
  body?: string | object | undefined
}

type SendOptions = AnswerLimits & { signal: AbortSignal }

/** A call: facts about its request, and the part of the server that answers. Other parts may be switched off. */
type CallOptions<Q> = { request: Q; service?: string; signal: AbortSignal }

/**
 * The server of an outside system. Its certificate is checked, redirects are not followed, and answers are limited. Throws the error of
 * `invalidUrl`.
 */
export function newServer<Q extends object>(options: ServerOptions<Q>) {
  const { url, defaultPath, invalidUrl, fingerprint, headers, secrets, failureOf, final, ...transportOptions } = options
  const fault = invalidUrl && addressFault(url)
  if (fault) throw invalidUrl(fault)
  const { protocol, hostname, host, port, pathname } = new URL(url)
  const base = pathname.replace(/\/+$/, '') || (defaultPath ?? '')
  const target = { protocol, hostname, port: port === '' ? undefined : Number(port) }
  const certificate = { fingerprint, ...transportOptions.certificate }
  const transport = newTransport({ ...transportOptions, certificate })
  const answered = new Set<string>()
  let last: Error | undefined
  return {
    host: hostname,
    requests: transport.requests,
    close: transport.destroy,
    /** Sends one request. Throws what the transport throws. */
    async send({ body, ...request }: SentRequest, { signal, ...limits }: SendOptions): Promise<Answer> {
      const json = typeof body === 'object' ? JSON.stringify(body) : undefined
      const sent = {
        ...target,
        ...request,
        path: `${base}/${request.path}`,
        headers: {
          ...request.headers,
          host,
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: json ?? (body as string | undefined),
      }
      return (await transport.handle(sent, { abortSignal: signal, ...limits })).response
    },
    /** Runs the work of a call. Throws the reason of an abort, or else the failure of the call. */
    async call<T>(
      work: (hasAnswered: boolean) => Promise<T>,
      { request, service = '', signal }: CallOptions<Q>,
    ): Promise<T> {
      if (last) throw last
      try {
        const answer = await work(answered.has(service))
        answered.add(service)
        return answer
      } catch (error) {
        signal.throwIfAborted()
        const facts = { host: hostname, isPlain: protocol === 'http:', hasAnswered: answered.has(service), secrets }
        const failure = failureOf(error, { ...facts, ...request })
        if (failure instanceof final) last = failure
        throw failure
      }
    },
  }
}

export const isSuccess = ({ statusCode }: Answer): boolean => statusCode >= 200 && statusCode < 300

/** True if an answer is a page for people, as login pages and proxies send them. */
export const isPage = ({ body, ...answer }: Answer): boolean =>
  isHtml(textOf({ ...answer, body: body.subarray(0, 1_000) }), answer.headers)

/** The JSON of an answer; undefined for an empty one and for other texts. Throws `TooLong`. */
export async function jsonIn({ body }: Answer, parser?: Parameters<typeof readJson>[1]): Promise<unknown> {
  try {
    return body.length === 0 ? undefined : await readJson(body, parser)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
