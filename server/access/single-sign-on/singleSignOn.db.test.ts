import { sql } from 'kysely'
import request from 'supertest'
import { expect, test } from 'vitest'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { apiTokenRoutes } from '#server/access/api-tokens/index.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { sessionRoutes } from '#server/access/session/index.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { userRoutes } from '#server/access/users/index.ts'
import { singleSignOnHealth } from './index.ts'
import { person } from './testing/person.ts'
import { testProduct } from './testing/testProduct.ts'

const { variables, db, place, address, provider, withProvider, app, isScreen } = await testProduct(
  'storage-admins=ROLE_ADMIN, pm=ROLE_PROJECT_MANAGER, pm=ROLE_SODA_TRANSFER',
  (platform) => [...sessionRoutes(platform), ...userRoutes(platform), ...apiTokenRoutes(platform)],
)

const link = (redirectTo = '/') => `${address}${singleSignOnPaths.signIn}?${new URLSearchParams({ redirectTo })}`
const isCallback = (url: string) => url.startsWith(`${address}${singleSignOnPaths.callback}`)

/** Signs in at the provider; returns the final address and the current user. */
async function arrive(subject: string, redirectTo?: string) {
  const browser = person()
  const at = (await browser.signIn(link(redirectTo), subject, isScreen)).replace(address, '')
  const session = browser.cookie(place.host, 'SESSION')
  const { body } = await asUser(app, session)('GET', '/api/currentUserInfo')
  const roles = (body.roles as { authority: string }[] | undefined)?.map(({ authority }) => authority)
  return { browser, at, session, me: body, roles }
}

test('a user who signs in at the provider has an account of its name, with the roles of their groups', async () => {
  provider.know('1', { preferred_username: 'ana', email: 'ana@example.com', groups: ['pm', 'others'] })
  const { at, me, roles } = await arrive('1', '/search?name=a')
  expect(at).toBe('/search?name=a')
  expect(me).toMatchObject({ name: 'ana', email: 'ana@example.com', isOfProvider: true, mustChangePassword: false })
  expect(roles).toEqual(['ROLE_PROJECT_MANAGER', 'ROLE_SODA_TRANSFER'])
  const account = await db.selectFrom('users').selectAll().where('name', '=', 'ana').executeTakeFirstOrThrow()
  expect(account).toMatchObject({ issuer: provider.issuer, subject: '1', passwordHash: null })
})

test('the roles are read again at each sign-in, and the account stays the same', async () => {
  const { me: before } = await arrive('1')
  provider.know('1', { preferred_username: 'ana', groups: ['storage-admins'] })
  const promoted = await arrive('1')
  expect([promoted.roles, promoted.me.id]).toEqual([['ROLE_ADMIN'], before.id])
  const made = await asUser(app, promoted.session)('POST', '/api/v1/apiTokens', { name: 'nightly' }).expect(200)
  const script = () => request(app).get('/api/currentUserInfo').set('Authorization', `Bearer ${made.body.token}`)
  await script().expect(200)
  provider.know('1', { preferred_username: 'ana.b', groups: [] })
  const demoted = await arrive('1')
  expect([demoted.roles, demoted.me.id, demoted.me.name]).toEqual([[], before.id, 'ana.b'])
  await script().expect(401)
  const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
  const roles = { name: 'ana.b', roles: ['ROLE_ADMIN'] }
  const { body } = await admin('PUT', `/api/v1/users/${before.id}`, roles).expect(400)
  expect(body.subErrors).toEqual([{ field: 'roles', message: 'are managed by single sign-on' }])
  await admin('POST', `/api/v1/users/${before.id}/password`).expect(409)
})

test('claims that are absent change nothing, and are reported', async () => {
  provider.know('7', { preferred_username: 'gina', email: 'gina@example.com', groups: ['storage-admins'] })
  const first = await arrive('7')
  const made = await asUser(app, first.session)('POST', '/api/v1/apiTokens', { name: 'nightly' }).expect(200)
  // Entra ID names another service for the groups of a user who has many.
  provider.know('7', { _claim_names: { groups: 'src1' } })
  const second = await arrive('7')
  expect([second.roles, second.me.name, second.me.email]).toEqual([['ROLE_ADMIN'], 'gina', 'gina@example.com'])
  await request(app).get('/api/currentUserInfo').set('Authorization', `Bearer ${made.body.token}`).expect(200)
  const events = await db
    .selectFrom('events')
    .select('data')
    .where('stream', '=', `user-${first.me.id}`)
    .where('type', '=', 'ClaimsMissing')
    .execute()
  expect(events.map(({ data }) => data)).toMatchObject([{ claims: ['preferred_username', 'email', 'groups'] }])
  const messages = async () => (await singleSignOnHealth(db)).map(({ message }) => message)
  expect((await messages()).join()).toMatch(
    /did not send the claims of groups \(groups\) at the last sign-in of gina\b/,
  )
  provider.know('7', { preferred_username: 'gina', email: 'gina@example.com', groups: 'pm' })
  expect((await arrive('7')).roles).toEqual(['ROLE_PROJECT_MANAGER', 'ROLE_SODA_TRANSFER'])
  expect((await messages()).join()).not.toContain('gina')
})

