import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { type TestMailServer, testMailServer } from '#server/platform/testing/mailServer.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit({ own: 'restarts the API' })
const on = () => hands(visit)
const password = 'a password of the mail server'
let mail: TestMailServer

beforeAll(async () => {
  mail = await testMailServer({ user: 'dataintell', password })
})

const inSection = (section: string, button: string) =>
  `::-p-xpath(//section[.//h2[contains(., '${section}')]]//button[normalize-space(.)='${button}'])`

const pressIn = (section: string, button: string) => on().pressAt(inSection(section, button))
const isOffIn = (section: string, button: string) =>
  visit.page.$eval(inSection(section, button), (found) => (found as HTMLButtonElement).disabled)

test('mail cannot be updated or tested while anything of it is missing', async () => {
  const { see, write } = on()
  await signInAt(visit, '/settings')
  await see("Hostname can't be empty")
  expect([await isOffIn('Email', 'Update'), await isOffIn('Email', 'Test')]).toEqual([true, true])
  await write('Port', '25a')
  await write('From', 'nobody')
  await see('Value must be a positive number')
  await see('From must be a well-formed email address')
  expect(await look(visit, 'general-wrong')).toEqual([])
  await pressIn('Email', 'Discard')
})

test('mail is set up, its password apart, and tested against a mail server', async () => {
  const { see, write, press, closed, type } = on()
  await write('Hostname', '127.0.0.1')
  await write('Username', 'dataintell')
  await write('From', 'dataintell@example.com')
  await write('Port', String(mail.port))
  await press('TLS Enable', 'switch')
  await see('Save first: the test uses the saved settings.')
  expect(await isOffIn('Email', 'Test')).toBe(true)
  await pressIn('Email', 'Update')
  await see('The configurations were updated.')
  await pressIn('Email', 'Test')
  await see(/Unable to test the email configurations: .+/)
  await visit.product.call('PUT', '/currentUserInfo', { email: 'ana@example.com' })
  await press('Set password')
  await see('Leave it empty to remove the password.')
  await type(password)
  expect(await look(visit, 'general-password')).toEqual([])
  await press('Save password')
  await see('The password was updated.')
  await closed()
  await see('It is set. It is never shown.')
  await pressIn('Email', 'Test')
  await see('The email configurations were tested successfully.')
  expect(mail.arrived).toMatchObject([{ to: ['ana@example.com'], from: 'dataintell@example.com' }])
  expect(await look(visit, 'general')).toEqual([])
})

test('what the mail server answers is told', async () => {
  await mail.stop()
  await visit.page.focus(inSection('Email', 'Test'))
  await on().key('Enter')
  await on().see(/Unable to test the email configurations: .*127\.0\.0\.1/)
  expect(mail.arrived).toHaveLength(1)
  // It could not be used meanwhile.
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Test')
})

test('a changed configuration can be updated, once it is valid, and shows in every window', async () => {
  const { see, seeNo, write } = on()
  expect(await visit.page.$('::-p-xpath(//section[.//h2[contains(., "Retention")]]//button[.="Update"])')).toBeNull()
  await write('Job retention', '0')
  await see('Value must be a positive number')
  expect(await isOffIn('Data Retention', 'Update')).toBe(true)
  await write('Application URL', 'https://')
  await see("URL can't be empty")
  await write('Application URL', 'https://storage.example.com')
  await write('Job retention', '45')
  await pressIn('General Configurations', 'Update')
  await pressIn('Data Retention', 'Update')
  await see('The configurations were updated.')
  await seeNo('Discard')
  await visit.product.call('PUT', '/configurations', [{ name: 'jobRetention', value: '46' }])
  await expect.poll(() => valueOf('Job retention')).toBe('46')
})

const valueOf = async (field: string) => {
  const input = await visit.page.locator(`aria/${field}[role="textbox"]`).waitHandle()
  return input.evaluate((input) => (input as HTMLInputElement).value)
}

