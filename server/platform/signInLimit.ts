import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator, rateLimit } from 'express-rate-limit'
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
  const address = (req: Request) => ipKeyGenerator(req.ip ?? '')
  return [
    limit(limits.address, address),
    limit(limits.nameFromAddress, (req) => `${address(req)} ${nameOf(req)}`),
    limit(limits.name, nameOf),
  ]
}

const nameOf = ({ body }: Request): string => {
  const name: unknown = (body as { name?: unknown } | undefined)?.name
  return typeof name === 'string' ? name.trim().slice(0, 255) : ''
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
