import { readContract } from '#deploy/openapi/contract.ts'
import { exampleOf } from '#deploy/openapi/exampleOf.ts'
import { shown, withOneOdd } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

/** Calls that would end the run, or reach other machines. */
const leftOut: Record<string, string> = {
  'POST /v1/servers/:id/restart': 'restarts the product',
  'POST /login': 'failed sign-ins delay those of the run',
  'POST /v1/session/confirmation': 'failed confirmations delay those of the run',
  'PUT /currentUserInfo/password': 'changes the password of the run',
  'POST /v1/users/:id/password': 'changes the password of the run',
  'PUT /v1/users/:id': 'may disable the account of the run',
  'POST /v1/bucket-credentials/check': 'sends a request to Amazon',
  'POST /v1/buckets/check': 'sends a request to Amazon',
  'POST /v1/buckets/names': 'sends a request to Amazon',
  'POST /v1/webhooks/tests': 'sends a request to another machine',
  'POST /v1/emails/tests': 'sends an email',
  'POST /v1/schedules/:id/tests': 'sends an email',
}

/** Failures that say that something outside of the server is not there. */
const causes = [
  /does not answer/i,
  /cannot be reached/i,
  /not available in this version/,
  /No agent answers/,
  /answer can't be used/,
]

/**
 * Every declared call with a body, valid except for one field of it. Sweeps try odd parameters and paths
 * (`deploy/sweeps/testing/hostileQueries.ts`).
 */
export async function declaredCalls({ product }: Target): Promise<Fuzzer> {
  const { calls } = await readContract()
  const tried = calls.flatMap((call) => {
    const example = leftOut[`${call.method} ${call.path}`] === undefined ? exampleOf(call) : undefined
    return example === undefined ? [] : [{ ...call, example }]
  })
  return {
    async send(random) {
      const { method, example, ...call } = random.pick(tried)
      const path = call.path.replace(/:\w+/g, (part) => parts[part] ?? String(1 + random.below(4)))
      const body = withOneOdd(random, example)
      const { status, answer } = await product.call(method, path, body)
      const input = `${method} ${path} ${shown(body)}`
      const isWrong = isSignedOut(answer) || (status >= 500 && !isCause(answer))
      return { input, answer: String(status), ...(isWrong && { wrong: `${status} ${JSON.stringify(answer)}` }) }
    },
  }
}

const isSignedOut = (answer: unknown): boolean => (answer as { code?: string } | undefined)?.code === 'sign-in'

/** True for a failure that another system caused. */
export const isCause = (answer: unknown): boolean => {
  const { message = '', code, debugMessage = '' } = (answer ?? {}) as Record<string, string | undefined>
  const ofOthers = ['provider', 'archiware', 'stornext', 'iconik', 'soda', 'not-available']
  return ofOthers.includes(code ?? '') || causes.some((cause) => cause.test(message) || cause.test(debugMessage))
}

/** Paths of parameters that are no numbers. */
const parts: Record<string, string> = {
  ':previousDate': '2026-01-01',
  ':part': 'files',
  ':month': '2026-10',
  ':date': '2026-01-01',
}
