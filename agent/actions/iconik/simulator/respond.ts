import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, type FaultEffect, Faults } from '#agent/actions/simulator/faults.ts'
import { send } from '#agent/actions/simulator/server.ts'
import { bodyOf } from '#agent/systems/archiware/simulator/server.ts'
import { answerCall, nameOf } from './answerCall.ts'
import type { Iconik } from './contents/iconik.ts'
import type { newRateLimit } from './rateLimit.ts'
import { answerUpload, uploadCallOf } from './uploads/answerUpload.ts'
import { BodyCut } from './uploads/uploadCall.ts'

/**
 * A request, with `***` instead of the token. `call` is its name in faults. The status is 0 while it has no answer, and if its answer was
 * lost. `at` in simulated milliseconds since 1970.
 */
export type RecordedRequest = {
  host: 'api' | 'upload'
  call: string
  method: string
  path: string
  headers: IncomingMessage['headers']
  at: number
  status: number
}

type Options = {
  iconik: Iconik
  limit: ReturnType<typeof newRateLimit>
  onAnswer: ((request: RecordedRequest) => void) | undefined
}

/** Answers requests of both hosts, and records them. */
export function newResponder({ iconik, limit, onAnswer }: Options) {
  const faults = new Faults({ status: 503, body: 'Service Unavailable' })
  const requests: RecordedRequest[] = []
  const parallel = { count: 0, max: 0 }

  const respond = async (host: RecordedRequest['host'], request: IncomingMessage, response: ServerResponse) => {
    const record = recordOf(host, request, iconik)
    requests.push(record)
    parallel.max = Math.max(parallel.max, ++parallel.count)
    response.once('close', () => parallel.count--)
    const effect = faults.take(record.method, record.call)
    if (effect.delayMs) await wait(effect.delayMs, undefined, { ref: false })
    const answer =
      host === 'api' ? await answerApi(iconik, limit, effect, request) : await answerHost(iconik, effect, request)
    if (effect.isLost) return response.destroy()
    record.status = answer.status
    onAnswer?.(record)
    send(response, answer, effect)
  }
  const listenerOf =
    (host: RecordedRequest['host']): RequestListener =>
    (request, response) =>
      void respond(host, request, response).catch((error: unknown) => {
        if (error instanceof BodyCut || response.headersSent) response.destroy()
        else send(response, { status: 500, body: `The simulator failed: ${(error as Error).stack}` })
      })
  return {
    api: listenerOf('api'),
    upload: listenerOf('upload'),
    faults,
    requests,
    maxParallelRequests: () => parallel.max,
  }
}

function recordOf(
  host: RecordedRequest['host'],
  { headers, method = '', url = '' }: IncomingMessage,
  { clock }: Iconik,
) {
  const call = host === 'api' ? nameOf(method, url) : uploadCallOf(url).call
  const shown = { ...headers }
  for (const name of ['auth-token', 'authorization']) if (name in shown) shown[name] = '***'
  return { host, call, method, path: url, headers: shown, at: clock.now(), status: 0 }
}

async function answerApi(
  iconik: Iconik,
  limit: Options['limit'],
  effect: FaultEffect,
  request: IncomingMessage,
): Promise<Answer> {
  const { method = '', url = '', headers } = request
  const header = (name: string) => headers[name]?.toString()
  const body = await bodyOf(request)
  const counted = limit.count(header('auth-token') ?? '')
  if ('refusal' in counted) return counted.refusal
  const answer = effect.answer ?? (await answerCall(iconik, { method, url, header, body }))
  return { ...answer, headers: { 'ratelimit-remaining': String(counted.remaining), ...answer.headers } }
}

/** After a failed request, an address of B2 accepts nothing more. */
async function answerHost(iconik: Iconik, effect: FaultEffect, request: IncomingMessage): Promise<Answer> {
  if (!effect.answer) return answerUpload(iconik, request)
  await request.resume().toArray()
  const token = iconik.uploads.b2Tokens.get(request.headers.authorization ?? '')
  if (token) token.isDead = true
  return effect.answer
}
