import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  type Answer,
  type Call,
  type Endpoint,
  failureOf,
  isRefusedWithLimits,
  limitedCode,
  needsConfirmation,
} from '#events/contract/endpoint.ts'
import { type ParsedInput, readInput } from '#events/contract/input.ts'
import { maxSubErrors } from '#events/contract/problem.ts'
import { unknownFields } from '#events/contract/unknownFields.ts'
import { type Bundle, lockedMessages, may } from '#events/contract/needs.ts'
import { isCallBeforeOwnPassword } from '#events/users/accounts.ts'
import { isCallBeforeSecondFactor } from '#events/users/secondFactor.ts'
import { isCallOfWall } from '#events/users/wallAccess.ts'
import { cookiesOf, readCookies, setCookie } from './cookies.ts'
import { type Download, sendDownload, whileScopeStays } from './download.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { Problem, validationErrors } from '#server/platform/problem.ts'
import type { Caller, Route } from './route.ts'
import { runInShare, shareKey } from './shareOfUser.ts'
import { findGuest, type Guest, tokenHeader } from '#server/platform/callers/visitor.ts'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { confirmCode, csrfCookie, csrfHeader } from '#events/users/session.ts'

/**
 * `bundles`: those that are licensed. `checkAnswers`: fails calls whose response differs from their declaration; for
 * tests and development.
 */
export type MountOptions = { db: Db; bundles: readonly Bundle[]; checkAnswers: boolean }

/** Facts about a request for other handlers: its call, the message if it fails, its caller, and when they were admitted. */
export type RequestLocals = { endpoint: Endpoint; failure: string; caller: Caller; admittedAt: number }
type Reply = Response<unknown, Partial<RequestLocals>>

/** Adds the routes to a router; every request is authorized, parsed, handled and answered in the same way. */
export function mount(router: Router, routes: readonly Route[], frame: MountOptions): void {
  for (const route of routes) {
    const verb = route.endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const enter = admit(route.endpoint, frame)
    router[verb](route.endpoint.path, enter, readBody, againIfSlow(enter), answer(route, frame))
  }
}

/** Admits the sender of a body again that took more than a second: the limits may have changed since `admittedAt`. */
export const againIfSlow =
  (enter: RequestHandler): RequestHandler =>
  (req, res, next) =>
    Date.now() - Number(res.locals['admittedAt']) < 1_000 ? next() : enter(req, res, next)

const admit =
  (endpoint: Endpoint, { db, bundles }: MountOptions): RequestHandler =>
  async (req, res: Reply, next) => {
    res.locals.endpoint = endpoint
    res.locals.admittedAt = Date.now()
    res.locals.failure = failureOf(endpoint, { params: req.params })
    const guest = endpoint.needs === 'nothing' ? undefined : await findGuest(db, req)
    if (!guest && endpoint.needs !== 'nothing') {
      if (endpoint.isOptional && req.query['optional'] === 'true') return void res.json(null)
      throw new Problem(401, 'Please sign in', { code: 'sign-in' })
    }
    if (req.method === 'GET' || req.method === 'HEAD') issueCsrfToken(req, res)
    else checkCrossSiteToken(req)
    const caller = admitted(endpoint, guest, bundles, () => callerOf(guest, req, res))
    res.locals.caller = caller
    next()
  }

/** Returns the caller. Throws 403 if they may not make the call. */
function admitted(
  endpoint: Endpoint,
  guest: Guest | undefined,
  bundles: readonly Bundle[],
  caller: () => Caller,
): Caller {
  checkPermission(endpoint, guest)
  checkLicence(endpoint, bundles)
  const by = caller()
  if (endpoint.confirm === true) checkConfirmed(by)
  return by
}

/** Makes declared calls as the sender of a request. */
export type CallAsSender = <E extends Endpoint>(endpoint: E, ...input: InputOf<E>) => Promise<Answer<E>>
type InputOf<E extends Endpoint> = Record<never, never> extends Call<E> ? [Call<E>?] : [Call<E>]

/**
 * Makes calls that only read within the process, with the same checks, limits and errors as by HTTP. Values of queries are
 * sent as text, as in a URL; those that are undefined are left out.
 */
