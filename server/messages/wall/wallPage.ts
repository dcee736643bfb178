import type { Request, RequestHandler, Response } from 'express'
import { wallCookie, wallPath } from '#events/wall.ts'
import { readCookies, setCookie } from '#server/platform/http/cookies.ts'
import { allowFrames, allowSockets } from '#server/platform/http/headers.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { framesOfSession, signInWall } from './wallTokens.ts'

type Deps = Pick<Platform, 'db' | 'live' | 'log'>

/**
 * The page of a wall display. A token in its URL is exchanged for a cookie, and the browser continues without it, so that
 * no history and no screen shows it. The pages that may frame a display are a setting of its token.
 */
export const wallPage =
  (deps: Deps): RequestHandler =>
  async (req, res, next) => {
    const { token } = req.query
    const { requested, origin } = placeIn(req, res)
    allowSockets(res, [requested, origin])
    try {
      if (typeof token === 'string' && token !== '' && !isPrefetch(req)) return await exchange(deps, req, res, token)
      // The settings show a preview in a frame.
      allowFrames(res, `'self' ${await framesOfSession(deps.db, readCookies(req)[wallCookie])}`.trim())
    } catch (error) {
      // The page itself tries again.
      deps.log.warn({ error }, 'the page of a wall display was sent without its settings')
    }
    next()
  }

/** Ends with a redirect, also for a token that was revoked: the page says so. */
async function exchange(deps: Deps, req: Request, res: Response, token: string): Promise<void> {
  const address = (req.ip ?? '').replace(/^::ffff:/, '')
  const display = { token, address, old: readCookies(req)[wallCookie] }
  try {
    const by = { kind: 'wall', name: 'wall', address } as const
    const { sessionId, frameAncestors } = await change(deps, by, ['wallTokens'], (change) =>
      signInWall(change, display),
    )
    setCookie(req, res, wallCookie, sessionId, { httpOnly: true, isFramed: frameAncestors !== '' })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    setCookie(req, res, wallCookie, '', { httpOnly: true })
  }
  res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
  res.redirect(`${placeIn(req, res).base}${wallPath}${withoutToken(req.url)}`)
}

function withoutToken(url: string): string {
  const search = new URLSearchParams(url.split('?', 2)[1] ?? '')
  search.delete('token')
  return search.size > 0 ? `?${search}` : ''
}

/** Browsers fetch pages in advance, without showing them. */
const isPrefetch = ({ headers }: Request): boolean =>
  [headers['sec-purpose'], headers['purpose']].some((value) => String(value ?? '').includes('prefetch'))
