import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { csrfCookie, csrfHeader, sessionCookie, viewCookie } from '#events/users/session.ts'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, confirmedAt, testUser } from '#server/testing.ts'
import { testLive } from '#server/messages/live/testing.ts'
import request from 'supertest'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const live = testLive(platform, 'scans')
const films = await newVolume(platform, 'Films')
const limits = { everything: false, projects: [], storages: [films], folders: [] }

/** An administrator's browser, a user limited to one storage, and a browser with both cookies. */
async function start() {
  const [admin, anna] = [await testUser(db, ['ROLE_ADMIN']), await testUser(db, [])]
  const own = await openSession(db, admin.id, '127.0.0.1')
  const asAdmin = asUser(app, own)
  await asAdmin('PUT', `/api/v1/users/${anna.id}/limits`, limits).expect(204)
  const started = await asAdmin('POST', `/api/v1/users/${anna.id}/view`).expect(204)
  const [, view = ''] = /VIEW=([^;]+)/.exec(String(started.headers['set-cookie'])) ?? []
  const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
    const cookies = [`${sessionCookie}=${own}`, `${viewCookie}=${view}`, `${csrfCookie}=${token}`]
    const sent = request(app)[method](`/api${path}`).set('Cookie', cookies.join('; ')).set(csrfHeader, token)
    return body ? sent.send(body) : sent
  }
  return { admin, anna, own, view, asAdmin, call }
}
const token = 'a-cross-site-token-of-the-tests-with-43-letters'
const seen = async (id: number) => (await readStream<{ type: string }>(db, `user-${id}`)).map(({ event }) => event.type)

test('an administrator sees what a user sees, changes nothing, and stops', async () => {
  const { admin, anna, view, asAdmin, call } = await start()
  const user = (await call('get', '/currentUserInfo').expect(200)).body
  expect(user).toMatchObject({
    name: anna.name,
    roles: [],
    viewedBy: admin.name,
    limits: { projects: [], storages: [{ id: films, name: 'Films' }], folders: 0, version: expect.any(String) },
  })
  const message = `You see what ${anna.name} sees. Nothing can be changed.`
  await call('post', '/v1/savedSearches', {}).expect(403, { message, code: 'view' })
  await call('put', '/currentUserInfo/password', { newPassword: 'a long password' }).expect(403, {
    message,
    code: 'view',
  })
  await call('get', '/v1/users').expect(403)
  await call('post', '/v1/search', []).expect(200)
  expect((await asAdmin('GET', '/api/v1/sessions').expect(200)).body.elements).not.toContainEqual(
    expect.objectContaining({ userName: anna.name }),
  )
  const browser = live.open({ session: view })
  await browser.opened()
  await call('delete', '/v1/view').expect(204)
  expect(await browser.closed()).toBe(4401)
  expect(await seen(anna.id)).toEqual(['ViewStarted', 'ViewEnded'])
  // Pages of the view must not continue with the administrator's rights.
  await call('get', '/currentUserInfo').expect(401)
  await asAdmin('GET', '/api/v1/users').expect(200)
})

test('a view ends with the session, the rights and the account, and an hour after its start', async () => {
  const signedOut = await start()
  await signedOut.asAdmin('POST', '/api/logout').expect(200)
  await signedOut.call('get', '/currentUserInfo').expect(401)
  expect(await seen(signedOut.anna.id)).toEqual(['ViewStarted', 'ViewEnded'])
  const demoted = await start()
  await db.updateTable('users').set({ roles: [] }).where('id', '=', demoted.admin.id).execute()
  await demoted.call('get', '/currentUserInfo').expect(401)
  const disabled = await start()
  await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', disabled.anna.id).execute()
  await disabled.call('get', '/currentUserInfo').expect(401)
  const old = await start()
  const views = db.selectFrom('sessions').select(sql<number>`extract(epoch FROM expires_at - now())`.as('seconds'))
  const { seconds } = await views.where('userId', '=', old.anna.id).executeTakeFirstOrThrow()
  expect(Number(seconds)).toBeGreaterThan(3_500)
  expect(Number(seconds)).toBeLessThanOrEqual(3_600)
})

test('only a confirmed administrator in a browser starts a view, and only of another enabled user', async () => {
  const { admin, anna, asAdmin } = await start()
  const user = asUser(app, await openSession(db, anna.id, '127.0.0.1'))
  await user('POST', `/api/v1/users/${admin.id}/view`).expect(403)
  await asAdmin('POST', `/api/v1/users/${admin.id}/view`).expect(409)
  await asAdmin('POST', '/api/v1/users/999999/view').expect(404)
  await confirmedAt(db, admin.id, sql`now() - interval '1 hour'`)
  await asAdmin('POST', `/api/v1/users/${anna.id}/view`).expect(403)
  expect(await seen(admin.id)).toEqual([])
})
