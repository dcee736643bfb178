import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, refusal, Refused } from './answers.ts'
import { callOf } from './calls/call.ts'
import { answerCall, listGroups } from './calls/routes.ts'
import type { P5 } from './contents/p5.ts'
import { newFaults } from './faults.ts'
import { bodyOf, send } from './server.ts'

/** A request. The status is 0 while it has no answer, and if its answer was lost. `at` in simulated milliseconds since 1970. */
export type RecordedRequest = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  at: number
  status: number
}

export type Account = {
  user: string
  password: string
  onAnswer: ((request: RecordedRequest) => void) | undefined
}

/** Answers requests of one account, and records them. */
export function newResponder(p5: P5, { user, password, onAnswer }: Account) {
  const { behavior, clock } = p5
  const { faults, failureOf, losesAnswerOf, dropsRequestOf } = newFaults()
  const requests: RecordedRequest[] = []
  const parallel = { count: 0, max: 0 }
  const credentials = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const record = recordOf(request, clock.now())
    requests.push(record)
    parallel.max = Math.max(parallel.max, ++parallel.count)
    response.once('close', () => parallel.count--)
    const name = `${record.method} ${record.path.replace('/rest/v1/', '')}`
    const body = await bodyOf(request)
    if (dropsRequestOf(name)) return response.destroy()
    const latencyMs = typeof behavior.latencyMs === 'number' ? behavior.latencyMs : behavior.latencyMs(name)
    if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false })
    const { status, body: answered } = failureOf(name) ?? (await answerRequest(p5, credentials, request, body))
    if (losesAnswerOf(name)) return response.destroy()
    record.status = status
    onAnswer?.(record)
    send(response, status, answered, behavior.resetAfterBytes)
  }
  const listener: RequestListener = (request, response) =>
    void respond(request, response).catch((error: unknown) => {
      if (!response.headersSent) send(response, 500, `The simulator failed: ${(error as Error).stack}`)
    })
  return { listener, faults, requests, maxParallelRequests: () => parallel.max }
}

function recordOf({ headers: { authorization: _, ...headers }, method = '', url = '' }: IncomingMessage, at: number) {
  return { method, path: url, headers, at, status: 0 }
}

async function answerRequest(p5: P5, credentials: string, request: IncomingMessage, body: string): Promise<Answer> {
  const isByAddress = /^[\d.]+(:\d+)?$|^\[/.test(request.headers.host ?? '')
  if (request.headers.authorization !== credentials || (p5.behavior.needsHostName && isByAddress))
    return refusal(400, 'Wrong username or password.')
  if (request.url === '/rest' && request.method === 'GET') return listGroups()
  const call = callOf(request, body, p5.behavior)
  if (!call) return { status: 404, body: {} }
  try {
    return await answerCall(p5, call)
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}
