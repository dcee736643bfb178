import type { CookieOptions, Request, Response } from 'express'
import type { IncomingMessage } from 'node:http'
import { placeIn } from './place/placeIn.ts'
import type { Cookies } from './route.ts'

/**
 * Reads the cookies of a request; for duplicate names the first counts, because browsers send the more specific one
 * first.
 */
export function readCookies({ headers }: IncomingMessage): Partial<Record<string, string>> {
  const found: Partial<Record<string, string>> = Object.create(null)
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0) found[pair.slice(0, at).trim()] ??= pair.slice(at + 1).trim()
  }
  return found
}

/**
 * Without `maxAgeMs` the cookie lasts until the browser is closed. One that `isFramed` is also sent by a page in a frame
 * of another site, which browsers only allow over TLS.
 */
type CookieSettings = { httpOnly: boolean; maxAgeMs?: number | undefined; isFramed?: boolean }

/** Sets a cookie of this product's pages, `Secure` if the request arrived over TLS. */
export function setCookie(req: Request, res: Response, name: string, value: string, settings: CookieSettings): void {
  const { httpOnly, maxAgeMs, isFramed = false } = settings
  const { base, isSecure } = placeIn(req, res)
  const scope: CookieOptions = isFramed && isSecure ? { sameSite: 'none', partitioned: true } : { sameSite: 'lax' }
  const options: CookieOptions = { httpOnly, ...scope, secure: isSecure, path: base || '/', encode: String }
  if (value) res.cookie(name, value, { ...options, ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }) })
  else res.clearCookie(name, options)
}

/** The cookies of one request and its response, for handlers that use them. */
export const cookiesOf = (req: Request, res: Response): Cookies => ({
  get: (name) => readCookies(req)[name],
  set: (name, value, maxAgeMs) => setCookie(req, res, name, value, { httpOnly: true, maxAgeMs }),
  remove: (name) => setCookie(req, res, name, '', { httpOnly: true }),
})
