import { sql } from 'kysely'
import { nkeys } from 'nats'
import request, { type Response } from 'supertest'
import { expect, test, onTestFinished } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { type Role, needs, roles } from '#events/contract/needs.ts'
import { isCallOfWall } from '#events/users/wallAccess.ts'
import { isCallBeforeOwnPassword } from '#events/users/accounts.ts'
import { isCallBeforeSecondFactor } from '#events/users/secondFactor.ts'
import { createApp } from '#server/app.ts'
import { hash, openSession } from '#server/platform/callers/session.ts'
import { Problem } from '#server/platform/problem.ts'
import { isLong } from '#server/platform/testing/cases.ts'
import { asUser, confirmedAt, testUser } from '#server/testing.ts'
import { addressOf, type AllCalls, bodyOf, nameOf } from './allCalls.ts'

/** Status of every handler here, so that only the checks before a handler are tested. */
const inside = 418

type Request = (call: Endpoint) => PromiseLike<Response>

/** Result of a call: `in` when it passed the checks before its handler, including the check of its input. */
async function outcome(request: Request, call: Endpoint): Promise<string> {
  const { status, body } = await request(call)
  return status === inside || status === 400 ? 'in' : `${status} ${body.code}: ${body.message}`
}
export const outcomes = (request: Request, calls: readonly Endpoint[]) =>
  Promise.all(calls.map(async (call) => [nameOf(call), await outcome(request, call)] as const))
export const expected = (calls: readonly Endpoint[], of: (call: Endpoint) => string) =>
  calls.map((call) => [nameOf(call), of(call)] as const)

export const refused = {
  signIn: '401 sign-in: Please sign in',
  token: expect.stringMatching(/^401 token: /) as string,
  permission: "403 permission: You don't have permission to do this",
  browserOnly: expect.stringMatching(/^403 browser-only: /) as string,
  confirm: "403 confirm: Confirm that it's you, then try again",
  oneTimePassword: expect.stringMatching(/^403 one-time-password: /) as string,
  secondFactor: expect.stringMatching(/^403 needs-second-factor: /) as string,
}

/** Users that the call is for, by its declaration alone. */
const usersOf = (call: Endpoint): 'anyone' | 'signed in' | readonly Role[] => needs[call.needs]
export const isFor = (held: readonly Role[], call: Endpoint): boolean => {
  const users = usersOf(call)
  return typeof users === 'string' || held.includes('ROLE_ADMIN') || held.some((role) => users.includes(role))
}
const byRoles = (held: readonly Role[]) => (call: Endpoint) => (isFor(held, call) ? 'in' : refused.permission)
const byRolesOfToken = (held: readonly Role[]) => (call: Endpoint) =>
  !isFor(held, call) ? refused.permission : isOfBrowsers(call) ? refused.browserOnly : 'in'
const openOr = (refusal: string) => (call: Endpoint) => (call.needs === 'nothing' ? 'in' : refusal)

/** Calls that API tokens may not make with any body. */
const isOfBrowsers = (call: Endpoint): boolean => call.browserOnly === true || call.confirm === true

/** No role, each role alone, several, and all except that of administrators. */
const roleSets: (readonly Role[])[] = [
  [],
  ...roles.map((role) => [role]),
  ['ROLE_PROJECT_MANAGER', 'ROLE_ICONIK_UPLOAD'],
  ['ROLE_ADMIN', 'ROLE_PROJECT_MANAGER'],
  roles.filter((role) => role !== 'ROLE_ADMIN'),
]
const namedSets = roleSets.map((held) => [held.join(' and ') || 'no role', held] as const)

