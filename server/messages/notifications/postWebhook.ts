import { createHmac } from 'node:crypto'
import { lookup as lookUp } from 'node:dns'
import { lookup as lookUpNow } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSafe } from 'node:https'
import type { LookupFunction } from 'node:net'
import { cleanLine } from '#events/contract/cleanText.ts'
import type { Role } from '#events/contract/needs.ts'
import { machine } from '#events/node/index.ts'
import { newProxiedAgent, ProxyFailed, proxyFailure } from '#events/node/proxiedAgent.ts'
import { type Proxy, proxyFor } from '#events/node/proxy.ts'
import { productName } from '#server/platform/config.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import { responseProblem, type WebhookResponse } from './webhookResponse.ts'
import { refusedAddress, refusedHost } from './refusedAddresses.ts'

/**
 * `roles` are those of the user who set the address. `type` is the media type of the body, and `signing` the key of its signature.
 * `authority` has the only trusted certificates, if any, and `maxChars` the characters that are read of the response.
 */
export type Webhook = {
  address: string
  key: string
  body: string
  type: string
  signing: Buffer
  roles: readonly Role[]
  headers?: Record<string, string>
  authority?: string | null
  maxChars?: number
}

/** Timeout for the receiver, in milliseconds. Receivers that start on demand take more than ten seconds. */
const defaultTimeoutMs = 20_000

/**
 * Headers of an attempt, as Standard Webhooks defines them: the same id for each attempt, the time of this one in seconds, which
 * receivers accept for five minutes, and the signature of both and the body.
 */
function signatureHeaders({ key, body, signing }: Webhook) {
  const at = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', signing).update(`${key}.${at}.${body}`).digest('base64')
  return { 'Webhook-Id': key, 'Webhook-Timestamp': at, 'Webhook-Signature': `v1,${signature}` }
}

/** Posts a body, and returns the response; `key` is the same for each attempt. Throws `NotSent` unless the receiver accepts it with 2xx. */
export async function postWebhook(
  webhook: Webhook,
  limit = defaultTimeoutMs,
  proxies = machine().proxies,
): Promise<string> {
  const url = new URL(webhook.address)
  const refused = refusedHost(webhook.address, webhook.roles)
  if (refused) throw refusal(refused)
  const proxy = proxyFor(proxies, url)
  if (proxy) await checkKnownAddresses(url, webhook.roles)
  const response = await post(url, webhook, { limit, proxy }).catch((caught: unknown) => {
    const error = proxy ? proxyFailure(caught, proxy, url.host) : caught
    throw error instanceof NotSent ? error : new NotSent(reasonOf(error, url, limit), { cause: error })
  })
  const start = { ...response, text: response.text.slice(0, defaultMaxChars) }
  const problem = responseProblem(url.host, start, Date.now())
  if (problem) throw problem
  return response.text
}

const refusal = (why: string) => new NotSent(`The address of the webhook ${why}`, { permanent: true })

/** A proxy resolves the host itself, so its addresses are checked beforehand, if they are known here. */
async function checkKnownAddresses({ hostname }: URL, roles: readonly Role[]): Promise<void> {
  const found = await lookUpNow(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  const refused = found.map(({ address }) => refusedAddress(address, roles)).find((why) => why !== undefined)
  if (refused) throw refusal(refused)
}

/** Characters that are read of a response by default, and of an error. */
const defaultMaxChars = 4_000

type PostOptions = { limit: number; proxy: Proxy | undefined }

/** On its own connection: one opened by another user's webhook was not checked for this one. */
function post(url: URL, webhook: Webhook, { limit, proxy }: PostOptions): Promise<WebhookResponse> {
  const { key, body, type, roles, authority, maxChars = defaultMaxChars } = webhook
  const { promise, resolve, reject } = Promise.withResolvers<WebhookResponse>()
  const request = url.protocol === 'https:' ? requestSafe : requestPlain
  const headers = {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': key,
    ...signatureHeaders(webhook),
    'User-Agent': productName,
    ...webhook.headers,
  }
  const answered = (answer: IncomingMessage) => {
    const { statusCode: status = 0, headers } = answer
    let text = ''
    const done = () => {
      resolve({ status, text, retryAfter: headers['retry-after'], location: headers.location })
      answer.destroy()
    }
    answer.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.length > maxChars) done()
    })
    answer.on('end', done).on('close', done).on('error', done)
  }
  const way = proxy
    ? { agent: newProxiedAgent(proxy, url.protocol === 'https:') }
    : { agent: false, lookup: lookUpFor(roles) }
  const trusted = authority ? { ca: authority } : {}
  request(url, { method: 'POST', ...way, ...trusted, headers, signal: AbortSignal.timeout(limit) }, answered)
    .on('error', reject)
    .end(body)
  return promise
}

/** Resolves the host once and refuses it if any of its addresses is refused; connects only to checked addresses. */
export const lookUpFor =
  (roles: readonly Role[]): LookupFunction =>
  (host, options, done) =>
    lookUp(host, { ...options, all: true }, (error, found) => {
      const refused = found?.map(({ address }) => refusedAddress(address, roles)).find((why) => why !== undefined)
      const [first] = found ?? []
      if (error) done(error, '')
      else if (refused || !first) done(refusal(refused ?? 'has no host') as Error, '')
      else if (options.all) done(null, found)
      else done(null, first.address, first.family)
    })

/** Reason of a failed connection, for users. `limit` is the timeout in milliseconds. */
export function reasonOf(error: unknown, { host, hostname }: Pick<URL, 'host' | 'hostname'>, limit: number): string {
  if (error instanceof ProxyFailed) return error.message
  const { name, code = '', message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return `${host} did not answer within ${limit / 1_000} seconds`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `There is no host named ${hostname}`
  if (code === 'ECONNREFUSED') return `${host} refused the connection`
  if (code === 'ECONNRESET') return `${host} closed the connection`
  return `${host} could not be reached: ${cleanLine(message.replace(/; if the root CA .*/, ''), 300)}`
}
