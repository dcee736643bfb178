import { z } from 'zod'
import { endpoint } from './contract/endpoint.ts'

/**
 * A problem of the product itself. `key` is the same each time the same problem is found, and contains no local path.
 * `message` describes the problem and what to do.
 */
const HealthProblem = z.object({ key: z.string(), message: z.string() })
export type HealthProblem = z.infer<typeof HealthProblem>

const at = z.iso.datetime()

/** Events of the stream `health` of the event log. */
export type HealthEvent =
  | { type: 'HealthProblemFound'; at: string; problem: HealthProblem }
  | { type: 'HealthProblemSolved'; at: string; problem: HealthProblem }

const OpenProblem = HealthProblem.extend({ since: at })
export type OpenProblem = z.infer<typeof OpenProblem>

/** Unsolved problems, oldest first. */
export function openProblems(events: readonly HealthEvent[]): OpenProblem[] {
  const open = new Map<string, OpenProblem>()
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
