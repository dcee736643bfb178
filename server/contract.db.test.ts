import { expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { needs } from '#events/contract/needs.ts'
import { updateEntry } from '#events/tags.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from './app.ts'
import { openApi } from './platform/http/openapi.ts'
import { routesOf } from './serve.ts'
import { asUser, testSession } from './testing.ts'

const platform = await testPlatform()
const routes = routesOf(platform)
const app = createApp(platform, routes)
const declared = declaredCalls()
const nobody = asUser(app, undefined)
const somebody = asUser(app, await testSession(platform.db, []))
const admin = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
/** The address of a call, with a number that nothing has in place of each parameter. */
const addressOf = ({ path }: Endpoint, id = '999999') => `/api${path.replace(/:\w+/g, id)}`
const bodyOf = ({ body }: Endpoint) => (body ? {} : undefined)
const closed = declared.filter((call) => call.needs !== 'nothing')

/** Every call that a file of events/ exports, alone or in a table of calls. */
function declaredCalls(): Endpoint[] {
  const modules = import.meta.glob<object>(['../events/**/*.ts', '!../events/**/*.test.ts'], { eager: true })
  const exported: unknown[] = Object.values(modules).flatMap((module) => Object.values(module))
  return [...exported, ...exported.flatMap((value) => (isObject(value) ? Object.values(value) : []))].filter(isCall)
}
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
function isCall(value: unknown): value is Endpoint {
  return isObject(value) && 'method' in value && 'path' in value && 'needs' in value && 'failure' in value
}

test('every declared call has one handler, and every handler a declaration', () => {
  expect(declared.length).toBeGreaterThan(10)
  expect(routes.map(({ endpoint }) => nameOf(endpoint)).sort()).toEqual(declared.map(nameOf).sort())
  expect(new Set(declared.map(nameOf)).size).toBe(declared.length)
})

test('every call says who may make it and what is said when it fails', () => {
  for (const call of declared) {
    expect(call).toMatchObject({ failure: expect.stringMatching(/\w/), path: expect.stringMatching(/^\/[\w/:-]+$/) })
    expect(Object.keys(needs)).toContain(call.needs)
  }
})

test('every call is in the description of the calls, which is there for anyone', async () => {
  const { body } = await nobody('GET', '/api/docs/openapi.json').expect(200)
  expect(body).toEqual(JSON.parse(JSON.stringify(openApi(routes.map(({ endpoint }) => endpoint)))))
  for (const { method, path } of declared) {
    expect(body.paths[path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase())
  }
  const page = await nobody('GET', '/api/docs').expect(200)
  expect(page.text).toContain('/volumeSettings/{id}')
})

test.each(closed.map((call) => [nameOf(call), call] as const))('%s is for those who are signed in', async (_, call) => {
  const { status, body } = await nobody(call.method, addressOf(call), bodyOf(call))
  expect([status, body]).toEqual([401, { message: 'Please sign in', code: 'sign-in' }])
})

const guarded = closed.filter((call) => needs[call.needs] !== 'signed in')
test.each(guarded.map((call) => [nameOf(call), call] as const))(
  '%s is not for those without the role',
  async (_, call) => {
    const { status, body } = await somebody(call.method, addressOf(call), bodyOf(call))
    expect([status, body]).toEqual([403, { message: 'You may not do this', code: 'permission' }])
  },
)

const changing = declared.filter(({ method }) => method !== 'GET')
test.each(changing.map((call) => [nameOf(call), call] as const))('%s needs the cross-site token', async (_, call) => {
  const { status, body } = await admin(call.method, addressOf(call), bodyOf(call)).set('X-XSRF-TOKEN', 'another')
  expect([status, body.code]).toEqual([403, 'cross-site-token'])
})

const wrong: [string, (call: Endpoint) => boolean, (call: Endpoint) => [string, (string | object | undefined)?]][] = [
  ['a number that is none', ({ path }) => path.includes(':id'), (call) => [addressOf(call, 'x'), bodyOf(call)]],
  ['a page before the first', ({ query }) => takes(query, 'page'), (call) => [`${addressOf(call)}?page=0`]],
  ['a page of endless size', ({ query }) => takes(query, 'size'), (call) => [`${addressOf(call)}?size=1001`]],
  [
    'a day that is none',
    ({ query }) => takes(query, 'indexingDate'),
    (call) => [`${addressOf(call)}?indexingDate=2026-02-30`],
  ],
  ['a body of another type', ({ body }) => body !== undefined, (call) => [addressOf(call), '"text"']],
  ['a body without fields', ({ body }) => body !== undefined, (call) => [addressOf(call), {}]],
]
const takes = (schema: Endpoint['query'], field: string) =>
  schema !== undefined && schema.safeParse({ [field]: {} }).error?.issues.some(({ path }) => path[0] === field) === true

test.each(
  wrong.flatMap(([what, applies, ask]) =>
    declared.filter(applies).map((call) => [nameOf(call), what, call, ask] as const),
  ),
)('%s refuses %s', async (_, __, call, ask) => {
  const [address, body] = ask(call)
  const answer = await admin(call.method, address, body)
  expect(answer.status).toBe(400)
  expect(ProblemAnswer.parse(answer.body)).toEqual(answer.body)
})

/** The calls that say that they take any field in their body. */
const ofAnyBody: readonly Endpoint[] = [updateEntry]
const refusedFields = async ({ method }: Endpoint, address: string, body?: object) => {
  const answer = await admin(method, address, body)
  expect(answer.status).toBe(400)
  return answer.body.subErrors
}
const unknown = { field: 'noSuchField', message: 'is not a parameter of this call' }

test.each(declared.map((call) => [nameOf(call), call] as const))(
  '%s refuses a parameter of no name',
  async (_, call) => {
    const address = `${addressOf(call)}?noSuchField=1`
    expect(await refusedFields(call, address, bodyOf(call))).toContainEqual(unknown)
  },
)

const takesList = ({ body }: Endpoint) =>
  body?.safeParse({}).error?.issues.some((issue) => issue.code === 'invalid_type' && issue.expected === 'array') ===
  true
const ofFields = declared.filter((call) => call.body && !ofAnyBody.includes(call) && !takesList(call))
test.each(ofFields.map((call) => [nameOf(call), call] as const))('%s refuses a field of no name', async (_, call) => {
  expect(await refusedFields(call, addressOf(call), { noSuchField: 1 })).toContainEqual(unknown)
})

const isOfAll = ({ method, path }: Endpoint) => method === 'GET' && !path.includes(':')
const needsWords = ({ query }: Endpoint) => query !== undefined && !query.safeParse({}).success
const lacking = declared.filter((call) => isOfAll(call) && needsWords(call))
test.each(lacking.map((call) => [nameOf(call), call] as const))('%s says what it lacks', async (_, call) => {
  const { status, body } = await admin('GET', addressOf(call))
  expect([status, body.subErrors[0].message]).toEqual([400, 'is required'])
})

const readable = declared.filter((call) => isOfAll(call) && !needsWords(call))
const told = readable.filter(({ download }) => download === undefined)
test.each(told.map((call) => [nameOf(call), call] as const))('%s answers what it declares', async (_, call) => {
  const { status, body, headers } = await admin('GET', addressOf(call))
  expect(status).toBe(200)
  expect(call.answer?.parse(body)).toEqual(body)
  expect(headers['cache-control']).toBe('no-store')
})

const downloads = readable.filter(({ download }) => download !== undefined)
test.each(downloads.map((call) => [nameOf(call), call] as const))('%s answers a file', async (_, call) => {
  const { status, headers } = await admin('GET', addressOf(call))
  expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, call.download])
  expect(headers['content-disposition']).toMatch(/^attachment; filename=[\w.-]+$/)
  expect(headers['cache-control']).toBe('no-store')
})

const ofOne = declared.filter((call) => call.method !== 'PUT' && call.path.includes(':id') && !needsWords(call))
test.each(ofOne.map((call) => [nameOf(call), call] as const))('%s knows what it does not have', async (_, call) => {
  const { status, body } = await admin(call.method, addressOf(call), bodyOf(call))
  expect([status, typeof body.message]).toEqual([404, 'string'])
})