/** Permissions of a call in words, by its declaration alone. */
function permissionsOf(call: Endpoint): string {
  const users = usersOf(call)
  const isOpen = call.needs === 'nothing'
  const others = {
    'one-time password': isOpen || isCallBeforeOwnPassword(call),
    token: !isOfBrowsers(call),
    wall: isOpen || isCallOfWall(call),
    agent: isOpen,
  }
  const bundle = call.bundle ? `; with ${call.bundle}` : ''
  const also = Object.entries(others).flatMap(([name, may]) => (may ? [name] : []))
  const who = typeof users === 'string' ? users : ['ROLE_ADMIN', ...users].join(' or ')
  const confirmed = call.confirm ? `; confirmed${call.confirm === true ? '' : ' for some bodies'}` : ''
  const { limitedBy } = call
  const by = typeof limitedBy === 'object' ? `nothing: ${limitedBy.nothing}` : limitedBy
  const limited = by === undefined ? '' : by === 'refused' ? '; refused with limits' : `; limited by ${by}`
  return `${who}; ${also.join(', ') || 'browsers alone'}${confirmed}${limited}${bundle}`
}

/** The app with all checks of calls before their handlers. */
export const appOfChecks = (platform: AllCalls['platform'], calls: readonly Endpoint[]) =>
  createApp(
    platform,
    calls.map((endpoint) => ({
      endpoint,
      handle: () => {
        throw new Problem(inside, 'Inside')
      },
    })),
  )

/**
 * Tests the permissions of each call. `npm test` tries each set of roles with one call of each kind of permissions, and
 * all calls without a sign-in, without a role and as an agent; `npm run test:long` tries every set with every call.
 */
export function testRoles({ platform, calls }: AllCalls): void {
  const app = appOfChecks(platform, calls)
  const ofEachKind = [...new Map(calls.map((call) => [`${call.method} ${permissionsOf(call)}`, call])).values()]
  const tried = { app, platform, calls, some: isLong ? calls : ofEachKind }
  testMatrix(tried)
  testSessions(tried)
  testTokens(tried)
}
type TestedCalls = Pick<AllCalls, 'app' | 'platform' | 'calls'> & { some: Endpoint[] }

export const bySession = (app: TestedCalls['app'], session: string | undefined): Request => {
  const ask = asUser(app, session)
  return (call) => ask(call.method, addressOf(call, '1'), bodyOf(call))
}
const byToken =
  (app: TestedCalls['app'], token: string): Request =>
  (call) => {
    const verb = call.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const sent = request(app)[verb](addressOf(call, '1')).set('Authorization', `Bearer ${token}`)
    return call.body ? sent.send({}) : sent
  }

function testMatrix({ calls, some }: TestedCalls): void {
  test('there are calls of every kind', () => {
    expect(new Set(calls.map((call) => typeof usersOf(call)))).toEqual(new Set(['string', 'object']))
    expect(calls.length).toBeGreaterThan(50)
    expect(some.length).toBeGreaterThan(10)
  })

  test('every call has its row in the matrix, which says who may make it', async () => {
    const matrix = [
      '# Permissions of each call: users, and callers with a one-time password, an API token with their roles, as a wall display or',
      '# as an agent. Confirmed: the caller signed in, or confirmed with a password, within the last five minutes, and is no token.',
      '# Generated from the declarations; the tests of roles and walls try every cell. After an intended change: vitest -u.',
      ...calls.map((call) => `${nameOf(call)}: ${permissionsOf(call)}`).sort(),
      '',
    ]
    await expect(matrix.join('\n')).toMatchFileSnapshot('permissions.txt')
  })
}