export function callAsSender(
  routes: readonly Route[],
  { db, bundles, checkAnswers }: MountOptions,
  { guest, req, res }: { guest: Guest; req: Request; res: Reply },
): CallAsSender {
  const sender = (res.locals.caller = callerOf(guest, req, res))
  return async <E extends Endpoint>(endpoint: E, ...[input]: InputOf<E>) => {
    const route = routes.find((each) => each.endpoint === endpoint)
    const isReading = endpoint.method === 'GET' || endpoint.isReading
    if (!route || !isReading || endpoint.download) throw new Error(`${endpoint.path} can't be called by another call`)
    const caller = admitted(endpoint, guest, bundles, () => sender)
    const { params = {}, query = {}, body } = (input ?? {}) as Partial<Record<'params' | 'query' | 'body', object>>
    const given = readRequest(endpoint, { params: asWords(params), query: asWords(query), body })
    let answer: unknown
    await runInShare(db, caller, false, async () => {
      answer = await route.handle(given as never, caller, noCookies)
    })
    if (checkAnswers) checkAnswer(endpoint, answer)
    return answer as Answer<E>
  }
}
const noCookies = { get: () => undefined, set: () => {}, remove: () => {} }

const asWords = (values: object): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )

/** A caller without a sign-in, who gets into calls that need nothing. */
const stranger = { id: 0, name: '', roles: [], tokenId: null, mustFirst: null, isConfirmed: false, viewedBy: null }

function callerOf(guest: Guest | undefined, req: Request, res: Response): Caller {
  const { id, name, roles, tokenId, mustFirst, isConfirmed, viewedBy } = guest ?? stranger
  const address = (req.ip ?? '').replace(/^::ffff:/, '')
  const userAgent = req.headers['user-agent'] ?? null
  const signal = disconnectSignal(res)
  return {
    id,
    name,
    roles,
    tokenId,
    mustFirst,
    isConfirmed,
    scope: guest?.scope ?? 'everything',
    viewedBy,
    address,
    userAgent,
    signal,
  }
}

const isCallBefore = { choosePassword: isCallBeforeOwnPassword, setUpSecondFactor: isCallBeforeSecondFactor }
const duties = {
  choosePassword: () => new Problem(403, 'Choose your own password first', { code: 'one-time-password' }),
  setUpSecondFactor: () => new Problem(403, 'Set up a second factor first', { code: 'needs-second-factor' }),
}

function checkPermission(endpoint: Endpoint, guest: Guest | undefined): void {
  if (guest?.isWall) {
    if (!isCallOfWall(endpoint)) throw new Problem(403, 'A wall display may not do this', { code: 'wall' })
  } else if (guest?.mustFirst && !isCallBefore[guest.mustFirst](endpoint)) {
    throw duties[guest.mustFirst]()
  } else if (!may(guest?.roles, endpoint.needs)) {
    throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
  } else if (endpoint.browserOnly && guest && guest.tokenId !== null) {
    throw new Problem(403, 'An API token may not do this', { code: 'browser-only' })
  }
  if (guest) checkLimits(endpoint, guest)
}

/** Throws 403 for a call that limits refuse, and for a change by an administrator who sees the product as another user. */
function checkLimits(endpoint: Endpoint, { scope, viewedBy, name }: Guest): void {
  if (scope !== 'everything' && isRefusedWithLimits(endpoint)) {
    throw new Problem(403, 'This is not available to users who see only some projects and storages', {
      code: limitedCode,
    })
  }
  if (viewedBy !== null && endpoint.method !== 'GET' && !endpoint.isReading)
    throw new Problem(403, `You see what ${name} sees. Nothing can be changed.`, { code: 'view' })
}

/** Throws 403 unless the caller is a browser whose user proved within the last minutes who they are. */
function checkConfirmed({ tokenId, isConfirmed }: Pick<Caller, 'tokenId' | 'isConfirmed'>): void {
  if (tokenId !== null) throw new Problem(403, "API tokens can't grant rights or access", { code: 'browser-only' })
  if (!isConfirmed) throw new Problem(403, "Confirm that it's you, then try again", { code: confirmCode })
}

/** Throws 403 if a bundle is needed and not licensed. */
export function checkLicence({ bundle }: { bundle?: Bundle | undefined }, licensed: readonly Bundle[]): void {
  if (bundle && !licensed.includes(bundle)) throw new Problem(403, lockedMessages[bundle], { code: 'bundle' })
}

function disconnectSignal(res: Response): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('The client disconnected'))
  })
  return controller.signal
}

