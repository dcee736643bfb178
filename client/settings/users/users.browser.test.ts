import type { Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { signedIn, testPassword } from '#deploy/local/testing.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

/** With a single sign-on that cannot be reached: passwords open the product all the same. */
const visit = await testVisit({
  environment: {
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'dataintell',
    OIDC_CLIENT_SECRET: 'a secret of the tests',
  },
})
const person = () => hands(visit)
/** Ana's browser, beside that of `admin`. */
let hers: Page
const ana = () => hands({ ...visit, page: hers })
let password = ''
const secretOn = (page: Page) => page.$eval('[role="dialog"] pre', ({ textContent }) => textContent.trim())
/** Boxes are ticked by their labels. */
const tick = (label: string) => person().pressAt(`[role="dialog"] label ::-p-text(${label})`)

beforeAll(async () => {
  hers = await (await visit.page.browser().createBrowserContext()).newPage()
  await hers.setViewport({ width: 1440, height: 900 })
})

test('a user is added with roles, and their one-time password is shown once', async () => {
  const { press, pressAt, see, write, closed, key } = person()
  await visit.page.goto(`${visit.product.address}/settings`)
  await see('The single sign-on cannot be reached.')
  await visit.page.waitForSelector('aria/Single sign-on[role="link"]')
  expect(await look(visit, 'users-sign-in')).toEqual([])
  await signInAt(visit, '/settings')
  await see('Users\n1')
  expect(await look(visit, 'users')).toEqual([])
  await press('Add user')
  await visit.page.waitForSelector('[role="dialog"] form')
  await write('Name', 'ADMIN')
  await write('Your own password', 'another')
  await key('Enter')
  await see('Own password is wrong')
  await write('Your own password', testPassword)
  await key('Enter')
  await see('Name should be unique, ADMIN already exists')
  await write('Name', 'ana')
  await tick('Project manager')
  expect(await look(visit, 'users-form')).toEqual([])
  await pressAt('[role="dialog"] button[type="submit"]')
  await see('This one-time password is not shown again.')
  password = await secretOn(visit.page)
  expect(await look(visit, 'users-password')).toEqual([])
  await key('Escape')
  await press('Done')
  await closed()
  await see(/ana\s+-\s+Project manager\s+Never, with a one-time password/)
  expect(await visit.page.content()).not.toContain(password)
})

test('they choose a password of their own before anything else, and find only what they may', async () => {
  const { press, see, seeNo, write } = ana()
  await hers.goto(`${visit.product.address}/profile`)
  await write('Name', 'Ana')
  await write('Password', password)
  await press('Sign in')
  await see('Choose your own password')
  await seeNo('Dashboard')
  expect(await look({ ...visit, page: hers }, 'users-own-password')).toEqual([])
  await write('New password', 'a password of my own')
  await write('New password again', 'another')
  await press('Change password')
  await see('The passwords do not match')
  await write('New password again', 'a password of my own')
  await press('Change password')
  await see(/Roles\s+Project manager/)
  await see('This one')
  expect(await look({ ...visit, page: hers }, 'users-profile')).toEqual([])
  await hers.goto(`${visit.product.address}/settings`)
  await see('need the role ROLE_ADMIN')
  await seeNo('API tokens')
})

test('once disabled they are out within seconds, and not let in again', async () => {
  const { press, see, closed } = person()
  await press('Edit ana')
  await tick('Disabled')
  await press('Save user')
  await closed()
  await see('Disabled')
  await expect.poll(() => new URL(hers.url()).pathname).toBe('/login')
  await ana().write('Name', 'ana')
  await ana().write('Password', 'a password of my own')
  await ana().press('Sign in')
  await ana().see('Your account is disabled. Ask an administrator.')
})

test('the last administrator stays', async () => {
  const { press, see, key, closed } = person()
  await press('Edit admin')
  await tick('Disabled')
  await press('Save user')
  await see('At least one enabled administrator must have a password.')
  await key('Escape')
  await closed()
  expect(new URL(visit.page.url()).pathname).toBe('/settings')
})

test('an API token is shown once, opens what its roles allow, and nothing once it is revoked', async () => {
  const { press, see, write, closed } = person()
  await see('No script has a token yet.')
  await press('Add API token')
  await visit.page.waitForSelector('[role="dialog"] form')
  await write('Name', 'nightly')
  await write('Your own password', testPassword)
  expect(await look(visit, 'tokens-form')).toEqual([])
  await press('Create token')
  await see('This API token is not shown again.')
  const token = await secretOn(visit.page)
  expect(await look(visit, 'tokens-made')).toEqual([])
  const statusOf = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${visit.product.address}/api${path}`, { headers })).status
  }
  expect([await statusOf('/v1/dashboard'), await statusOf('/v1/users')]).toEqual([200, 403])
  await press('Done')
  await closed()
  await see('nightly')
  await press('Sessions')
  await see('This one')
  expect(await look(visit, 'tokens')).toEqual([])
  await press('Revoke nightly')
  await press('Revoke token')
  await see('nightly was revoked')
  expect(await statusOf('/v1/dashboard')).toBe(401)
})

test('tokens of an administrator who is disabled stay, with a mark, and are refused meanwhile', async () => {
  const { press, see, seeNo, closed } = person()
  const { product } = visit
  const added = await product.call('POST', '/v1/users', {
    name: 'ben',
    roles: ['ROLE_ADMIN'],
    ownPassword: testPassword,
  })
  const { password: oneTime } = added.answer as { password: string }
  const ben = signedIn(product.address, { name: 'ben', password: oneTime })
  const own = { newPassword: 'a password that ben chose' }
  expect((await ben('PUT', '/currentUserInfo/password', own)).status).toBe(204)
  const { answer } = await ben('POST', '/v1/apiTokens', {
    name: 'weekly',
    roles: ['ROLE_ADMIN'],
    ownPassword: own.newPassword,
  })
  const headers = { authorization: `Bearer ${(answer as { token: string }).token}` }
  const status = async () => (await fetch(`${product.address}/api/v1/users`, { headers })).status
  expect(await status()).toBe(200)
  await see('weekly')
  await seeNo('Owner disabled')
  await press('Edit ben')
  await tick('Disabled')
  await press('Save user')
  await closed()
  await see(/weekly\s+Owner disabled/)
  await visit.page.$eval('#api-tokens', (section) => section.scrollIntoView())
  expect(await look(visit, 'tokens-owner-disabled')).toEqual([])
  expect(await status()).toBe(401)
  await press('Edit ben')
  await tick('Disabled')
  await press('Save user')
  await closed()
  await seeNo('Owner disabled')
  expect(await status()).toBe(200)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
