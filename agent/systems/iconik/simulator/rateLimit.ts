import type { Answer } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { answerCall } from './answerCall.ts'
import type { Iconik } from './contents/iconik.ts'

/** Limit of requests within a window of simulated time, for each token. */
export function newRateLimit(iconik: Iconik) {
  const { behavior, readings, clock } = iconik
  const times = new Map<string, number[]>()
  let refused = 0
  const refusal = (retryAfterMs: number): Answer => {
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
    const date = new Date(clock.now() + seconds * 1_000).toUTCString()
    const value = { seconds: String(seconds), date, none: undefined }[readings.retryAfter]
    const headers = { 'ratelimit-remaining': '0', ...(value === undefined ? {} : { 'retry-after': value }) }
    return { status: 429, body: { errors: ['Too many requests'] }, headers }
  }
  return {
    /** The next requests get status 429. */
    refuseNext: (count: number) => void (refused = count),
    /** Counts a request. Answers it with the number of requests that remain, or refuses it. */
    async answer(request: SimulatedRequest): Promise<Answer> {
      const token = String(request.headers['auth-token'])
      const recent = (times.get(token) ?? []).filter((time) => time > clock.now() - behavior.limitWindowMs)
      times.set(token, recent)
      if (refused > 0) {
        refused--
        return refusal(1_000)
      }
      const [first = 0] = recent
      if (recent.length >= behavior.limitRequests) return refusal(first + behavior.limitWindowMs - clock.now())
      recent.push(clock.now())
      const remaining = String(behavior.limitRequests - recent.length)
      const answer = await answerCall(iconik, request)
      return { ...answer, headers: { 'ratelimit-remaining': remaining, ...answer.headers } }
    },
  }
}
