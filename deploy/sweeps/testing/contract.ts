import { expect, test } from 'vitest'
import { z } from 'zod'
import { configurationNames, configurations } from '#events/configurations.ts'
import { type Endpoint, needsConfirmation } from '#events/contract/endpoint.ts'
import { needs } from '#events/contract/needs.ts'
import { notifications } from '#events/notifications/calls.ts'
import { updateEntry } from '#events/tags.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { asUser } from '#server/testing.ts'
import { addressOf, type AllCalls, bodyOf, named, nameOf } from './allCalls.ts'

type Input = readonly [
  name: string,
  applies: (call: Endpoint) => boolean,
  request: (call: Endpoint) => [string, (string | object | undefined)?],
]

/** Calls whose fields all have defaults. */
const ofDefaults: readonly Endpoint[] = [notifications.create, notifications.update]

/** Input that every call that takes it refuses. */
const wrongInput: readonly Input[] = [
  ['a number that is none', ({ path }) => path.includes(':id'), (call) => [addressOf(call, 'x'), bodyOf(call)]],
  ['a page before the first', ({ query }) => takes(query, 'page'), (call) => [`${addressOf(call)}?page=-1`]],
  ['a page of endless size', ({ query }) => takes(query, 'size'), (call) => [`${addressOf(call)}?size=1001`]],
  [
    'a day that is none',
    ({ query }) => takes(query, 'indexingDate'),
    (call) => [`${addressOf(call)}?indexingDate=2026-02-30`],
  ],
  ['a body of another type', ({ body }) => body !== undefined, (call) => [addressOf(call), '"text"']],
  [
    'a body without fields',
    (call) => call.body !== undefined && !ofDefaults.includes(call),
    (call) => [addressOf(call), {}],
  ],
]
const takes = (schema: Endpoint['query'], field: string) =>
  schema !== undefined && schema.safeParse({ [field]: {} }).error?.issues.some(({ path }) => path[0] === field) === true

/** Calls that accept any field in their body. */
const ofAnyBody: readonly Endpoint[] = [updateEntry]
const takesList = ({ body }: Endpoint) =>
  body?.safeParse({}).error?.issues.some((issue) => issue.code === 'invalid_type' && issue.expected === 'array') ===
  true
const isOfAll = ({ method, path }: Endpoint) => method === 'GET' && !path.includes(':')
const needsQuery = ({ query }: Endpoint) => query !== undefined && !query.safeParse({}).success

