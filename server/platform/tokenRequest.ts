import { z } from 'zod'
import { cleanLine } from '#events/contract/cleanText.ts'
import { readOutside } from '#events/contract/readOutside.ts'
import { machine } from '#events/node/index.ts'
import { ProxyFailed } from '#events/node/proxiedAgent.ts'
import type { ProxySettings } from '#events/node/proxy.ts'
import { outgoingFetch } from './outgoingFetch.ts'
import { Problem } from './problem.ts'

/** Milliseconds until a request for a token times out. */
const timeoutMs = 20_000

/** Tokens are printable characters: they become part of headers and commands. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]{1,20000}$/)
  .optional()
const TokenAnswer = z.object({
  access_token: token,
  refresh_token: token,
  /** Seconds. */
  expires_in: z.coerce.number().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
})
type TokenAnswer = z.infer<typeof TokenAnswer>

/** Requests a token by OAuth. Throws 502 if there is no response; `called` is the provider in its message. */
export async function requestToken(
  address: string,
  form: Record<string, string>,
  called: string,
  proxies: ProxySettings = machine().proxies,
): Promise<{ status: number; answer: TokenAnswer }> {
  try {
    const body = new URLSearchParams(form)
    const init: RequestInit = { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }
    const response = await outgoingFetch(address, init, proxies)
    const said: unknown = await response.json().catch(() => undefined)
    return { status: response.status, answer: readOutside(TokenAnswer, said).data ?? {} }
  } catch (error) {
    if (error instanceof ProxyFailed) throw unanswered(error.message)
    // Leaves the error out: it may contain secrets that were sent.
    throw unanswered(`${called} does not answer`)
  }
}

export const unanswered = (message: string): Problem => new Problem(502, message, { code: 'provider' })

/** The provider's reason in one line, without the secrets of the request and the numbers of Microsoft's support. */
export function refusalOf({ error, error_description: description }: TokenAnswer, sent: string[]): string {
  const said = description ?? error ?? 'it gives no sign-in for it'
  const plain = sent.reduce((words, secret) => words.replaceAll(secret, '…'), said)
  return cleanLine(plain.replace(/\s*Trace ID:.*/s, ''), 200).replace(/\.$/, '')
}
