import { randomUUID } from 'node:crypto'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { ownerFilesPath } from '#events/policies/ownerFiles.ts'
import type { Log } from '#server/platform/logger.ts'
import type { RequestLocals } from './mount.ts'
import { Problem, problemAnswer } from '#server/platform/problem.ts'
import { isLostRace, isRefusedValue, isStoreLost } from '#server/platform/storeErrors.ts'

type ErrorContext = { log: Log; downStores: () => Promise<string[]> }

/** The one place that turns errors into responses; unexpected errors are logged and sent without details. */
export const answerProblems =
  ({ log, downStores }: ErrorContext): ErrorRequestHandler =>
  async (error: unknown, req, res: Response<unknown, Partial<RequestLocals>>, _) => {
    if (res.locals.caller?.signal.aborted || res.writableEnded) return
    if (res.headersSent) {
      // The client has received a part of the response and must not take it for the whole.
      log.error({ err: error, method: req.method, path: shownPath(req) }, 'a response was interrupted')
      return void req.socket.destroy()
    }
    const { failure = 'Something went wrong' } = res.locals
    const problem = asProblem(error) ?? (await storeProblem(error, downStores))
    if (problem) return sendProblem(res, problem)
    const reference = randomUUID()
    log.error({ err: error, reference, method: req.method, path: shownPath(req) }, 'a call failed unexpectedly')
    res.status(500).json({ message: failure, code: 'unexpected', debugMessage: `The log lists it as ${reference}` })
  }

/** The path of a request, without the secret of a link to an owner's files. */
const shownPath = ({ path }: Request): string => path.replace(new RegExp(`(${ownerFilesPath}).*`), '$1…')

/**
 * Answers a call that waits for an unresponsive store, instead of waiting as long as the store does: checks for stores
 * that are down `everyMs` after the start, and then repeatedly.
 */
export const answerWhenStoresHang =
  (downStores: ErrorContext['downStores'], everyMs: number): RequestHandler =>
  (_, res, next) => {
    const look = async () => {
      const down = res.headersSent ? [] : await downStores()
      if (down.length > 0 && !res.headersSent) sendProblem(res, storesDown(down))
    }
    const timer = setInterval(() => void look(), everyMs)
    res.once('close', () => clearInterval(timer))
    next()
  }

function sendProblem(res: Response, problem: Problem): void {
  const seconds = problem.retryAfterSeconds ?? (problem.status === 503 ? 5 : undefined)
  if (seconds !== undefined) res.set('Retry-After', String(seconds))
  res.status(problem.status).json(problemAnswer(problem))
}

/** Converts problems, errors of express and its body parser, and values rejected by Postgres. Undefined for other errors. */
export function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (isRefusedValue(error)) return new Problem(400, 'The request holds a value that cannot be stored')
  if (isLostRace(error)) return new Problem(409, 'Someone else changed this at the same moment; try again')
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown }
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  return new Problem(
    status,
    refusals[String(type)] ?? (status === 404 ? 'There is no such page' : 'The request is malformed'),
  )
}

const refusals: Record<string, string> = {
  'entity.parse.failed': 'The body is not valid JSON',
  'entity.too.large': 'The body is too large',
  'encoding.unsupported': 'The encoding of the body is not supported',
  'charset.unsupported': 'The body must be UTF-8',
}

/** While a store is down, attributes any error to that store. */
async function storeProblem(error: unknown, downStores: ErrorContext['downStores']): Promise<Problem | undefined> {
  const down = await downStores()
  if (down.length === 0 && !isStoreLost(error)) return undefined
  return storesDown(down, error)
}

function storesDown(down: string[], cause?: unknown): Problem {
  const reason = down.length > 0 ? `${down.join(' and ')} cannot be reached` : 'a store was interrupted'
  return new Problem(503, `Not available right now: ${reason}`, { code: 'store-down', cause })
}
