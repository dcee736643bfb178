import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Answer, type Endpoint, type Input, failureOf } from '#events/contract/endpoint.ts'
import { readInput } from '#events/contract/input.ts'
import { type Role, may } from '#events/contract/needs.ts'
import type { ProblemAnswer } from '#events/contract/problem.ts'
import { unknownFields } from '#events/contract/unknownFields.ts'

/** Text of a downloaded file. */
type FileAnswer = { name: string; text: string }
type AnswerValue<E extends Endpoint> = E extends { download: string } ? FileAnswer : Answer<E>
type Handler<E extends Endpoint> = (input: Input<E>) => AnswerValue<E> | Promise<AnswerValue<E>>

/** Answers to one endpoint. */
export type FakeAnswer = { endpoint: Endpoint; handle: (input: never) => unknown }

/** Failed call with status and body of the response. */
class Refusal extends Error {
  readonly status: number
  readonly problem: ProblemAnswer
  constructor(status: number, problem: ProblemAnswer) {
    super(problem.message)
    this.status = status
    this.problem = problem
  }
}

/** Answers an endpoint with a value, or with the result of a function of the parsed input. */
export const answer = <E extends Endpoint>(
  endpoint: E,
  ...[given]: undefined extends AnswerValue<E>
    ? [given?: AnswerValue<E> | Handler<E>]
    : [given: AnswerValue<E> | Handler<E>]
): FakeAnswer => ({
  endpoint,
  handle: typeof given === 'function' ? (given as Handler<E>) : () => given,
})

/** Fails an endpoint, by default with status 500. */
export const refuse = (endpoint: Endpoint, problem: ProblemAnswer, status = 500): FakeAnswer => ({
  endpoint,
  handle: () => {
    throw new Refusal(status, problem)
  },
})

/** Never answers an endpoint, like a slow server. */
export const hold = (endpoint: Endpoint): FakeAnswer => ({ endpoint, handle: () => new Promise(() => {}) })

/** One page of a list. */
export const pageWith = <T>(elements: T[], total = elements.length) => ({
  elements,
  page: 1,
  total,
  size: 25,
  sort: 'id',
  direction: 'asc' as const,
})

type TableCalls = Record<'list' | 'create' | 'update' | 'remove', Endpoint>
type TableOptions<T> = {
  /** Creates a row from a draft. */
  rowOf: (draft: never, id: number) => T
  /** Answer of the list; a single page by default. */
  listOf?: (rows: T[]) => unknown
}

/** Answers the four calls of a settings table. Rows are kept in `rows`. */
export function tableOf<T extends { id: number }>(
  calls: TableCalls,
  rows: T[],
  { rowOf, listOf = pageWith }: TableOptions<T>,
): FakeAnswer[] {
  type Change = { params: { id: number }; body: never }
  const placeOf = ({ params }: Change) => rows.findIndex(({ id }) => id === params.id)
  return [
    { endpoint: calls.list, handle: () => listOf([...rows]) },
    {
      endpoint: calls.create,
      handle: ({ body }: Change) => {
        const id = 1 + Math.max(0, ...rows.map((row) => row.id))
        rows.push(rowOf(body, id))
        return { id }
      },
    },
    {
      endpoint: calls.update,
      handle: (change: Change) => void rows.splice(placeOf(change), 1, rowOf(change.body, change.params.id)),
    },
    { endpoint: calls.remove, handle: (change: Change) => void rows.splice(placeOf(change), 1) },
  ]
}

/**
 * Replaces `fetch`. Parses requests and checks answers with the schemas of the contract, like the server. `faults`
 * lists invalid calls, and answers that don't match the contract.
 */
export class FakeApi {
  readonly faults = new Set<string>()
  readonly #roles: readonly Role[]
  readonly #answers = new Map<Endpoint, FakeAnswer['handle']>()
  readonly #calls: { endpoint: Endpoint; input: unknown }[] = []
  /** Screen that made the first call. */
  #screen: string | undefined

  constructor(answers: readonly FakeAnswer[], roles: readonly Role[]) {
    this.#roles = roles
    this.answer(...answers)
  }

  /** Adds answers; the last one for an endpoint applies. */
  answer(...answers: readonly FakeAnswer[]): void {
    for (const { endpoint, handle } of answers) this.#answers.set(endpoint, handle)
  }

