import { z } from 'zod'
import { type Answer, retryAfterMs, textOf } from '../../http/answer.ts'
import { connectionFailure, withoutSecrets } from '../../http/connectionFailure.ts'
import { RefusedAddress } from '../../http/addresses.ts'
import type { TransportOptions } from '../../http/transport.ts'
import { StoreBusy } from '../../system.ts'
import { SystemAway } from '../../../actions/action.ts'
import { AddressExpired, IconikFailed } from '../failures.ts'
import type { Timing } from '../timing.ts'
import { FileFailed, type Source } from '../../../actions/sourceFile.ts'
import { newUploadTransport, uploadUrl } from './uploadTransport.ts'

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
 * Iconik chooses the address: only PUT and POST by https are sent, and none to an internal address, except where Iconik itself has no TLS or
 * is on an internal address. Throws `FileFailed` for other requests, `StorageAway`, or `IconikFailed` for a certificate that is not trusted.
 */
export function newUploadHost(iconikUrl: string, timing: Timing, options: TransportOptions = {}) {
  const iconik = new URL(iconikUrl)
  const transport = newUploadTransport(iconik, { idleMs: timing.idleMs, ...options })
  return {
    async send(request: UploadRequest, signal: AbortSignal): Promise<Answer> {
      const { host, ...address } = uploadUrl(request, iconik)
      const { length, body } = contentOf(request)
      const headers = { host, 'content-length': String(length), ...request.headers }
      const sent = { ...address, method: request.method, headers, body }
      const { response } = await transport.handle(sent, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        throw failureOf(error, address.hostname)
      })
      const { statusCode: status, headers: received } = response
      if (status < 500 && status !== 408 && status !== 429) return response
      throw new StorageAway(
        `The storage at ${address.hostname} failed: ${detailOf(response)}`,
        retryAfterMs(received['retry-after']),
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
  if (error instanceof RefusedAddress)
    return new FileFailed(`Iconik returned an internal address for the upload, ${host}, which is blocked`)
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

const Code = z.union([z.number(), z.string().regex(/^[\w.-]{1,100}$/)])
const Message = z.string().catch('')
/** Errors in JSON: those of B2 and Azure, and those of Google. */
const JsonError = z
  .union([
    z.object({ code: Code, message: Message }),
    z.object({ error: z.object({ code: Code, message: Message }) }).transform(({ error }) => error),
  ])
  .transform(({ code, message }) => ({ code: String(code), message }))

/** Characters of an answer in which its code and message are searched. */
const maxDetailChars = 10_000

/** The storage's own code and message. Any other text is not shown, because it may be that of another server. */
export function detailOf(answer: Answer): string {
  const text = textOf(answer).slice(0, maxDetailChars).trim()
  const { code, message } = errorInXml(text) ?? errorInJson(text) ?? {}
  const unknown = text === '' ? 'an empty answer' : 'an answer in an unknown format'
  const detail = code === undefined ? unknown : [code, message].filter(Boolean).join(': ')
  return withoutSecrets(`status ${answer.statusCode}, ${detail}`, [])
}

type StorageError = { code: string; message: string }

/** An error of S3, Azure or Google: `<Error><Code>AccessDenied</Code><Message>…`. */
function errorInXml(text: string): StorageError | undefined {
  if (!/^\ufeff?(<\?xml[^>]{0,200}\?>)?\s{0,100}<Error[\s>]/.test(text)) return undefined
  const [code, message = ''] = ['Code', 'Message'].map((name) => {
    const start = text.indexOf(`<${name}>`)
    const end = text.indexOf(`</${name}>`, start)
    return start === -1 || end === -1 ? undefined : text.slice(start + name.length + 2, end)
  })
  return code !== undefined && Code.safeParse(code).success ? { code, message } : undefined
}

function errorInJson(text: string): StorageError | undefined {
  try {
    return JsonError.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