/** Tests that every declared call has a handler, refuses wrong input by name and answers what it declares. */
export function testContract({ app, routes, admin }: AllCalls): void {
  const declared = declaredCalls()
  testDeclarations(declared, routes)
  testConfirmations(declared)

  test('every call is in the description of the calls, which is there for anyone', async () => {
    const nobody = asUser(app, undefined)
    const { body } = await nobody('GET', '/api/docs/openapi.json').expect(200)
    for (const { method, path } of declared) {
      expect(body.paths[path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase())
    }
    const page = await nobody('GET', '/api/docs').expect(200)
    expect(page.text).toContain('/volumeSettings/{id}')
  })

  const changing = declared.filter(({ method }) => method !== 'GET')
  test.each(named(changing))('%s needs the cross-site token', async (_, call) => {
    const { status, body } = await admin(call.method, addressOf(call), bodyOf(call)).set('X-XSRF-TOKEN', 'another')
    expect([status, body.code]).toEqual([403, 'cross-site-token'])
  })
  testRefusals(declared, admin)
  testAnswers(declared, admin)
}

function testDeclarations(declared: Endpoint[], routes: AllCalls['routes']): void {
  test('every declared call has one handler, and every handler a declaration', () => {
    expect(declared.length).toBeGreaterThan(10)
    expect(routes.map(({ endpoint }) => nameOf(endpoint)).sort()).toEqual(declared.map(nameOf).sort())
    expect(new Set(declared.map(nameOf)).size).toBe(declared.length)
  })

  test('every call declares its permissions and its failures', () => {
    for (const call of declared) {
      expect(call).toMatchObject({ failure: expect.stringMatching(/\w/), path: expect.stringMatching(/^\/[\w/:-]+$/) })
      expect(Object.keys(needs)).toContain(call.needs)
    }
  })
}

/**
 * Areas that grant rights or access: accounts, sign-in, tokens, agents' keys, walls, the mail server. Every call that
 * changes something there is confirmed, unless it is listed below with the reason.
 */
const areasOfAccess =
  /^\/(v1\/(users|accounts|roles|apiTokens|wall|session|sessions|oidc|signIn|singleSignOn|emails|secrets)|servers|configurations|currentUserInfo|login)(\/|$)/
const unconfirmed: Record<string, string> = {
  'POST /login': 'is the proof',
  'POST /v1/session/confirmation': 'is the proof',
  'PUT /currentUserInfo/password': 'has the password in its body',
  'PUT /currentUserInfo': 'changes where the own emails go',
  'POST /v1/wall/session': 'has the token in its body',
  'POST /v1/emails/tests': 'goes to the own address and the stored server',
  'POST /v1/emails/confirmations': 'sends a code, which allows nothing',
  'PUT /v1/emails/confirmations': 'needs the code that was sent to the address',
  'PUT /servers/:id': 'changes a name',
  'DELETE /servers/:id': 'takes access away',
  'DELETE /v1/apiTokens/:id': 'takes access away',
  'DELETE /v1/sessions/:id': 'takes access away',
  'DELETE /v1/sessions/own/:id': 'takes access away',
  'DELETE /v1/sessions/own': 'takes access away',
  'DELETE /v1/wall/tokens/:id': 'takes access away',
}

function testConfirmations(declared: Endpoint[]): void {
  const ofAccess = declared.filter(({ method, path }) => method !== 'GET' && areasOfAccess.test(path))

  test.each(named(ofAccess))('%s is confirmed, or says why not', (name, call) => {
    expect([name, call.confirm !== undefined]).toEqual([name, unconfirmed[name] === undefined])
  })

  test('no exception is left without its call', () => {
    expect(Object.keys(unconfirmed).filter((name) => !ofAccess.map(nameOf).includes(name))).toEqual([])
  })

  test('a call whose answer has a new secret is confirmed', () => {
    const secret = /\b(password|token|seed|secret)\b/
    const showing = declared.filter(({ answer }) => fieldsOf(answer).some((field) => secret.test(field)))
    expect(showing.map(nameOf).length).toBeGreaterThan(3)
    expect(showing.filter(({ confirm }) => confirm !== true).map(nameOf)).toEqual([])
  })

  test('settings of mail, links, sign-in and agents with secrets are confirmed, and others are not', () => {
    const isConfirmed = (name: string) => needsConfirmation(configurations.update, [{ name, value: '' }])
    const others = configurationNames.filter((name) => !isConfirmed(name))
    expect(configurationNames.filter(isConfirmed)).toEqual(
      configurationNames.filter(
        (name) =>
          /mail|url$|secondFactor|agents$/i.test(name) && !['sodaUrl', 'iconikUrl', 'emailsPerHour'].includes(name),
      ),
    )
    expect(others).toContain('jobRetention')
  })
}

/** Names of the fields of an object. */
const fieldsOf = (schema: Endpoint['answer']): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

function testRefusals(declared: Endpoint[], admin: AllCalls['admin']): void {
  const wrong = wrongInput.flatMap(([what, applies, request]) =>
    declared.filter(applies).map((call) => [nameOf(call), what, call, request] as const),
  )
  test.each(wrong)('%s refuses %s', async (_, __, call, request) => {
    const [address, body] = request(call)
    const answer = await admin(call.method, address, body)
    expect(answer.status).toBe(400)
    expect(ProblemAnswer.parse(answer.body)).toEqual(answer.body)
  })

  const refusedFields = async ({ method }: Endpoint, address: string, body?: object) => {
    const answer = await admin(method, address, body)
    expect(answer.status).toBe(400)
    return answer.body.subErrors
  }
  const unknown = { field: 'noSuchField', message: 'is not a parameter of this call' }
  test.each(named(declared))('%s refuses a parameter of no name', async (_, call) => {
    expect(await refusedFields(call, `${addressOf(call)}?noSuchField=1`, bodyOf(call))).toContainEqual(unknown)
  })

  const ofFields = declared.filter((call) => call.body && !ofAnyBody.includes(call) && !takesList(call))
  test.each(named(ofFields))('%s refuses a field of no name', async (_, call) => {
    expect(await refusedFields(call, addressOf(call), { noSuchField: 1 })).toContainEqual(unknown)
  })

  test.each(named(declared.filter((call) => isOfAll(call) && needsQuery(call))))(
    '%s says what it lacks',
    async (_, call) => {
      const { status, body } = await admin('GET', addressOf(call))
      expect([status, body.subErrors[0].message]).toEqual([400, 'is required'])
    },
  )

  const isSimple = (call: Endpoint) => !needsQuery(call) && call.body?.safeParse({}).success !== false
  const ofOne = declared.filter((call) => call.method !== 'PUT' && call.path.includes(':id') && isSimple(call))
  test.each(named(ofOne))('%s knows what it does not have', async (_, call) => {
    const { status, body } = await admin(call.method, addressOf(call), bodyOf(call))
    expect([status, typeof body.message]).toEqual([404, 'string'])
  })
}

function testAnswers(declared: Endpoint[], admin: AllCalls['admin']): void {
  const readable = declared.filter((call) => isOfAll(call) && !needsQuery(call))
  test.each(named(readable.filter(({ download }) => download === undefined)))(
    '%s answers what it declares',
    async (_, call) => {
      const { status, body, headers } = await admin('GET', addressOf(call))
      expect(status).toBe(200)
      expect(call.answer?.parse(body)).toEqual(body)
      expect(headers['cache-control']).toBe('no-store')
    },
  )

  test.each(named(readable.filter(({ download }) => download !== undefined)))('%s answers a file', async (_, call) => {
    const { status, headers } = await admin('GET', addressOf(call))
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, call.download])
    expect(headers['content-disposition']).toMatch(/^attachment; filename=[\w.-]+$/)
    expect(headers['cache-control']).toBe('no-store')
  })
}

/** Every call that a file of events/ exports, alone or in a table of calls. */
function declaredCalls(): Endpoint[] {
  const modules = import.meta.glob<object>(['../../../events/**/*.ts', '!../../../events/**/*.test.ts'], {
    eager: true,
  })
  const exported: unknown[] = Object.values(modules).flatMap((module) => Object.values(module))
  return [...exported, ...exported.flatMap((value) => (isObject(value) ? Object.values(value) : []))].filter(isCall)
}
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
function isCall(value: unknown): value is Endpoint {
  return isObject(value) && 'method' in value && 'path' in value && 'needs' in value && 'failure' in value
}
