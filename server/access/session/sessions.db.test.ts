import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { findSession, openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'
import { sessionRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, sessionRoutes(platform))
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A user with two browsers. */
async function userWithTwo(roles: Role[] = []) {
  const user = await testUser(db, roles)
  const here = await openSession(db, user.id, '192.0.2.1', firefox)
  const there = await openSession(db, user.id, '192.0.2.2')
  return { ...user, here: asUser(app, here), there: asUser(app, there) }
}
type Ask = Awaited<ReturnType<typeof userWithTwo>>['here']
const own = async (ask: Ask) => (await ask('GET', '/api/v1/sessions/own').expect(200)).body.elements
const statusOf = async (ask: Ask) => (await ask('GET', '/api/currentUserInfo')).status
const idAt = (sessions: { id: number; address: string }[], address: string) =>
  sessions.find((session) => session.address === address)?.id

beforeEach(() => db.deleteFrom('sessions').execute())

test('one sees the own browsers, where they are and which one asks', async () => {
  const ana = await userWithTwo()
  await userWithTwo()
  const sessions = await own(ana.here)
  expect(sessions).toHaveLength(2)
  expect(sessions.find(({ isOwn }: { isOwn: boolean }) => isOwn)).toEqual({
    id: expect.any(Number),
    userName: ana.name,
    address: '192.0.2.1',
    userAgent: firefox,
    createdAt: expect.stringMatching(/Z$/),
    lastSeenAt: expect.stringMatching(/Z$/),
    isOwn: true,
  })
})

test('sessions are listed in pages, the own ones like all others', async () => {
  const ana = await userWithTwo()
  for (let i = 0; i < 30; i++) await openSession(db, ana.id, `198.51.100.${i}`, 'node')
  await userWithTwo()
  const { body } = await ana.here('GET', '/api/v1/sessions/own?page=2&size=25').expect(200)
  expect(body).toMatchObject({ total: 32, page: 2, elements: { length: 7 } })
})

test('a script that is not used for an hour is signed out, a browser only after twelve hours', async () => {
  const { id } = await testUser(db, [])
  const limits = async (userAgent: string) => {
    const session = await openSession(db, id, '192.0.2.9', userAgent)
    const row = await db
      .selectFrom('sessions')
      .select('expiresAt')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const hours = Math.round((row.expiresAt.getTime() - Date.now()) / 3_600_000)
    return { hours, session }
  }
  const script = await limits('python-requests/2.32')
  expect([(await limits(firefox)).hours, script.hours]).toEqual([12, 1])
  await db
    .updateTable('sessions')
    .set({ lastSeenAt: sql`now() - interval '50 minutes'` })
    .execute()
  await findSession(db, script.session)
  const { expiresAt } = await db
    .selectFrom('sessions')
    .select('expiresAt')
    .where('userAgent', 'like', 'python%')
    .executeTakeFirstOrThrow()
  expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(60)
})

test('users sign out one of their browsers, or all others, and no one else', async () => {
  const [ana, bo] = [await userWithTwo(), await userWithTwo()]
  const ofBo = idAt(await own(bo.here), '192.0.2.2')
  await ana.here('DELETE', `/api/v1/sessions/own/${ofBo}`).expect(404)
  await ana.here('DELETE', `/api/v1/sessions/own/${idAt(await own(ana.here), '192.0.2.2')}`).expect(204)
  expect(await statusOf(ana.there)).toBe(401)
  await bo.here('DELETE', '/api/v1/sessions/own').expect(200, { ended: 1 })
  expect([await statusOf(bo.here), await statusOf(bo.there), await statusOf(ana.here)]).toEqual([200, 401, 200])
  const { type, actor } = await db
    .selectFrom('events')
    .select(['type', 'actor'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect([type, actor]).toEqual(['SignedOut', bo.name])
})

test('an administrator sees the browsers of all and signs any out', async () => {
  const [admin, bo] = [await userWithTwo(['ROLE_ADMIN']), await userWithTwo()]
  const { body } = await admin.here('GET', '/api/v1/sessions?sort=userName,asc').expect(200)
  expect(body.total).toBe(4)
  expect(new Set(body.elements.map(({ userName }: { userName: string }) => userName))).toEqual(
    new Set([admin.name, bo.name]),
  )
  for (const { id, userName } of body.elements) {
    if (userName === bo.name) await admin.here('DELETE', `/api/v1/sessions/${id}`).expect(204)
  }
  expect([await statusOf(bo.here), await statusOf(bo.there)]).toEqual([401, 401])
  expect(await statusOf(admin.there)).toBe(200)
})