  /** Inputs of the calls to an endpoint, oldest first. */
  inputs<E extends Endpoint>(endpoint: E): Input<E>[] {
    return this.#calls.filter((call) => call.endpoint === endpoint).map(({ input }) => input as Input<E>)
  }

  readonly fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, searchParams } = new URL(address, location.href)
    const method = init.method ?? 'GET'
    const found = this.#find(method, pathname.replace(/^\/api/, ''))
    this.#screen ??= location.pathname
    // A screen opened by a link belongs to other tests, so its requests stay pending unless the test answers them.
    if (!found && method === 'GET' && location.pathname !== this.#screen) return orAbort(forever(), init.signal)
    if (!found) {
      this.faults.add(`${method} ${pathname} has no answer, at ${location.pathname}${location.search}`)
      return respond(404, { message: 'There is no such page' })
    }
    const { endpoint, params } = found.match
    if (!may(this.#roles, endpoint.needs)) this.faults.add(`${method} ${pathname} needs ${endpoint.needs}`)
    try {
      const input = readRequest(endpoint, params, searchParams, init.body)
      this.#calls.push({ endpoint, input })
      return this.#respond(endpoint, await orAbort(found.handle(input as never), init.signal))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return respond(error.status, error.problem)
    }
  }

  /** Answer with a matching path; paths without parameters have priority. */
  #find(method: string, path: string) {
    const matches = [...this.#answers].flatMap(([endpoint, handle]) => {
      const params = endpoint.method === method ? paramsOf(endpoint.path, path) : undefined
      return params ? [{ match: { endpoint, params }, handle }] : []
    })
    const count = ({ match }: (typeof matches)[number]) => Object.keys(match.params).length
    return matches.toSorted((a, b) => count(a) - count(b))[0]
  }

  #respond(endpoint: Endpoint, given: unknown): Response {
    if (endpoint.download) {
      const { name, text } = given as FileAnswer
      const headers = { 'content-type': endpoint.download, 'content-disposition': `attachment; filename="${name}"` }
      return new Response(text, { headers })
    }
    if (!endpoint.answer) return new Response(null, { status: 204 })
    const fault = faultOf(endpoint.answer, given)
    if (fault !== undefined) this.faults.add(`${endpoint.method} ${endpoint.path}: ${fault}`)
    return respond(200, given)
  }
}

const forever = () => new Promise<never>(() => {})

const respond = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const names = [...template.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const values = new RegExp(`^${template.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(path)
  return values
    ? Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i + 1] ?? '')]))
    : undefined
}

/** Parses a request like the server; throws its `Validation errors`. */
function readRequest(endpoint: Endpoint, params: object, search: URLSearchParams, text: RequestInit['body']) {
  const queried = Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
  const body: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  const read = {
    params: readPart(endpoint.params, params, 'path'),
    query: readPart(endpoint.query, queried, 'query'),
    body: readPart(endpoint.body, body, 'body'),
  }
  const subErrors = [
    ...Object.values(read).flatMap(({ subErrors = [] }) => subErrors),
    ...unknownFields(endpoint.query, queried),
    ...(endpoint.body && !endpoint.record ? unknownFields(endpoint.body, body) : []),
  ]
  if (subErrors.length > 0) throw new Refusal(400, { message: 'Validation errors', subErrors })
  return { params: read.params.data, query: read.query.data, body: read.body.data }
}

const readPart = (schema: z.ZodType | undefined, value: unknown, whole: string) =>
  schema ? readInput(schema, value, whole) : { data: undefined }

/** Reason why an example doesn't match its schema; undefined if it does. */
function faultOf(schema: z.ZodType, given: unknown): string | undefined {
  const sent: unknown = JSON.parse(JSON.stringify(given) ?? 'null')
  const { data, error } = schema.safeParse(sent)
  if (error) return z.prettifyError(error)
  const isComplete = isDeepStrictEqual(JSON.parse(JSON.stringify(data)), sent)
  return isComplete ? undefined : `answers more than it declares: ${JSON.stringify(sent).slice(0, 500)}`
}

/** Rejects like `fetch` when the page aborts the call. */
function orAbort<T>(work: T | Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The call was aborted', 'AbortError'))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    Promise.resolve(work).then(resolve, reject)
  })
}

/** Fails an endpoint with the message that the contract declares. */
export const fail = (endpoint: Endpoint, status = 500): FakeAnswer =>
  refuse(endpoint, { message: failureOf(endpoint) }, status)
