import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { type OpenApi, resolveParameter } from '#server/platform/api-docs/openApi.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { readContract } from '#deploy/openapi/contract.ts'
import { exampleOf } from '#deploy/openapi/exampleOf.ts'
import { oddValue, shown, withOneOdd } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

/** Calls that would end the run, or reach other machines. */
const leftOut: Record<string, string> = {
  'POST /v1/servers/:id/restart': 'restarts the product',
  'POST /login': 'failed sign-ins delay those of the run',
  'POST /logout': 'ends the session of the run',
  'POST /v1/session/confirmation': 'failed confirmations delay those of the run',
  'PUT /currentUserInfo/password': 'changes the password of the run',
  'POST /v1/users/:id/password': 'changes the password of the run',
  'PUT /v1/users/:id': 'may disable the account of the run',
  'DELETE /v1/users/:id': 'may delete the account of the run',
  'DELETE /v1/sessions/own': 'ends the session of the run',
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

/** Every declared call, valid except for one field, parameter or part of its path. */
export async function declaredCalls({ product }: Target): Promise<Fuzzer> {
  const { calls } = await readContract()
  const tried = calls.filter(({ method, path }) => leftOut[`${method} ${path}`] === undefined)
  return {
    async send(random) {
      const call = random.pick(tried)
      const { path, body } = requestOf(random, call)
      const { status, answer } = await product.call(call.method, path, body)
      const input = `${call.method} ${path} ${body === undefined ? '' : shown(body)}`
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

function requestOf(random: Random, call: Endpoint) {
  const example = exampleOf(call)
  const isOddBody = example !== undefined && random.chance(0.7)
  const parts = call.path.match(/:\w+/g) ?? []
  const oddPart = !isOddBody && parts.length > 0 && random.chance(0.5) ? random.pick(parts) : undefined
  const path = call.path.replace(/:\w+/g, (part) =>
    part === oddPart ? written(oddValue(random)) : validPart(random, part),
  )
  const query = !isOddBody && oddPart === undefined && call.query ? `?${oddQuery(random, call)}` : ''
  const body = isOddBody ? withOneOdd(random, example) : example
  return { path: `${path}${query}`, body }
}

const validPart = (random: Random, part: string): string =>
  ({ ':previousDate': '2026-01-01', ':part': 'files', ':month': '2026-10', ':date': '2026-01-01' })[part] ??
  String(1 + random.below(4))

const written = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed().slice(0, 4_000)) ||
  '%20'

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../server/platform/api-docs/openapi.json'), 'utf8'),
) as OpenApi

/** Names of the query parameters of a call. */
function namesOf({ method, path }: Endpoint): string[] {
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  const parameters = operation?.parameters.map((parameter) => resolveParameter(parameter, document)) ?? []
  return parameters.flatMap(({ name, in: place }) => (place === 'query' ? [name] : []))
}

const defaults: Record<string, string> = {
  path: '/',
  storageId: '1',
  volumeId: '1',
  by: 'owner',
  tagToApply: 'x',
  size: '5',
}

/** One odd parameter, next to those that many calls require. */
function oddQuery(random: Random, call: Endpoint): string {
  const known = [...namesOf(call), 'noSuchField']
  const odd = random.pick(known)
  const others = known.filter((name) => name in defaults && name !== odd)
  return [...others.map((name) => `${name}=${defaults[name]}`), `${odd}=${written(oddValue(random))}`].join('&')
}
