import { z } from 'zod'
import type { SodaConnection } from '#events/actions/transfers.ts'
import { addressFault } from '../../http/addresses.ts'
import { type Answer, contentOf } from '../../http/answer.ts'
import { newTransport, type TransportOptions } from '../../http/transport.ts'
import { LoginRejected, TransferFailed } from '../failures.ts'
import { failureOf, ForeignRefusal, jsonOf } from './failureOf.ts'

/** Bytes of an answer: a list of 5,000 folders, or of 1,000 files. */
const maxBytes = 16 * 1024 * 1024

type Request<T> = {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string | undefined
  read: z.ZodType<T>
  /** The request in words that follow 'to'. */
  task: string
  isSignIn?: boolean
  /** Secrets that no message may contain. */
  secrets: readonly string[]
  signal: AbortSignal
}

/** Sends one request, and reads its answer. Throws `TransferFailed` or `TransferAway`. */
export type Exchange = <T>(request: Request<T>) => Promise<T>

/** Exchanges requests and answers with the server of a URL. After a rejected sign-in nothing is sent any more. */
export function newExchange({ url, clientId }: Pick<SodaConnection, 'url' | 'clientId'>, options: TransportOptions) {
  const fault = addressFault(url)
  if (fault) throw new TransferFailed(`The URL of the transfer service ${fault}`, 'No request was sent')
  const { protocol, hostname } = new URL(url)
  const transport = newTransport({ maxBytes, ...options })
  let hasAnswered = false
  let rejected: LoginRejected | undefined

  const exchange: Exchange = async ({ read, task, isSignIn = false, secrets, signal, ...request }) => {
    if (rejected) throw rejected
    try {
      const { response } = await transport.handle(requestTo(url, request), { abortSignal: signal })
      const answer = await parsed(read, response)
      hasAnswered = true
      return answer
    } catch (error) {
      signal.throwIfAborted()
      const isPlain = protocol === 'http:'
      const failure = failureOf(error, { host: hostname, clientId, task, isSignIn, isPlain, hasAnswered, secrets })
      if (failure instanceof LoginRejected) rejected = failure
      throw failure
    }
  }
  return { host: hostname, exchange, close: transport.destroy }
}

/** Content of an answer. Throws a refusal for one that is no success, or not of the expected form, and `TooLong`. */
async function parsed<T>(read: z.ZodType<T>, response: Answer): Promise<T> {
  const content = await jsonOf(response)
  try {
    return contentOf(read, content)
  } catch (error) {
    throw error instanceof z.ZodError ? new ForeignRefusal(response) : error
  }
}

type Sendable = Pick<Request<unknown>, 'method' | 'path' | 'headers' | 'body'>

function requestTo(url: string, { method, path, headers, body }: Sendable) {
  const { protocol, hostname, host, port, pathname } = new URL(url)
  return {
    protocol,
    hostname,
    port: port === '' ? undefined : Number(port),
    method,
    path: `${pathname.replace(/\/+$/, '')}/${path}`,
    headers: {
      host,
      accept: 'application/json',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    },
    body,
  }
}
