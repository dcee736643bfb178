import { expect, test } from 'vitest'
import { retryDelayMs } from './outbox.ts'
import { responseProblem, retryAfterOf } from './webhookResponse.ts'

const now = Date.parse('2026-11-27T10:00:00Z')
const problem = (status: number, text = '', retryAfter?: string, location?: string) => {
  const found = responseProblem('hooks.test', { status, text, retryAfter, location }, now)
  return found && [found.message, found.permanent, found.retryAfterMs]
}

test('a rejection of the body or the address is permanent, with the receiver’s message', () => {
  expect(problem(204)).toBeUndefined()
  expect(problem(400, 'no_text')).toEqual(['hooks.test answered 400: no_text', true, undefined])
  expect(problem(404, '{"message": "Unknown Webhook", "code": 10015}')).toEqual([
    'hooks.test answered 404: Unknown Webhook',
    true,
    undefined,
  ])
  expect(problem(400, '{"error": {"message": "Bad payload"}}')?.[0]).toBe('hooks.test answered 400: Bad payload')
  const page = '<html><head><title>x</title></head><body><h1>Gone</h1>\n<p>No hook</p></body></html>'
  expect(problem(410, page)?.[0]).toBe('hooks.test answered 410: Gone No hook')
  expect(problem(422, 'x'.repeat(5_000))?.[0]?.toString().length).toBeLessThan(350)
  for (const status of [408, 409, 421, 423, 425, 429, 500, 502, 503, 504]) expect(problem(status)?.[1]).toBe(false)
  expect(problem(302, 'moved')).toEqual(['hooks.test answered 302; redirects are not followed', false, undefined])
})

test('a redirect names the place to enter, without what may be a secret', () => {
  const reason = 'hooks.test answered 308; redirects are not followed'
  expect(problem(308, '', undefined, 'https://new.test:8443/hooks/secret')?.[0]).toBe(
    `${reason}. Enter its new address, at https://new.test:8443`,
  )
  for (const other of ['/elsewhere', 'mailto:a@b.test', undefined])
    expect(problem(308, '', undefined, other)?.[0]).toBe(reason)
})

test('a Teams connector that reports a failure with 200 did not accept the message', () => {
  const text = (status: number) =>
    `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`
  expect(problem(200, text(429))?.slice(1)).toEqual([false, undefined])
  expect(problem(200, text(400))?.[1]).toBe(true)
  expect(problem(200, '1')).toBeUndefined()
})

test('Retry-After counts for 429 and 503, in seconds or as a date', () => {
  expect(problem(429, '', '120')?.[2]).toBe(120_000)
  expect(problem(503, '', 'Fri, 27 Nov 2026 10:05:00 GMT')?.[2]).toBe(300_000)
  expect(problem(500, '', '120')?.[2]).toBeUndefined()
  expect(retryAfterOf('0.35', now)).toBe(350)
  expect(retryAfterOf('Fri, 27 Nov 2026 09:00:00 GMT', now)).toBe(0)
  for (const odd of ['', 'soon', '-5', '5 minutes']) expect(retryAfterOf(odd, now)).toBeUndefined()
})

test('the receiver’s delay replaces ours, within limits, and calls no receiver every second', () => {
  const second = 1_000
  const hour = 3_600 * second
  expect([retryDelayMs(1, undefined), retryDelayMs(4, undefined)]).toEqual([60 * second, hour])
  expect([retryDelayMs(1, 7 * second), retryDelayMs(3, 7 * second)]).toEqual([7 * second, 7 * second])
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1e12)]).toEqual([second, 4 * hour])
  expect(retryDelayMs(5, 7 * second)).toBe(4 * hour)
})
