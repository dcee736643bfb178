import type { CookieOptions, Request, Response } from 'express'
import { z } from 'zod'
import { ownPath } from '#events/users/session.ts'
import { readCookies } from '#server/platform/http/cookies.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'

const KeptAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectTo: z.string().transform(ownPath),
})
type KeptAttempt = z.output<typeof KeptAttempt>

const minutes = 10
/** Several pages of a browser may sign in at once: each attempt has its own cookie, named by its state. */
const nameOf = (state: string): string => `SIGN_IN_${state}`
function options(req: Request, res: Response): CookieOptions {
  const { base, isSecure } = placeIn(req, res)
  return { httpOnly: true, sameSite: 'lax', secure: isSecure, path: `${base}/api/oidc`, encode: String }
}

/** Stores in the browser the values that the provider's response must match. */
export function keepAttempt(req: Request, res: Response, attempt: KeptAttempt): void {
  const kept = Buffer.from(JSON.stringify(attempt)).toString('base64url')
  res.cookie(nameOf(attempt.state), kept, { ...options(req, res), maxAge: minutes * 60_000 })
}

/** Returns the attempt of a provider's response and ends it; undefined if this browser didn't start it. */
export function takeAttempt(req: Request, res: Response): KeptAttempt | undefined {
  const { state } = req.query
  if (typeof state !== 'string' || !/^[\w-]{20,200}$/.test(state)) return undefined
  const kept = readCookies(req)[nameOf(state)]
  if (!kept) return undefined
  res.clearCookie(nameOf(state), options(req, res))
  try {
    return KeptAttempt.parse(JSON.parse(Buffer.from(kept, 'base64url').toString()))
  } catch {
    return undefined
  }
}
