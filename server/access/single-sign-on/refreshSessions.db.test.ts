import { sql } from 'kysely'
import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { apiTokenRoutes } from '#server/access/api-tokens/index.ts'
import { sessionRoutes } from '#server/access/session/index.ts'
import { asUser } from '#server/testing.ts'
import { openProvider } from './provider.ts'
import { refreshSessions } from './refreshSessions.ts'
import { person } from './testing/person.ts'
import { testProduct } from './testing/testProduct.ts'

const {
  withProvider,
  db,
  place,
  address,
  provider,
  singleSignOn: settings,
  app,
  isScreen,
} = await testProduct('storage-admins=ROLE_ADMIN, pm=ROLE_PROJECT_MANAGER', (platform) => [
  ...sessionRoutes(platform),
  ...apiTokenRoutes(platform),
])

async function arrive(subject: string) {
  const browser = person()
  await browser.signIn(`${address}${singleSignOnPaths.signIn}`, subject, isScreen)
  const ask = asUser(app, browser.cookie(place.host, 'SESSION'))
  const roles = async () => {
    const { status, body } = await ask('GET', '/api/currentUserInfo')
    if (status !== 200) return status
    return (body.roles as { authority: string }[]).map(({ authority }) => authority)
  }
  return { ask, roles }
}

/** Makes every session due, and asks the provider. */
async function elevenMinutesLater() {
  await db
    .updateTable('sessions')
    .set({ refreshedAt: sql<Date>`now() - interval '11 minutes'` })
    .execute()
  await refreshSessions({ ...withProvider, settings: settings!, provider: openProvider(settings!) })
}

beforeEach(async () => void (await db.deleteFrom('sessions').execute()))

test('a user who leaves a group at the provider loses its role during the session, and API tokens with it', async () => {
  provider.know('1', { preferred_username: 'ana', groups: ['storage-admins', 'pm'] })
  const { ask, roles } = await arrive('1')
  const { body } = await ask('POST', '/api/v1/apiTokens', { name: 'nightly', roles: ['ROLE_ADMIN'] }).expect(200)
  const byToken = () => request(app).get('/api/currentUserInfo').set('Authorization', `Bearer ${body.token}`)
  await byToken().expect(200)
  expect(await roles()).toEqual(['ROLE_ADMIN', 'ROLE_PROJECT_MANAGER'])
  provider.know('1', { preferred_username: 'ana', groups: ['pm'] })
  await elevenMinutesLater()
  expect(await roles()).toEqual(['ROLE_PROJECT_MANAGER'])
  await byToken().expect(401)
  provider.know('1', { preferred_username: 'ana', groups: ['storage-admins'] })
  await elevenMinutesLater()
  expect(await roles()).toEqual(['ROLE_ADMIN'])
})

test('the provider is queried every ten minutes, and its tokens are encrypted', async () => {
  provider.know('2', { preferred_username: 'bo', groups: ['pm'] })
  const { roles } = await arrive('2')
  provider.know('2', { preferred_username: 'bo', groups: [] })
  await refreshSessions({ ...withProvider, settings, provider: openProvider(settings) })
  expect(await roles()).toEqual(['ROLE_PROJECT_MANAGER'])
  const stored = await db.selectFrom('sessions').select('refreshToken').execute()
  expect(stored).toEqual([{ refreshToken: expect.stringMatching(/^v1\./) }])
  await elevenMinutesLater()
  expect(await roles()).toEqual([])
})

test('while the provider is down sessions stay; one that it no longer knows ends', async () => {
  provider.know('3', { preferred_username: 'cy', groups: ['pm'] })
  const { roles } = await arrive('3')
  await provider.kill()
  await expect(elevenMinutesLater()).rejects.toMatchObject({ problem: 'unreachable' })
  expect(await roles()).toEqual(['ROLE_PROJECT_MANAGER'])
  // It keeps sign-ins in memory.
  await provider.start()
  await elevenMinutesLater()
  expect(await roles()).toBe(401)
  const ended = await db.selectFrom('events').select(['type', 'actorKind']).where('type', '=', 'SignedOut').execute()
  expect(ended).toContainEqual({ type: 'SignedOut', actorKind: 'provider' })
})

test('a session whose token cannot be opened does not keep others from being checked', async () => {
  for (const subject of ['4', '5']) provider.know(subject, { preferred_username: `user ${subject}`, groups: ['pm'] })
  const [first, second] = [await arrive('4'), await arrive('5')]
  await db
    .updateTable('sessions')
    .set({ refreshToken: 'v1.another.AAAA.AAAA' })
    .where('userId', 'in', (of) => of.selectFrom('users').select('id').where('name', '=', 'user 4'))
    .execute()
  for (const subject of ['4', '5']) provider.know(subject, { preferred_username: `user ${subject}`, groups: [] })
  await elevenMinutesLater()
  expect([await first.roles(), await second.roles()]).toEqual([['ROLE_PROJECT_MANAGER'], []])
})
