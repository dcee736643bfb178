import { randomBytes } from 'node:crypto'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import type { Readings } from './unconfirmed.ts'

export type Tokens = ReturnType<typeof newTokens>

type TokenOptions = {
  clientId: string
  clientSecret: string
  expirySeconds: number
  now: () => number
  readings: Readings
}

/** Tokens of one client, which expire in simulated time. */
export function newTokens({ clientId, clientSecret, expirySeconds, now, readings }: TokenOptions) {
  const expiries = new Map<string, number>()
  const issue = (): Answer => {
    if (readings.endsOldToken) expiries.clear()
    const token = randomBytes(16).toString('hex')
    expiries.set(token, now() + expirySeconds * 1_000)
    return answered({ access_token: token, token_type: 'Bearer', expires_in: expirySeconds })
  }
  return {
    /** Ends all tokens. */
    expire: () => expiries.clear(),
    /** `POST /oauth/token`, which accepts forms only. */
    request({ headers, body }: SimulatedRequest): Answer {
      const isForm = /^application\/x-www-form-urlencoded(;|$)/.test(headers['content-type'] ?? '')
      if (!isForm) return answered({ error: 'invalid_request' }, 400)
      const form = new URLSearchParams(body)
      if (form.get('grant_type') !== 'client_credentials') return answered({ error: 'unsupported_grant_type' }, 400)
      const isRight = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
      return isRight ? issue() : answered({ error: 'invalid_client' }, 401)
    },
    isValid({ headers }: SimulatedRequest): boolean {
      const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      return (expiries.get(token) ?? 0) > now()
    },
  }
}
