import { expect, test } from 'vitest'
import { ScanFailed, StoreBusy } from '../system.ts'
import { type RequestContext, failureIn, Refused } from './failures.ts'

const context: RequestContext = {
  host: 'cluster:8080',
  username: 'scan',
  purpose: 'create a snapshot of /ifs/data',
  privilege: 'ISI_PRIV_SNAPSHOT',
  call: 'POST /platform/1/snapshot/snapshots',
  hasAnswered: true,
  secrets: ['planted'],
}

function failure(statusCode: number, value: unknown, changes: Partial<RequestContext> = {}, headers = {}) {
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  return failureIn({ statusCode, headers, body }, value, { ...context, ...changes })
}
const errors = (code: string, message = 'As said') => ({ errors: [{ code, message }] })

test.each([
  [
    403,
    'AEC_FORBIDDEN',
    /^The user scan is not allowed to create a snapshot of \/ifs\/data \(POST .*\)\. The role .* ISI_PRIV_SNAPSHOT/,
  ],
  [403, 'AEC_INVALID_LICENSE', /^The SnapshotIQ license is missing or has expired\. Activate SnapshotIQ/],
  [403, 'AEC_LIMIT_EXCEEDED', /has reached a limit .* Delete snapshots/],
  [404, 'AEC_NOT_FOUND', /can't create a snapshot of \/ifs\/data: it does not exist/],
  [409, 'AEC_CONFLICT', /another operation is in its way/],
  [400, 'AEC_BAD_REQUEST', /refused to create a snapshot of \/ifs\/data with AEC_BAD_REQUEST/],
  [418, '', /refused .* with status 418/],
])('status %i with %s has its own message', (status, code, sentence) => {
  const error = failure(status, errors(code, 'planted words'))
  expect(error).toBeInstanceOf(Refused)
  expect(error?.message).toMatch(sentence)
  expect(error?.message).toMatch(/OneFS says: … words$/)
})

test('errors inside a success are errors, and transient ones are tried again', () => {
  expect(failure(200, errors('AEC_TRANSIENT'))).toBeInstanceOf(StoreBusy)
  expect(failure(200, errors('AEC_NOT_FOUND'))).toBeInstanceOf(Refused)
  expect(failure(200, { children: [] })).toBe(undefined)
  for (const status of [429, 500, 503]) expect(failure(status, {})).toBeInstanceOf(StoreBusy)
  expect(failure(503, {}, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 })
})

test('a web page means a service that is switched off; one that has worked may return', () => {
  const page = '<!DOCTYPE html><h1>Service Unavailable</h1>'
  const namespace = { call: 'GET /namespace/ifs' }
  expect(failure(503, page, { hasAnswered: false })?.message).toMatch('"Platform-API-External"')
  expect(failure(503, page, { ...namespace, hasAnswered: false })).toBeInstanceOf(ScanFailed)
  expect(failure(200, page, namespace)?.message).toMatch('"RAN"')
  expect(failure(503, page, namespace)).toBeInstanceOf(StoreBusy)
  expect(failure(302, {})?.message).toMatch('redirects requests')
})
