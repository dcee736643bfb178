import { sql } from 'kysely'
import type { Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { testPassword } from '#deploy/local/testing.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { confirmedAt } from '#server/testing.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

/** Single sign-on is configured but unreachable; passwords still work. */
const visit = await testVisit({
  environment: {
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'dataintell',
    OIDC_CLIENT_SECRET: 'a secret of the tests',
  },
})
const person = () => hands(visit)
/** Ana's browser, in addition to that of `admin`. */
let hers: Page
const ana = () => hands({ ...visit, page: hers })
let password = ''

beforeAll(async () => {
  hers = await (await visit.page.browser().createBrowserContext()).newPage()
  await hers.setViewport({ width: 1440, height: 900 })
})

test('a user is added, and their one-time password is shown once', async () => {
  const { press, see, closed, key, type } = person()
  const { page } = visit
  await page.goto(`${visit.product.address}/settings/users`)
  await see('The single sign-on cannot be reached.')
  await page.waitForSelector('aria/Single sign-on[role="link"]')
  await signInAt(visit, '/settings/users')
  await press('Add user')
  await page.waitForSelector('[role="dialog"] input:focus')
  await type('ana')
  // Checkboxes are toggled by their labels.
  await person().pressAt('[role="dialog"] label ::-p-text(Project manager)')
  expect(await look(visit, 'users-form')).toEqual([])
  await person().pressAt('[role="dialog"] button[type="submit"]')
  await see('This one-time password is not shown again.')
  password = await page.$eval('[role="dialog"] pre', ({ textContent }) => textContent.trim())
  await key('Escape')
  await press('Done')
  await closed()
  await see(/ana\s+-\s+Project manager\s+Everything\s+Never, with a one-time password/)
  expect(await page.content()).not.toContain(password)
})

test('a user is limited and checked with See as, by mouse and by keyboard', async () => {
  const { press, see, seeNo, closed, key } = person()
  await press('Edit ana')
  await person().pressAt('[role="dialog"] label ::-p-text(Only some)')
  await see('Projects')
  expect(await look(visit, 'users-limits')).toEqual([])
  await press('Save user')
  await closed()
  await see(/ana\s+-\s+Project manager\s+Nothing/)
  expect(await look(visit, 'users-limited')).toEqual([])
  await press('Access of ana')
  await see('Choose a storage')
  await key('Escape')
  await closed()
  await visit.page.focus('aria/See as ana[role="button"]')
  await key('Enter')
  await see('You see what ana sees. Nothing can be changed.')
  await visit.page.goto(`${visit.product.address}/search`)
  await see('You see what ana sees. Nothing can be changed.')
  await seeNo('Event log')
  expect(await look(visit, 'users-see-as')).toEqual([])
  await visit.page.focus('aria/Stop[role="button"]')
  await key('Enter')
  await seeNo('You see what ana sees.')
  await visit.page.goto(`${visit.product.address}/settings/users`)
  await press('Edit ana')
  await person().pressAt('[role="dialog"] label ::-p-text(Everything)')
  await press('Save user')
  await closed()
})

test('a browser that was left open asks for the password before it changes rights', async () => {
  const { press, see, seeNo, key, type } = person()
  const { page } = visit
  const admin = await (
    await testDb()
  )
    .selectFrom('users')
    .select('id')
    .where('name', '=', 'admin')
    .executeTakeFirstOrThrow()
  await confirmedAt(await testDb(), admin.id, sql`now() - interval '6 minutes'`)
  await press('Reset password of ana')
  await press('Reset password')
  await page.waitForSelector('[role="dialog"] input[type="password"]:focus')
  expect(await look(visit, 'confirm-identity')).toEqual([])
  await key('Escape')
  await see("Confirm that it's you, then try again")
  await press('Reset password')
  await page.waitForSelector('[role="dialog"] input[type="password"]:focus')
  await type(testPassword)
  await key('Enter')
  await see('This one-time password is not shown again.')
  password = await page.$eval('[role="dialog"] pre', ({ textContent }) => textContent.trim())
  await key('Escape')
  await press('Done')
  await seeNo("Confirm it's you")
})

test('they choose a password of their own, find only what they may, and are out once they are disabled', async () => {
  const { press, see, seeNo, write, key, type } = ana()
  await hers.goto(`${visit.product.address}/settings`)
  await write('Name', 'Ana')
  await write('Password', password)
  await key('Enter')
  await see('Choose your own password')
  await seeNo('Dashboard')
  expect(await look({ ...visit, page: hers }, 'users-own-password')).toEqual([])
  await type('a password of my own')
  await key('Tab')
  await type('a password of my own')
  await key('Enter')
  await see('Only administrators can open Settings.')
  await person().press('Edit ana')
  await person().pressAt('[role="dialog"] label ::-p-text(Disabled)')
  await person().press('Save user')
  await person().closed()
  await expect.poll(() => new URL(hers.url()).pathname).toBe('/login')
  await write('Name', 'ana')
  await write('Password', 'a password of my own')
  await press('Sign in')
  await see('Your account is disabled. Ask an administrator.')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