function testSessions({ app, platform: { db }, calls, some }: TestedCalls): void {
  const sessionOf = async (held: readonly Role[]) => {
    const { id } = await testUser(db, [...held])
    return { id, session: await openSession(db, id, '127.0.0.1') }
  }

  test('without a session only open calls succeed', async () => {
    expect(await outcomes(bySession(app, undefined), calls)).toEqual(expected(calls, openOr(refused.signIn)))
  })

  test.each(namedSets)('a browser with %s', async (_, held) => {
    const which = held.length === 0 ? calls : some
    const { session } = await sessionOf(held)
    expect(await outcomes(bySession(app, session), which)).toEqual(expected(which, byRoles(held)))
  })

  test('a browser without a confirmation for five minutes grants no rights and no access', async () => {
    const { id, session } = await sessionOf(['ROLE_ADMIN'])
    await confirmedAt(db, id, sql`now() - interval '301 seconds'`)
    const rule = (call: Endpoint) => (call.confirm === true ? refused.confirm : 'in')
    expect(await outcomes(bySession(app, session), calls)).toEqual(expected(calls, rule))
  })

  test('a one-time password has to be changed first, with any roles', async () => {
    const { id, session } = await sessionOf(['ROLE_ADMIN'])
    await db.updateTable('users').set({ hasOneTimePassword: true }).where('id', '=', id).execute()
    const rule = (call: Endpoint) => (isCallBeforeOwnPassword(call) ? 'in' : openOr(refused.oneTimePassword)(call))
    expect(await outcomes(bySession(app, session), some)).toEqual(expected(some, rule))
    expect(calls.filter(isCallBeforeOwnPassword).map(nameOf).sort()).toEqual([
      'GET /currentUserInfo',
      'PUT /currentUserInfo/password',
    ])
  })

  test('a required second factor is set up first, with any roles', async () => {
    const { session } = await sessionOf(['ROLE_ADMIN'])
    await db.insertInto('configurations').values({ name: 'secondFactorRequiredFor', value: 'administrators' }).execute()
    onTestFinished(async () => {
      await db.deleteFrom('configurations').where('name', '=', 'secondFactorRequiredFor').execute()
    })
    const rule = (call: Endpoint) => (isCallBeforeSecondFactor(call) ? 'in' : openOr(refused.secondFactor)(call))
    expect(await outcomes(bySession(app, session), some)).toEqual(expected(some, rule))
    expect(calls.filter(isCallBeforeSecondFactor).map(nameOf).sort()).toEqual([
      'GET /currentUserInfo',
      'GET /v1/secondFactor',
      'POST /v1/secondFactor',
      'POST /v1/session/confirmation',
      'PUT /currentUserInfo/password',
      'PUT /v1/secondFactor',
    ])
  })

  test('a user who is disabled gets into nothing', async () => {
    const { id, session } = await sessionOf(['ROLE_ADMIN'])
    await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', id).execute()
    expect(await outcomes(bySession(app, session), some)).toEqual(expected(some, openOr(refused.signIn)))
  })
}

function testTokens({ app, platform: { db }, calls, some }: TestedCalls): void {
  const tokenOf = async (owner: Role, granted: readonly Role[], hours = 1) => {
    const { id: userId } = await testUser(db, [owner])
    const token = `di_${userId}-${granted.join()}-${hours}`
    const expiresAt = new Date(Date.now() + hours * 3_600_000)
    await db
      .insertInto('apiTokens')
      .values({ userId, name: token, tokenHash: hash(token), roles: [...granted], expiresAt })
      .execute()
    return token
  }

  test('the key of an agent opens no call', async () => {
    const seed = new TextDecoder().decode(nkeys.createUser().getSeed())
    expect(await outcomes(byToken(app, seed), calls)).toEqual(expected(calls, openOr(refused.token)))
  })

  test.each(namedSets)('a token with %s, of an administrator', async (_, held) => {
    const token = await tokenOf('ROLE_ADMIN', held)
    expect(await outcomes(byToken(app, token), some)).toEqual(expected(some, byRolesOfToken(held)))
  })

  test('a token gives no more than its owner has', async () => {
    const token = await tokenOf('ROLE_PROJECT_MANAGER', roles)
    expect(await outcomes(byToken(app, token), some)).toEqual(expected(some, byRolesOfToken(['ROLE_PROJECT_MANAGER'])))
  })

  test('a token that is made up or has expired opens nothing', async () => {
    expect(await outcomes(byToken(app, 'di_made-up'), some)).toEqual(expected(some, openOr(refused.token)))
    const expired = await outcomes(byToken(app, await tokenOf('ROLE_ADMIN', roles, -1)), some)
    // An expired token soon has to wait before its next attempt.
    const eitherRefusal = expect.stringMatching(/^(401 token|429 too-many-sign-ins): /) as string
    expect(expired).toEqual(expected(some, openOr(eitherRefusal)))
  })
}
