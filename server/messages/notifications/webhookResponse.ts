import { cleanLine } from '#events/contract/cleanText.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'

export type WebhookResponse = {
  status: number
  text: string
  retryAfter: string | undefined
  location: string | undefined
}

/**
 * Statuses below 500 after which an attempt can succeed: timeout, the attempt before it is still processed, another server, locked,
 * too early, too many requests.
 */
const temporary = [408, 409, 421, 423, 425, 429]
/** Statuses whose `Retry-After` counts. */
const delaying = [429, 503]

/** Teams connectors answer 200 when the message was not delivered. */
const failedConnector = /^Webhook message delivery failed/

/** The problem of a response; undefined if the receiver accepted the webhook. Other 4xx end the delivery. */
export function responseProblem(host: string, response: WebhookResponse, now: number): NotSent | undefined {
  const { text, retryAfter, location } = response
  const status = statusOf(response)
  if (status >= 200 && status < 300) return undefined
  const said = messageOf(text)
  const reason = `${host} answered ${status}${said === '' ? '' : `: ${said}`}`
  if (status >= 300 && status < 400)
    return new NotSent(`${host} answered ${status}; redirects are not followed${newPlace(location)}`)
  const permanent = status >= 400 && status < 500 && !temporary.includes(status)
  const retryAfterMs = delaying.includes(status) ? retryAfterOf(retryAfter, now) : undefined
  return new NotSent(reason, { permanent, isTooLarge: status === 413, retryAfterMs })
}

/** Advice about a redirect. Shows only the origin: the rest of the address may be a secret. */
function newPlace(location = ''): string {
  const { origin = 'null' } = URL.parse(location) ?? {}
  return origin === 'null' ? '' : `. Enter its new address, at ${origin}`
}

function statusOf({ status, text }: WebhookResponse): number {
  if (status !== 200 || !failedConnector.test(text)) return status
  return Number(/\bHTTP error (\d{3})\b/.exec(text)?.[1] ?? 502)
}

/** Milliseconds of a `Retry-After` in seconds or as an HTTP date; undefined if it is missing or unreadable. */
export function retryAfterOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Math.ceil(Number(value) * 1_000)
  const at = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

const maxMessage = 300

/** The receiver's message: a field of its JSON, otherwise its text without markup, on one line. */
function messageOf(text: string): string {
  const plain = jsonMessage(text) ?? text.replace(/<(style|script|head)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
  return cleanLine(plain, maxMessage)
}

function jsonMessage(text: string): string | undefined {
  try {
    const { message, error, detail, description } = JSON.parse(text) as Record<string, unknown>
    const inner = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
    return [message, inner, detail, description].find((one) => typeof one === 'string')
  } catch {
    return undefined
  }
}
