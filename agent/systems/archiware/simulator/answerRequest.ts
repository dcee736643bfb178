import type { Answer } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { refusal } from './answers.ts'
import { callOf } from './calls/call.ts'
import { answerCall, listGroups } from './calls/routes.ts'
import type { P5 } from './contents/p5.ts'

type Account = { user: string; password: string }

/** Answers a request of one account. */
export async function answerRequest(p5: P5, account: Account, request: SimulatedRequest): Promise<Answer> {
  const credentials = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString('base64')}`
  const isByAddress = /^[\d.]+(:\d+)?$|^\[/.test(request.headers.host ?? '')
  if (request.headers.authorization !== credentials || (p5.behavior.needsHostName && isByAddress))
    return refusal(400, 'Wrong username or password.')
  if (request.path === 'rest' && request.method === 'GET') return listGroups()
  const call = callOf(request, p5.behavior)
  return call ? answerCall(p5, call) : { status: 404, body: {} }
}
