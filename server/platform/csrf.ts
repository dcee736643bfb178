import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { csrfCookie, csrfHeader } from '#events/session.ts'
import { readCookies, setCookie } from './cookies.ts'
import { Problem } from './problem.ts'

/** Gives the browser a cross-site token, unless it has one. Scripts of this site can read it, others cannot. */
export function giveCrossSiteToken(req: Request, res: Response): void {
  if (!readCookies(req)[csrfCookie]) setCookie(req, res, csrfCookie, randomBytes(32).toString('base64url'), false)
}

/**
 * Throws 403 unless the header repeats the cookie and the browser, where it tells, says that the page asking is ours:
 * a neighbour under the same domain may plant cookies. A call with an `Authorization` header carries its own proof.
 */
export function checkCrossSiteToken(req: Request): void {
  if (req.headers.authorization) return
  const from = req.headers['sec-fetch-site'] ?? 'same-origin'
  const isOurs = from === 'same-origin' || from === 'none'
  if (!isOurs || !same(req.get(csrfHeader) ?? '', readCookies(req)[csrfCookie] ?? '')) {
    throw new Problem(403, 'The cross-site token is missing or wrong', { code: 'cross-site-token' })
  }
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && a.length >= 32 && timingSafeEqual(a, b)
}
