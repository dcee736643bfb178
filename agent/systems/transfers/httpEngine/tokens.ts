import type { SodaConnection } from '#events/actions/transfers.ts'
import type { Exchange } from './exchange.ts'
import { Token } from './unconfirmed.ts'

/** Tokens are renewed this time before their end, or after half of their time if they are shorter. */
const spareMs = 5 * 60_000

/** The token of a client, which is requested once, however many calls wait for it. */
export function newTokens(
  { clientId, clientSecret }: Pick<SodaConnection, 'clientId' | 'clientSecret'>,
  exchange: Exchange,
  now: () => number,
) {
  let current: { text: string; renewAt: number } | undefined
  let pending: Promise<string> | undefined

  async function renew(signal: AbortSignal): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
    const { access_token: text, expires_in: seconds } = await exchange({
      method: 'POST',
      path: 'oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      read: Token,
      task: 'sign in',
      isSignIn: true,
      secrets: [clientSecret],
      signal,
    })
    const lifetimeMs = seconds * 1_000
    current = { text, renewAt: now() + lifetimeMs - Math.min(spareMs, lifetimeMs / 2) }
    return text
  }

  return {
    async get(signal: AbortSignal): Promise<string> {
      if (current && now() < current.renewAt) return current.text
      pending ??= renew(signal).finally(() => (pending = undefined))
      return pending
    },
    /** Drops a token, unless another call has renewed it. */
    drop(text: string): void {
      if (current?.text === text) current = undefined
    },
  }
}
