import type { Request, RequestHandler } from 'express'
import { MemoryStore, type Options, ipKeyGenerator, rateLimit } from 'express-rate-limit'
import { sendProblem } from './answerProblems.ts'
import { Problem } from './problem.ts'

/** How many failed sign-ins are let through in a quarter of an hour, before any more are refused unheard. */
export const signInLimits = { nameFromAddress: 10, address: 50, name: 200 }
const minutes = 15

/**
 * Slows down guessing. A name is not locked by its wrong passwords from one address alone, so that nobody can lock
 * another out; only guessing from many addresses does that. Counted in each replica.
 */
export function limitSignIns(limits = signInLimits): RequestHandler[] {
  return [
    limit(limits.address, address),
    limit(limits.nameFromAddress, (req) => `${address(req)} ${nameOf(req)}`),
    limit(limits.name, nameOf),
  ]
}

/** Slows down guessing the password of whoever is signed in, as when trying to change it. */
export const limitOwnPassword = (limits = signInLimits): RequestHandler => limit(limits.nameFromAddress, address)

/** Slows down guessing API tokens: so many wrong ones from an address, and it is not heard with any for a while. */
export function limitTokens({ address: most } = signInLimits): RequestHandler {
  const failures = new MemoryStore()
  failures.init({ windowMs: minutes * 60_000 } as Options)
  return async (req, res, next) => {
    if (!req.headers.authorization) return next()
    const key = address(req)
    const { totalHits = 0 } = (await failures.get(key)) ?? {}
    if (totalHits >= most) return sendProblem(res.set('Retry-After', String(minutes * 60)), tooMany)
    res.once('finish', () => res.statusCode === 401 && void failures.increment(key))
    next()
  }
}

const address = (req: Request): string => ipKeyGenerator(req.ip ?? '')

const nameOf = ({ body }: Request): string => {
  const name: unknown = (body as { name?: unknown } | undefined)?.name
  return typeof name === 'string' ? name.trim().slice(0, 255).toLowerCase() : ''
}

const limit = (most: number, keyGenerator: (req: Request) => string): RequestHandler =>
  rateLimit({
    limit: most,
    windowMs: minutes * 60_000,
    keyGenerator,
    skipSuccessfulRequests: true,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: (_, res) => sendProblem(res, tooMany),
  })

const tooMany = new Problem(429, `Too many failed sign-ins. Try again in ${minutes} minutes`, {
  code: 'too-many-sign-ins',
})
