import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { type Endpoint, failureOf } from '#events/endpoint.ts'
import { type Read, readInput } from '#events/input.ts'
import { type Bundle, lockedMessages, may } from '#events/needs.ts'
import { isCallBeforeOwnPassword } from '#events/users.ts'
import { isCallOfWall } from '#events/wall.ts'
import { cookiesOf } from './cookies.ts'
import { checkCrossSiteToken, giveCrossSiteToken } from './csrf.ts'
import { sendDownload, type Download } from './download.ts'
import type { Db } from './postgres.ts'
import { Problem, validationErrors } from './problem.ts'
import type { Caller, Route } from './route.ts'
import { type Guest, findGuest } from './visitor.ts'

/**
 * `bundles`: those that are licensed. `checkAnswers`: an answer that is not what its call declares fails the call; for
 * tests and development.
 */
export type Frame = { db: Db; bundles: readonly Bundle[]; checkAnswers: boolean }

/** What the rest of the frame knows of a request: the call it makes, what is said when that fails, and who makes it. */
export type Admitted = { endpoint: Endpoint; failure: string; caller: Caller }
type Reply = Response<unknown, Partial<Admitted>>

/** Puts the routes into a router; each request is admitted, read, handled and answered in the same way. */
export function mount(router: Router, routes: readonly Route[], frame: Frame): void {
  for (const route of routes) {
    const verb = route.endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    router[verb](route.endpoint.path, admit(route.endpoint, frame), readBody, answer(route, frame))
  }
}

const admit =
  (endpoint: Endpoint, { db, bundles }: Frame): RequestHandler =>
  async (req, res: Reply, next) => {
    res.locals.endpoint = endpoint
    res.locals.failure = failureOf(endpoint, { params: req.params })
    const guest = endpoint.needs === 'nothing' ? undefined : await findGuest(db, req)
    if (!guest && endpoint.needs !== 'nothing') throw new Problem(401, 'Please sign in', { code: 'sign-in' })
    if (req.method === 'GET' || req.method === 'HEAD') giveCrossSiteToken(req, res)
    else checkCrossSiteToken(req)
    checkPermission(endpoint, guest)
    checkLicence(endpoint, bundles)
    const address = (req.ip ?? '').replace(/^::ffff:/, '')
    const { id = 0, name = '', roles = [], mustChangePassword = false } = guest ?? {}
    const userAgent = req.headers['user-agent'] ?? null
    res.locals.caller = { id, name, roles, address, userAgent, mustChangePassword, gone: goneSignal(res) }
    next()
  }

function checkPermission(endpoint: Endpoint, guest: Guest | undefined): void {
  if (guest?.isWall) {
    if (!isCallOfWall(endpoint)) throw new Problem(403, 'A wall display may not do this', { code: 'wall' })
  } else if (guest?.mustChangePassword && !isCallBeforeOwnPassword(endpoint)) {
    throw new Problem(403, 'Choose a password of your own first', { code: 'one-time-password' })
  } else if (!may(guest?.roles, endpoint.needs)) {
    throw new Problem(403, 'You may not do this', { code: 'permission' })
  }
}

function checkLicence({ bundle }: Endpoint, licensed: readonly Bundle[]): void {
  if (bundle && !licensed.includes(bundle)) throw new Problem(403, lockedMessages[bundle], { code: 'bundle' })
}

function goneSignal(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('The caller went away'))
  })
  return controller.signal
}

/** The largest body that a call takes, in bytes. */
const largestBody = 1024 * 1024
const json = express.json({ limit: largestBody })

const readBody: RequestHandler = (req, res: Reply, next) => {
  if (!res.locals.endpoint?.body) return next()
  if (hasBody(req) && !req.is('application/json')) throw new Problem(415, 'Send the body as application/json')
  json(req, res, next)
}
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const answer =
  ({ endpoint, handle }: Route, { checkAnswers }: Frame): RequestHandler =>
  async (req, res: Reply) => {
    const caller = res.locals.caller as Caller
    const asked = readRequest(endpoint, req)
    res.locals.failure = failureOf(endpoint, { ...asked, params: req.params })
    const given = await handle(asked as never, caller, cookiesOf(req, res))
    if (endpoint.download) return sendDownload(res, endpoint.download, given as Download, caller.gone)
    if (checkAnswers) checkAnswer(endpoint, given)
    if (endpoint.answer) res.json(given)
    else res.status(204).end()
  }

/** All that is wrong is named at once, whether it stands in the path, the query or the body. */
function readRequest({ params, query, body }: Endpoint, req: Request) {
  const read = {
    params: readPart(params, req.params, 'path'),
    query: readPart(query, req.query, 'query'),
    body: readPart(body, req.body, 'body'),
  }
  const wrong = Object.values(read).flatMap(({ subErrors = [] }) => subErrors)
  if (wrong.length > 0) throw validationErrors(wrong)
  return { params: read.params.data, query: read.query.data, body: read.body.data }
}

const readPart = (schema: z.ZodType | undefined, value: unknown, whole: string): Read<unknown> =>
  schema ? readInput(schema, value, whole) : { data: undefined }

/** Compares what would cross the wire with what is declared; more than that is wrong too, for it may be a secret. */
function checkAnswer({ method, path, answer }: Endpoint, given: unknown): void {
  if (!answer) {
    if (given !== undefined) throw new Error(`${method} ${path} declares no answer but gives one`)
    return
  }
  const sent: unknown = JSON.parse(JSON.stringify(given) ?? 'null')
  const declared = answer.safeParse(sent)
  if (!declared.success)
    throw new Error(`${method} ${path} answers what it does not declare: ${declared.error.message}`)
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(declared.data)), sent)) {
    throw new Error(`${method} ${path} answers more than it declares: ${JSON.stringify(sent).slice(0, 500)}`)
  }
}
