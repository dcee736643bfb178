import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { findTokenUser } from '#server/platform/callers/apiToken.ts'
import { tokenHeader } from '#server/platform/callers/visitor.ts'
import { againIfSlow, callAsSender, type MountOptions } from '#server/platform/http/mount.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'
import type { Route } from '#server/platform/http/route.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem } from '#server/platform/problem.ts'

/** Maximum body of a message, in bytes. The longest path in a JSON text fits. */
const maxBodyBytes = 256 * 1024
const readBody = express.json({ limit: maxBodyBytes })

/**
 * Answers messages of the Model Context Protocol by streamable HTTP. Every message stands for itself: there are no sessions that
 * a restart, or another server, would not know. Only API tokens are accepted, no cookies.
 */
export function mcp(routes: readonly Route[], frame: MountOptions): RequestHandler {
  const router = Router()
  const enter = admitToken(frame.db)
  router.post('/', checkOrigin, enter, readBody, againIfSlow(enter), checkMessage, answer(routes, frame))
  router.all('/', (_, res) => {
    res.set('Allow', 'POST')
    throw new Problem(405, 'Send messages with POST')
  })
  return router
}

const answer =
  (routes: readonly Route[], frame: MountOptions): RequestHandler =>
  async (req, res) => {
    // The protocol's library is loaded by the first message, since most servers never receive one.
    const { answerMessage } = await import('./answerMessage.ts')
    const { origin, base } = placeIn(req, res)
    const call = callAsSender(routes, frame, { guest: guestOf(res), req, res })
    const { status, text } = await answerMessage(req, call, `${origin}${base}`)
    if (res.headersSent) return
    if (text === '') res.status(status).end()
    else res.status(status).type('json').send(text)
  }

type Guest = Parameters<typeof callAsSender>[2]['guest']
const guestOf = (res: Response): Guest => res.locals['guest'] as Guest

const admitToken =
  (db: Db): RequestHandler =>
  async (req, res, next) => {
    const token = tokenHeader(req)
    res.locals['admittedAt'] = Date.now()
    res.set({ 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' })
    if (token === undefined)
      throw new Problem(401, 'Please send an API token in the header Authorization: Bearer', { code: 'token' })
    res.set('WWW-Authenticate', 'Bearer error="invalid_token"')
    res.locals['guest'] = { ...(await findTokenUser(db, token)), isWall: false } satisfies Guest
    res.removeHeader('WWW-Authenticate')
    next()
  }

/** Refuses messages of pages from elsewhere, as the protocol requires: a name that an attacker controls may resolve to this server. */
const checkOrigin: RequestHandler = (req, res, next) => {
  const { origin } = req.headers
  const { origin: own, requested } = placeIn(req, res)
  if (origin !== undefined && origin !== own && origin !== requested)
    throw new Problem(403, 'Pages of other sites may not send messages', { code: 'cross-site-token' })
  next()
}

/** Several messages in one body would count as one call. */
const checkMessage = (req: Request, _: Response, next: () => void): void => {
  if (!req.is('application/json')) throw new Problem(415, 'Send the body as application/json')
  if (typeof req.body !== 'object' || Array.isArray(req.body)) throw new Problem(400, 'Send one message at a time')
  next()
}