test('a size is typed in its unit and kept in bytes; performance mode is warned of where storages are set up', async () => {
  const { see, seeNo, write, choose, press } = on()
  await write('Minimum duplicate size', '1.5')
  await see('Value must be a positive number')
  expect(await isOffIn('Scan', 'Update')).toBe(true)
  expect(await look(visit, 'general-scan')).toEqual([])
  await write('Minimum duplicate size', '10')
  await choose('Unit of Minimum duplicate size', 'MB')
  await press('Performance mode', 'switch')
  await pressIn('Scan', 'Update')
  await seeNo('Discard')
  const { answer } = await visit.product.call('GET', '/configurations')
  expect(answer).toContainEqual(expect.objectContaining({ name: 'scan.tagDuplicate.minimumSize', value: '10485760' }))
  await visit.page.goto(`${visit.product.address}/settings/data`)
  await see('Performance mode is active')
  expect(await look(visit, 'performance-mode')).toEqual([])
  await on().pressAt('p a[href="/settings"]')
  await expect.poll(() => valueOf('Minimum duplicate size')).toBe('10')
})

test('a snapshot is deleted after a question, and its log is handed out', async () => {
  const { see, press, pressAt, closed } = on()
  const folder = join(visit.scratch, 'films')
  mkdirSync(folder)
  writeFileSync(join(folder, 'one.mov'), 'one')
  const id = await visit.product.addStorage({ name: 'Films', path: folder })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [id])
  await visit.page.locator('aria/Snapshots[role="table"]').wait()
  await see('1 snapshot found')
  await visit.page.$eval('#snapshots', (section) => section.scrollIntoView())
  expect(await look(visit, 'general-sections')).toEqual([])
  await pressAt('button[aria-label^="Delete snapshot"]')
  await see(/Are you sure you want to delete the snapshot of \d{4}-\d\d-\d\d\?/)
  await press('Delete snapshot')
  await see('Snapshot deleted successfully, you will need to refresh the page to see the changes')
  await closed()
  await see('There is no snapshot yet')
  const archive = visit.page.waitForResponse((response) => response.url().endsWith('/api/administration/logs'))
  await press('Download logs')
  expect((await archive).headers()['content-disposition']).toBe('attachment; filename=logs.zip')
  const daily = visit.page.waitForResponse((response) => response.url().endsWith('/api/administration/logs/daily'))
  await press("Today's log")
  expect((await daily).headers()['content-disposition']).toMatch(/^attachment; filename=server\.\d{4}-\d\d-\d\d\.log$/)
})

test('an API that is heard and refuses a call is not said to be away', async () => {
  const { page } = visit
  const refuse = (request: HTTPRequest) =>
    request.url().endsWith('/api/v1/administration/application')
      ? void request.respond({ status: 429, body: '' })
      : void request.continue()
  await page.setRequestInterception(true)
  page.on('request', refuse)
  await page.goto(`${visit.product.address}/settings`)
  const state = () => page.$eval('#content section li', (api) => (api as HTMLElement).innerText)
  await expect.poll(async () => (await page.$$('#content [role="alert"]')).length).toBeGreaterThan(0)
  await expect.poll(state).toMatch(/^API\s+Unknown$/)
  page.off('request', refuse)
  await page.setRequestInterception(false)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))

test('the API is restarted after a question, and the page that is open goes on', async () => {
  const { see, press, pressAt } = on()
  await visit.page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await press('Restart API')
  await see('Nobody can work until it is back')
  await pressAt('::-p-xpath(//*[@role="dialog"]//button[.="Restart API"])')
  await see('The API will restart in 15 seconds. Please note that it will be down for a couple of minutes.')
  const phase = () => visit.page.$eval('output[data-phase]', (mark) => mark.getAttribute('data-phase'))
  const patience = { timeout: 60_000, interval: 100 }
  await expect.poll(phase, patience).not.toBe('live')
  await expect.poll(phase, patience).toBe('live')
  expect(await visit.page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
}, 120_000)