/** When the newest session of a user was confirmed, and when it began; Unix times in seconds. */
const timesOf = (name: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(sql<number>`extract(epoch FROM confirmed_at)::float8`.as('confirmed'))
    .select(sql<number>`extract(epoch FROM sessions.created_at)::float8`.as('begun'))
    .where('users.name', '=', name)
    .orderBy('sessions.id', 'desc')
    .executeTakeFirstOrThrow()

test('a sign-in without a prompt of the provider does not confirm a user, and signing in again requests one', async () => {
  provider.know('20', { preferred_username: 'ines', groups: ['storage-admins'] })
  const { browser } = await arrive('20')
  const first = await timesOf('ines')
  expect(first.begun - first.confirmed).toBeLessThan(2)
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const silent = await browser.follow(link(), undefined, isScreen)
  expect(silent.at.startsWith(address)).toBe(true)
  const second = await timesOf('ines')
  expect(second.begun).toBeGreaterThan(first.begun + 1)
  expect(Math.floor(second.confirmed)).toBe(Math.floor(first.confirmed))
  const asking = await browser.follow(`${link()}&again=true`, undefined, isScreen)
  expect(asking.at.startsWith(provider.issuer)).toBe(true)
  expect(asking.text).toContain('name="password"')
  await browser.signIn(`${link()}&again=true`, '20', isScreen)
  const third = await timesOf('ines')
  expect(third.begun - third.confirmed).toBeLessThan(2)
})

test('name and address follow the provider at each sign-in', async () => {
  provider.know('8', { preferred_username: 'hana', email: 'hana@example.com', groups: [] })
  await arrive('8')
  provider.know('8', { preferred_username: 'hana.m', email: 'hana.m@example.com', groups: [] })
  expect((await arrive('8')).me).toMatchObject({ name: 'hana.m', email: 'hana.m@example.com' })
  provider.know('8', { preferred_username: 'hana.m', email: 'no address', groups: [] })
  expect((await arrive('8')).me.email).toBe('hana.m@example.com')
  // Without a name of its own, an account is named after its address.
  provider.know('9', { email: 'ida@example.com', groups: [] })
  expect((await arrive('9')).me.name).toBe('ida@example.com')
  provider.know('9', { email: 'ida.b@example.com', groups: [] })
  expect((await arrive('9')).me).toMatchObject({ name: 'ida.b@example.com', email: 'ida.b@example.com' })
})

test('a name that an account here has is not taken over', async () => {
  const { name } = await testUser(db, ['ROLE_ADMIN'], 'correct horse')
  provider.know('2', { preferred_username: name.toUpperCase(), groups: [] })
  const { at, me } = await arrive('2')
  expect([at, me.code]).toEqual(['/login?problem=nameTaken', 'sign-in'])
})

test('a disabled account stays out, with any answer of the provider', async () => {
  provider.know('3', { preferred_username: 'cleo', groups: ['pm'] })
  const { session } = await arrive('3')
  await db.updateTable('users').set({ disabledAt: new Date() }).where('name', '=', 'cleo').execute()
  await asUser(app, session)('GET', '/api/currentUserInfo').expect(401)
  expect((await arrive('3')).at).toBe('/login?problem=disabled')
})

test('an answer only counts in the browser that requested it, once, and unchanged', async () => {
  provider.know('4', { preferred_username: 'dora' })
  const browser = person()
  const answer = await browser.signIn(link(), '4', isCallback)
  expect(isCallback(answer)).toBe(true)
  const refused = '/login?problem=unconfirmed'
  const follow = (who: typeof browser, url: string) => who.follow(url, undefined, isScreen)
  expect((await follow(person(), answer)).at).toBe(address + refused)
  const changed = new URL(answer)
  changed.searchParams.set('code', 'another')
  const other = person()
  await other.request(link())
  const foreign = new URL(answer)
  foreign.searchParams.set('state', 'a-state-that-this-browser-never-had-before-now')
  expect((await follow(other, foreign.href)).at).toBe(address + refused)
  expect((await follow(browser, answer)).at).toBe(`${address}/`)
  expect((await follow(browser, answer)).at).toBe(address + refused)
  const again = await browser.signIn(link(), '4', isCallback)
  const forged = new URL(again)
  forged.searchParams.set('code', 'made-up')
  expect((await follow(browser, forged.href)).at).toBe(address + refused)
})

test('it leads to addresses of the product only', async () => {
  provider.know('5', { preferred_username: 'emil' })
  for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example', '/api/logout']) {
    expect((await arrive('5', elsewhere)).at).toBe('/')
  }
})

