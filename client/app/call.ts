import {
  type Answer,
  type Call,
  type Endpoint,
  failureOf,
  limitedCode,
  needsConfirmation,
} from '#events/contract/endpoint.ts'
import { ProblemAnswer, type SubError } from '#events/contract/problem.ts'
import { confirmCode, csrfCookie, csrfHeader } from '#events/users/session.ts'
import { basePath } from './place/basePath.ts'

/** A failed API call. `status` is 0 if the server could not be reached. */
export class CallError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly title: string | undefined
  readonly subErrors: SubError[]
  readonly details: string | undefined
  constructor(status: number, message: string, problem: Partial<ProblemAnswer> = {}) {
    super(message)
    this.status = status
    this.code = problem.code
    this.title = problem.title
    this.subErrors = problem.subErrors ?? []
    this.details = problem.debugMessage
  }
}

/**
 * Base URL of calls, and handlers for requests without a session and for those that need a confirmation: `confirm`
 * resolves to false if the user cancels. `refusal`: why the user may not make a call, which is not sent then.
 */
type Transport = {
  base: string
  cookies: () => string
  signedOut: () => void
  confirm: () => Promise<boolean>
  refusal: (endpoint: Endpoint) => string | undefined
}
const transport: Transport = {
  base: basePath,
  cookies: () => document.cookie,
  signedOut: () => {},
  confirm: () => Promise.resolve(false),
  refusal: () => undefined,
}
export const configureCalls = (changes: Partial<Transport>): void => void Object.assign(transport, changes)

/** Calls an endpoint. Throws `CallError`, or the error of `fetch` if the signal aborts it. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Call<E>,
  signal: AbortSignal | null = null,
): Promise<Answer<E>> {
  const response = await answerOf(endpoint, input, signal)
  const answer = await readAnswer(response)
  if (response.ok && !isPage(response)) return answer as Answer<E>
  throw refused(endpoint, input, response, answer)
}

/** Calls an endpoint that returns a file. Throws like `call`. */
export async function download<E extends Endpoint>(endpoint: E, input: Call<E>): Promise<{ name: string; file: Blob }> {
  const response = await answerOf(endpoint, input)
  if (!response.ok || isPage(response)) throw refused(endpoint, input, response, await readAnswer(response))
  return { name: fileNameIn(response.headers.get('content-disposition') ?? ''), file: await response.blob() }
}

/** Calls an endpoint whose body is a file. Throws like `call`. */
export const upload = <E extends Endpoint>(endpoint: E, input: Call<E>, file: Blob): Promise<Answer<E>> =>
  call(endpoint, { ...(input as object), body: file } as never)

/** File name in a response header. A name in Unicode, as of RFC 5987, comes before its form in Latin letters. */
function fileNameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? []
  const [, plain = 'download'] = /filename="?([^";]+)/.exec(disposition) ?? []
  return encoded === undefined ? plain : decodeURIComponent(encoded)
}

/** Sends a request, and again once the user has confirmed who they are, if the server asks for that. */
async function answerOf(endpoint: Endpoint, input: object, signal: AbortSignal | null = null): Promise<Response> {
  const refusal = transport.refusal(endpoint)
  if (refusal !== undefined) throw new CallError(403, refusal, { code: limitedCode })
  const response = await send(endpoint, input, signal)
  const mayAsk = response.status === 403 && needsConfirmation(endpoint, (input as RequestInput).body)
  if (!mayAsk || !(await asksForConfirmation(response)) || !(await transport.confirm())) return response
  return answerOf(endpoint, input, signal)
}

async function asksForConfirmation(response: Response): Promise<boolean> {
  if (isPage(response)) return false
  return ProblemAnswer.safeParse(await readAnswer(response.clone())).data?.code === confirmCode
}

function send(endpoint: Endpoint, input: object, signal: AbortSignal | null): Promise<Response> {
  const { body } = input as RequestInput
  return fetchOrFail(addressOf(endpoint, input), {
    method: endpoint.method,
    // The default in current browsers; Firefox 60 on a wall display sends no cookies without it.
    credentials: 'same-origin',
    headers: headersOf(endpoint, body),
    signal,
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
  })
}

const readAnswer = (response: Response): Promise<unknown> =>
  response.headers.get('content-type')?.includes('json') ? response.json() : response.text()

/** An HTML response comes from a proxy, even with status 200. */
const isPage = (response: Response): boolean => response.headers.get('content-type')?.includes('html') ?? false

function refused(endpoint: Endpoint, input: object, response: Response, answer: unknown): CallError {
  if (response.status === 401 && endpoint.needs !== 'nothing') transport.signedOut()
  return failed(failureOf(endpoint, input as RequestInput), response.status, answer)
}

type RequestInput = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

function addressOf(endpoint: Endpoint, input: object): string {
  const { params = {}, query = {} } = input as RequestInput
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = String(
    new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value])
          .filter((one) => one !== undefined && one !== null)
          .map((one): [string, string] => [name, String(one)]),
      ),
    ),
  )
  return `${transport.base}/api${path}${search && `?${search}`}`
}

function headersOf(endpoint: Endpoint, body: unknown): Record<string, string> {
  const token = endpoint.method === 'GET' ? undefined : cookie(csrfCookie)
  return {
    accept: 'application/json',
    ...(body === undefined
      ? {}
      : { 'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json' }),
    ...(token ? { [csrfHeader]: token } : {}),
  }
}

const cookie = (name: string) =>
  transport
    .cookies()
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

async function fetchOrFail(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new CallError(0, 'An error occurred while trying to communicate with the API')
  }
}

function failed(failure: string, status: number, answer: unknown): CallError {
  const problem = ProblemAnswer.safeParse(answer)
  return problem.success ? new CallError(status, problem.data.message, problem.data) : new CallError(status, failure)
}
