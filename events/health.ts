import { z } from 'zod'
import { endpoint } from './contract/endpoint.ts'

/**
 * A problem of the product itself. `key` is the same each time the same problem is found, and contains no local path.
 * `message` describes the problem and what to do.
 */
const HealthProblem = z.object({ key: z.string(), message: z.string() })
export type HealthProblem = z.infer<typeof HealthProblem>

/** Key of the problem that the clock isn't plausible. An administrator can confirm it. */
export const clockProblem = 'clock'

const at = z.iso.datetime()

/** The server that has the problem; absent if all servers find the same. */
type OfServer = { replica?: string }

/** Events of the stream `health` of the event log. */
export type HealthEvent =
  | { type: 'HealthProblemFound'; at: string; problem: HealthProblem & OfServer }
  | { type: 'HealthProblemSolved'; at: string; problem: HealthProblem }

const OpenProblem = HealthProblem.extend({ since: at })
export type OpenProblem = z.infer<typeof OpenProblem>

/** Unsolved problems, oldest first. */
export function openProblems(events: readonly HealthEvent[]): (OpenProblem & OfServer)[] {
  const open = new Map<string, OpenProblem & OfServer>()
  for (const { type, at, problem } of events) {
    if (type === 'HealthProblemFound') open.set(problem.key, { ...problem, since: at })
    else open.delete(problem.key)
  }
  return [...open.values()]
}

export const healthProblems = endpoint({
  method: 'GET',
  path: '/v1/health/problems',
  needs: 'settings.edit',
  failure: 'Unable to fetch the problems of the product',
  answer: z.array(OpenProblem),
})

/** Confirms the clock of the server, so that deletions, closing of months and sending continue. */
export const confirmClock = endpoint({
  method: 'POST',
  path: '/v1/health/clock',
  needs: 'settings.edit',
  failure: 'Unable to confirm the date of the server',
})