test('signing out leads out of the provider too, and others than its accounts do not go there', async () => {
  provider.know('6', { preferred_username: 'fred' })
  const { browser, session } = await arrive('6')
  const { body } = await asUser(app, session)('POST', '/api/logout').expect(200)
  expect(body.logoutUrl).toBe(singleSignOnPaths.signOut)
  const page = await browser.follow(`${address}${body.logoutUrl}`)
  expect(page.at).toContain(`${provider.issuer}/session/end?`)
  expect(page.at).toContain(encodeURIComponent(`${address}/login`))
  const local = asUser(app, await testSession(db, []))
  expect((await local('POST', '/api/logout').expect(200)).body.logoutUrl).toBe('/login')
})

test('while the provider is down the sign-in screen says so, and passwords of the product still open it', async () => {
  const { name } = await testUser(db, ['ROLE_ADMIN'], 'correct horse')
  const fresh = createApp(withProvider, sessionRoutes(withProvider))
  place.http.removeAllListeners('request').on('request', fresh)
  await provider.kill()
  const nobody = asUser(fresh, undefined)
  const info = await nobody('GET', '/api/loginInfo').expect(200)
  expect(info.body).toEqual({ loginUrl: singleSignOnPaths.signIn, singleSignOn: true })
  expect((await arrive('1', '/search?name=a')).at).toBe('/login?problem=unreachable&redirectTo=%2Fsearch%3Fname%3Da')
  await nobody('POST', '/api/login', { name, password: 'correct horse' }).expect(200)
  await provider.start()
  expect((await arrive('1')).at).toBe('/')
})

test('groups may be distinguished names, and their claims paths', () => {
  const { singleSignOn: read } = readConfig({
    ...variables,
    OIDC_GROUPS_CLAIM: 'realm_access.roles, resource_access.app.roles',
    OIDC_ROLES: 'CN=admins,OU=Groups,DC=example=ROLE_ADMIN, pm=ROLE_PROJECT_MANAGER,a=b=ROLE_SODA_TRANSFER',
  })
  expect(read?.groupsClaims).toEqual(['realm_access.roles', 'resource_access.app.roles'])
  expect(read?.groupRoles).toEqual([
    { group: 'CN=admins,OU=Groups,DC=example', role: 'ROLE_ADMIN' },
    { group: 'pm', role: 'ROLE_PROJECT_MANAGER' },
    { group: 'a=b', role: 'ROLE_SODA_TRANSFER' },
  ])
})

test('settings that cannot work are refused at the start, by their names', () => {
  const wrong = (changes: object) => () => readConfig({ ...variables, ...changes })
  expect(wrong({ OIDC_ROLES: 'pm=ROLE_BOSS' })).toThrow(
    /OIDC_ROLES: ROLE_BOSS is not a role; the roles are ROLE_ADMIN, /,
  )
  expect(wrong({ OIDC_ROLES: 'ROLE_ADMIN' })).toThrow('OIDC_ROLES: "ROLE_ADMIN" is not group=ROLE')
  expect(wrong({ OIDC_CLIENT_SECRET: '' })).toThrow('OIDC_CLIENT_SECRET')
  const foreign = [
    'provider.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '127.0.0.1@evil.example',
    '[::2]',
  ]
  for (const host of foreign)
    expect(wrong({ OIDC_ISSUER: `http://${host}` })).toThrow('OIDC_ISSUER: must be an https address')
  for (const host of ['127.0.0.1', 'localhost:8080', '[::1]:8080', 'LOCALHOST'])
    expect(wrong({ OIDC_ISSUER: `http://${host}/realm` })).not.toThrow()
})
