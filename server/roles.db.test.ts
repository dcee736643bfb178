import { nkeys } from 'nats'
import request, { type Response } from 'supertest'
import { expect, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { type Role, needs, roles } from '#events/contract/needs.ts'
import { isCallOfWall } from '#events/wall.ts'
import { isCallBeforeOwnPassword } from '#events/users/accounts.ts'
import { hash, openSession } from '#server/platform/http/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from './app.ts'
import { Problem } from './platform/problem.ts'
import { routesOf } from './serve.ts'
import { asUser, testUser } from './testing.ts'

/** Every call is asked as everyone who may come. Only the door is tried: who gets through it to the handler meets this. */
const inside = 418
const platform = await testPlatform()
const { db } = platform
const calls = routesOf(platform).map(({ endpoint }) => endpoint)
const app = createApp(
  platform,
  calls.map((endpoint) => ({
    endpoint,
    handle: () => {
      throw new Problem(inside, 'Inside')
    },
  })),
)

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const addressOf = ({ path }: Endpoint) => `/api${path.replace(/:\w+/g, '1')}`
const bodyOf = ({ body }: Endpoint) => (body ? {} : undefined)

type Ask = (call: Endpoint) => PromiseLike<Response>
/** What a call answers: that one got in, where wrong input is met too, or why not. */
async function outcome(ask: Ask, call: Endpoint): Promise<string> {
  const { status, body } = await ask(call)
  return status === inside || status === 400 ? 'in' : `${status} ${body.code}`
}
const outcomes = (ask: Ask) => Promise.all(calls.map(async (call) => [nameOf(call), await outcome(ask, call)] as const))
const expected = (of: (call: Endpoint) => string) => calls.map((call) => [nameOf(call), of(call)] as const)

/** By the table of needs, read anew: what `needs` says is the whole of the rule. */
function isFor(held: readonly Role[], call: Endpoint): boolean {
  const who: 'anyone' | 'signed in' | readonly Role[] = needs[call.needs]
  return typeof who === 'string' || held.includes('ROLE_ADMIN') || held.some((role) => who.includes(role))
}
const bySession = (session: string | undefined): Ask => {
  const ask = asUser(app, session)
  return (call) => ask(call.method, addressOf(call), bodyOf(call))
}
const byToken =
  (token: string): Ask =>
  (call) => {
    const verb = call.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const asked = request(app)[verb](addressOf(call)).set('Authorization', `Bearer ${token}`)
    return call.body ? asked.send({}) : asked
  }
async function tokenOf(userId: number, granted: readonly Role[], hours = 1): Promise<string> {
  const token = `di_${userId}-${granted.join()}-${hours}`
  const expiresAt = new Date(Date.now() + hours * 3_600_000)
  await db
    .insertInto('apiTokens')
    .values({ userId, name: token, tokenHash: hash(token), roles: [...granted], expiresAt })
    .execute()
  return token
}

/** Nobody's roles, each role alone, several, and all but that of administrators. */
const sets: (readonly Role[])[] = [
  [],
  ...roles.map((role) => [role]),
  ['ROLE_PROJECT_MANAGER', 'ROLE_ICONIK_UPLOAD'],
  ['ROLE_ADMIN', 'ROLE_PROJECT_MANAGER'],
  roles.filter((role) => role !== 'ROLE_ADMIN'),
]
const ruled = (held: readonly Role[]) => expected((call) => (isFor(held, call) ? 'in' : '403 permission'))
const ruledByToken = (held: readonly Role[]) =>
  expected((call) => (!isFor(held, call) ? '403 permission' : call.browserOnly ? '403 browser-only' : 'in'))
const wordsOf = (held: readonly Role[]) => held.join(' and ') || 'no role'

test('there are calls of every kind', () => {
  expect(new Set(calls.map(({ needs: what }) => typeof needs[what]))).toEqual(new Set(['string', 'object']))
  expect(calls.length).toBeGreaterThan(50)
})

/** Who may make a call, in words, by its declaration alone. */
function rowOf(call: Endpoint): string {
  const who: 'anyone' | 'signed in' | readonly Role[] = needs[call.needs]
  const users = typeof who === 'string' ? who : ['ROLE_ADMIN', ...who].join(' or ')
  const isOpen = call.needs === 'nothing'
  const others = {
    'one-time password': isOpen || isCallBeforeOwnPassword(call),
    token: !call.browserOnly,
    wall: isOpen || isCallOfWall(call),
    agent: isOpen,
  }
  const bundle = call.bundle ? `; with ${call.bundle}` : ''
  const also = Object.entries(others).flatMap(([name, may]) => (may ? [name] : []))
  return `${nameOf(call)}: ${users}; ${also.join(', ') || 'browsers alone'}${bundle}`
}

test('every call has its row in the matrix, which says who may make it', async () => {
  const matrix = [
    '# Who may make each call: which users; and whether with a one-time password, an API token with their roles, as a wall display or',
    '# as an agent. Made from the declarations; the tests of roles and walls try every cell. After a change that is meant: vitest -u.',
    ...calls.map(rowOf).sort(),
    '',
  ]
  await expect(matrix.join('\n')).toMatchFileSnapshot('permissions.txt')
})

test('the key of an agent opens no call', async () => {
  const rule = expected(({ needs: what }) => (what === 'nothing' ? 'in' : '401 token'))
  const seed = new TextDecoder().decode(nkeys.createUser().getSeed())
  expect(await outcomes(byToken(seed))).toEqual(rule)
})

test('nobody gets into anything but what needs nothing', async () => {
  const rule = expected(({ needs: what }) => (what === 'nothing' ? 'in' : '401 sign-in'))
  expect(await outcomes(bySession(undefined))).toEqual(rule)
})

test.each(sets.map((held) => [wordsOf(held), held] as const))('a browser with %s', async (_, held) => {
  const { id } = await testUser(db, [...held])
  expect(await outcomes(bySession(await openSession(db, id, '127.0.0.1')))).toEqual(ruled(held))
})

test.each(sets.map((held) => [wordsOf(held), held] as const))(
  'a token with %s, of an administrator',
  async (_, held) => {
    const { id } = await testUser(db, ['ROLE_ADMIN'])
    expect(await outcomes(byToken(await tokenOf(id, held)))).toEqual(ruledByToken(held))
  },
)

test('a token gives no more than its owner has', async () => {
  const { id } = await testUser(db, ['ROLE_PROJECT_MANAGER'])
  expect(await outcomes(byToken(await tokenOf(id, roles)))).toEqual(ruledByToken(['ROLE_PROJECT_MANAGER']))
})

test('a token that is made up or has expired opens nothing', async () => {
  const { id } = await testUser(db, ['ROLE_ADMIN'])
  const rule = expected(({ needs: what }) => (what === 'nothing' ? 'in' : '401 token'))
  expect(await outcomes(byToken('di_made-up'))).toEqual(rule)
  // One that has expired is soon told to wait.
  const expired = await outcomes(byToken(await tokenOf(id, roles, -1)))
  expect(expired.map(([name, what]) => [name, what.replace('429 too-many-sign-ins', '401 token')])).toEqual(rule)
})

test('who came with a one-time password chooses another, whatever their roles', async () => {
  const { id } = await testUser(db, ['ROLE_ADMIN'])
  await db.updateTable('users').set({ hasOneTimePassword: true }).where('id', '=', id).execute()
  const rule = expected((call) =>
    call.needs === 'nothing' || isCallBeforeOwnPassword(call) ? 'in' : '403 one-time-password',
  )
  expect(await outcomes(bySession(await openSession(db, id, '127.0.0.1')))).toEqual(rule)
  expect(calls.filter(isCallBeforeOwnPassword).map(nameOf).sort()).toEqual([
    'GET /currentUserInfo',
    'PUT /currentUserInfo/password',
  ])
})

test('a user who is disabled gets into nothing', async () => {
  const { id } = await testUser(db, ['ROLE_ADMIN'])
  const session = await openSession(db, id, '127.0.0.1')
  await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', id).execute()
  const rule = expected(({ needs: what }) => (what === 'nothing' ? 'in' : '401 sign-in'))
  expect(await outcomes(bySession(session))).toEqual(rule)
})
