import { randomUUID } from 'node:crypto'
import type { ErrorRequestHandler, Response } from 'express'
import type { Log } from './log.ts'
import type { Admitted } from './mount.ts'
import { Problem, problemAnswer } from './problem.ts'
import { isLostRace, isRefusedValue, isStoreLost } from './storeError.ts'

type Around = { log: Log; downStores: () => Promise<string[]> }

/** The one place where an error becomes an answer; what nobody expected is logged and told without its insides. */
export const answerProblems =
  ({ log, downStores }: Around): ErrorRequestHandler =>
  async (error: unknown, req, res: Response<unknown, Partial<Admitted>>, _) => {
    if (res.locals.caller?.gone.aborted) return
    if (res.headersSent) {
      // Whoever has a part of it must not take it for the whole.
      log.error({ err: error, method: req.method, path: req.path }, 'an answer broke off')
      return void req.socket.destroy()
    }
    const { failure = 'Something went wrong' } = res.locals
    const problem = asProblem(error) ?? (await storeProblem(error, downStores))
    if (problem) return sendProblem(res, problem)
    const reference = randomUUID()
    log.error({ err: error, reference, method: req.method, path: req.path }, 'a call failed unexpectedly')
    res.status(500).json({ message: failure, code: 'unexpected', debugMessage: `The log has it as ${reference}` })
  }

/** Answers with a problem. */
export function sendProblem(res: Response, problem: Problem): void {
  if (problem.status === 503) res.set('Retry-After', '5')
  res.status(problem.status).json(problemAnswer(problem))
}

/** Problems as they are, what express and its body reader refuse, and values that Postgres refuses. */
function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (isRefusedValue(error)) return new Problem(400, 'The request holds a value that cannot be stored')
  if (isLostRace(error)) return new Problem(409, 'Somebody changed the same at this moment; try again')
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
  'encoding.unsupported': 'The encoding of the body is not known',
  'charset.unsupported': 'The body must be UTF-8',
}

/** An error while a store is down is that store's, whatever form it takes. */
async function storeProblem(error: unknown, downStores: Around['downStores']): Promise<Problem | undefined> {
  const down = await downStores()
  if (down.length === 0 && !isStoreLost(error)) return undefined
  const reason = down.length > 0 ? `${down.join(' and ')} cannot be reached` : 'a store was interrupted'
  return new Problem(503, `Not available right now: ${reason}`, { code: 'store-down', cause: error })
}