/** Maximum body size of a call, in bytes: of signed-in callers, and of anyone. */
const maxBodyBytes = 1024 * 1024
/** The same for calls with `hasLargeBody`: thousands of paths. */
const maxLargeBodyBytes = 16 * 1024 * 1024
const maxAnonymousBodyBytes = 10_000
const json = express.json({ limit: maxBodyBytes })
const largeJson = express.json({ limit: maxLargeBodyBytes })
const jsonOfStrangers = express.json({ limit: maxAnonymousBodyBytes })

const readBody: RequestHandler = (req, res: Reply, next) => {
  const { endpoint } = res.locals
  if (!endpoint?.body) return next()
  if (hasBody(req) && !req.is('application/json')) throw new Problem(415, 'Send the body as application/json')
  if (endpoint.needs === 'nothing') jsonOfStrangers(req, res, next)
  else if (endpoint.hasLargeBody) largeJson(req, res, next)
  else json(req, res, next)
}
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const answer =
  ({ endpoint, handle }: Route, { db, checkAnswers }: MountOptions): RequestHandler =>
  async (req, res: Reply) => {
    const caller: Caller = { ...(res.locals.caller as Caller), ...(endpoint.isUpload && { upload: req }) }
    const input = readRequest(endpoint, req)
    if (needsConfirmation(endpoint, input.body)) checkConfirmed(caller)
    res.locals.failure = failureOf(endpoint, { ...input, params: req.params })
    const { download } = endpoint
    await runInShare(db, caller, download !== undefined, async () => {
      const make = async (by = caller) => handle(input as never, by, cookiesOf(req, res))
      if (download) {
        const owner = JSON.stringify([shareKey(caller), caller.roles, caller.scope])
        return whileScopeStays(db, caller, (signal) =>
          sendDownload(res, download, { owner, signal }, () => make({ ...caller, signal }) as Promise<Download>),
        )
      }
      const given = await make()
      // The client of an unresponsive store already has a response.
      if (res.headersSent) return
      if (checkAnswers) checkAnswer(endpoint, given)
      if (endpoint.answer) res.json(given)
      else res.status(204).end()
    })
  }

/**
 * Reports all errors at once, in the path, the query and the body. Undeclared input is an error too: without a
 * misspelled filter the call would do more than intended.
 */
function readRequest({ params, query, body, record }: Endpoint, req: Record<'params' | 'query' | 'body', unknown>) {
  const read = {
    params: readPart(params, req.params, 'path'),
    query: readPart(query, req.query, 'query'),
    body: readPart(body, req.body, 'body'),
  }
  const misread = Object.values(read).flatMap(({ subErrors = [] }) => subErrors)
  const wholeBody = body && record ? z.intersection(body, record) : body
  const unknown = [...unknownFields(query, req.query), ...(wholeBody ? unknownFields(wholeBody, req.body) : [])]
  const wrong = [...misread, ...unknown.filter(({ field }) => misread.every((other) => other.field !== field))]
  if (wrong.length > 0) throw validationErrors(wrong.slice(0, maxSubErrors))
  return { params: read.params.data, query: read.query.data, body: read.body.data }
}

const readPart = (schema: z.ZodType | undefined, value: unknown, whole: string): ParsedInput<unknown> =>
  schema ? readInput(schema, value, whole) : { data: undefined }

/** Compares the response with its declaration; extra fields are errors too, because they may be secrets. */
function checkAnswer({ method, path, answer }: Endpoint, given: unknown): void {
  if (!answer) {
    if (given !== undefined) throw new Error(`${method} ${path} declares no response but returns one`)
    return
  }
  const sent: unknown = JSON.parse(JSON.stringify(given) ?? 'null')
  const declared = answer.safeParse(sent)
  if (!declared.success) throw new Error(`${method} ${path} returned an undeclared response: ${declared.error.message}`)
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(declared.data)), sent)) {
    throw new Error(`${method} ${path} returned more than it declares: ${JSON.stringify(sent).slice(0, 500)}`)
  }
}

/** Sets a cross-site token in the browser, unless it has one. Scripts of this site can read it, others can't. */
function issueCsrfToken(req: Request, res: Response): void {
  if (!readCookies(req)[csrfCookie])
    setCookie(req, res, csrfCookie, randomBytes(32).toString('base64url'), { httpOnly: false })
}

/**
 * Throws 403 unless the header repeats the cookie and the browser, if it reports this, says that the page is ours: a
 * neighbor under the same domain may plant cookies. A call by API token carries its own proof.
 */
function checkCrossSiteToken(req: Request): void {
  if (tokenHeader(req) !== undefined) return
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
