import type { CookieOptions, Request, Response } from 'express'
import type { IncomingMessage } from 'node:http'
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

/** Without `maxAgeMs` the cookie lasts until the browser is closed. */
type CookieSettings = { httpOnly: boolean; maxAgeMs?: number | undefined }

/** Sets a cookie of this site, `Secure` if the request arrived over TLS. */
export function setCookie(req: Request, res: Response, name: string, value: string, settings: CookieSettings): void {
  const { httpOnly, maxAgeMs } = settings
  const options: CookieOptions = { httpOnly, sameSite: 'lax', secure: req.secure, path: '/', encode: String }
  if (value) res.cookie(name, value, { ...options, ...(maxAgeMs !== undefined && { maxAge: maxAgeMs }) })
  else res.clearCookie(name, options)
}

/** The cookies of one request and its response, for handlers that use them. */
export const cookiesOf = (req: Request, res: Response): Cookies => ({
  get: (name) => readCookies(req)[name],
  set: (name, value, maxAgeMs) => setCookie(req, res, name, value, { httpOnly: true, maxAgeMs }),
  remove: (name) => setCookie(req, res, name, '', { httpOnly: true }),
})
