import { type Answer, retryAfterMs, textOf } from '../../../systems/http/answer.ts'
import { connectionFailure, withoutSecrets } from '../../../systems/http/connectionFailure.ts'
import { newTransport, type TransportOptions } from '../../../systems/http/transport.ts'
import { StoreBusy } from '../../../systems/system.ts'
import { SystemAway } from '../../action.ts'
import { AddressExpired, IconikFailed } from '../failures.ts'
import type { Timing } from '../timing.ts'
import { FileFailed, type Source } from '../../sourceFile.ts'

/** A storage that does not take bytes at the moment. It may have taken them. */
export class StorageAway extends SystemAway {
  retryAfterMs: number | undefined
  constructor(message: string, retryAfterMs?: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

export type UploadRequest = {
  method: string
  url: string
  headers?: Record<string, string>
  /** Text, or bytes of the file. */
  body?: string | { source: Source; start: number; length: number }
}

export type UploadHost = ReturnType<typeof newUploadHost>

/**
 * Sends requests to the addresses of storages that Iconik signed. They never contain the token of Iconik, and redirects are not followed.
 * Throws `StorageAway`, or `IconikFailed` for a certificate that is not trusted.
 */
export function newUploadHost(timing: Timing, options: TransportOptions = {}) {
  const transport = newTransport({ idleMs: timing.idleMs, ...options })
  return {
    async send(request: UploadRequest, signal: AbortSignal): Promise<Answer> {
      if (!URL.canParse(request.url))
        throw new FileFailed('Iconik returned an address for the upload that is not valid')
      const { protocol, hostname, host, port, pathname, search } = new URL(request.url)
      const content = contentOf(request)
      const sent = {
        protocol,
        hostname,
        port: port === '' ? undefined : Number(port),
        method: request.method,
        path: pathname + search,
        headers: { host, 'content-length': String(content.length), ...request.headers },
        body: content.body,
      }
      const { response } = await transport.handle(sent, { abortSignal: signal }).catch((error: unknown) => {
        signal.throwIfAborted()
        throw failureOf(error, hostname)
      })
      const { statusCode: status, headers } = response
      if (status < 500 && status !== 408 && status !== 429) return response
      throw new StorageAway(
        `The storage at ${hostname} failed: ${detailOf(response)}`,
        retryAfterMs(headers['retry-after']),
      )
    },
    close: () => transport.destroy(),
  }
}

function contentOf({ body = '' }: UploadRequest): { length: number; body: string | AsyncIterable<Uint8Array> } {
  if (typeof body === 'string') return { length: Buffer.byteLength(body), body }
  const { source, start, length } = body
  return { length, body: length === 0 ? '' : source.read(start, length) }
}

function failureOf(error: unknown, host: string): Error {
  if (error instanceof FileFailed) return error
  const failure = connectionFailure(error, { host, secrets: [], hasAnswered: true })
  return failure instanceof StoreBusy ? new StorageAway(failure.message) : new IconikFailed(failure.message)
}

/** Repeats work while the storage is away or refuses addresses, `tries` times before. Throws the last error. */
export async function withRetries<T>(
  { retryDelaysMs, wait }: Timing,
  signal: AbortSignal,
  work: (tries: number) => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work(tries)
    } catch (error) {
      const delayMs = retryDelaysMs[tries]
      const isWorthIt = error instanceof StorageAway || error instanceof AddressExpired
      if (!isWorthIt || delayMs === undefined) throw error
      await wait((error instanceof StorageAway && error.retryAfterMs) || delayMs, signal)
    }
  }
}

/** Throws unless the answer has one of these statuses. */
export function requireStatus(answer: Answer, ...statuses: number[]): void {
  if (statuses.includes(answer.statusCode)) return
  const reason = `The storage refused the upload: ${detailOf(answer)}`
  throw answer.statusCode === 401 || answer.statusCode === 403 ? new AddressExpired(reason) : new FileFailed(reason)
}

/** Characters of an answer in which its code and message are searched: in a long one without ends of elements, that takes minutes. */
const maxDetailChars = 10_000

/** The storage's own code and message, in XML or JSON. */
export function detailOf(answer: Answer): string {
  const text = textOf(answer).slice(0, maxDetailChars)
  const [code, message] = ['code', 'message'].map(
    (name) =>
      new RegExp(`<${name}>(.*?)</${name}>|"${name}"\\s*:\\s*"(.*?)"`, 'is').exec(text)?.slice(1).find(Boolean) ?? '',
  )
  const detail = [code, message].filter(Boolean).join(': ') || text || 'an empty answer'
  return withoutSecrets(`status ${answer.statusCode}, ${detail}`, [])
}
