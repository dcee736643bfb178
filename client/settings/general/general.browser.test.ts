import { beforeAll, expect, test } from 'vitest'
import { type TestMailServer, testMailServer } from '#server/platform/testing/mailServer.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

const visit = testVisit()
const on = () => hands(visit)
const password = 'a password of the mail server'
let mail: TestMailServer

beforeAll(async () => {
  mail = await testMailServer({ user: 'dataintell', password })
})

/** Presses a button of the section of this title. */
const pressIn = (section: string, button: string) =>
  visit.page
    .locator(`::-p-xpath(//section[.//h2[contains(., '${section}')]]//button[normalize-space(.)='${button}'])`)
    .click()
const isOffIn = async (section: string, button: string) => {
  const path = `::-p-xpath(//section[.//h2[contains(., '${section}')]]//button[normalize-space(.)='${button}'])`
  return visit.page.$eval(path, (found) => (found as HTMLButtonElement).disabled)
}

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
  await see('Update first: a test sends with what is saved.')
  expect(await isOffIn('Email', 'Test')).toBe(true)
  await pressIn('Email', 'Update')
  await see('The configurations were updated.')
  await pressIn('Email', 'Test')
  await see(/Unable to test the email configurations: .+/)
  await visit.product.call('PUT', '/currentUserInfo', { email: 'ana@example.com' })
  await press('Set password')
  await see('An empty one takes away what was set.')
  await type(password)
  expect(await look(visit, 'general-password')).toEqual([])
  await press('Save password')
  await see('The password was updated.')
  await closed()
  await see('It is set, and is never shown.')
  await pressIn('Email', 'Test')
  await see('The email configurations were tested successfully.')
  expect(mail.arrived).toMatchObject([{ to: ['ana@example.com'], from: 'dataintell@example.com' }])
  expect(await look(visit, 'general')).toEqual([])
})

test('what the mail server answers is told', async () => {
  await mail.stop()
  await pressIn('Email', 'Test')
  await on().see(/Unable to test the email configurations: .*127\.0\.0\.1/)
  expect(mail.arrived).toHaveLength(1)
})

test('a changed configuration can be updated, once it is valid, and shows in every window', async () => {
  const { see, seeNo, write } = on()
  expect(await visit.page.$('::-p-xpath(//section[.//h2[contains(., "General")]]//button[.="Update"])')).toBeNull()
  await write('Job retention', '0')
  await see('Value must be a positive number')
  expect(await isOffIn('General Configurations', 'Update')).toBe(true)
  await write('Application URL', 'https://')
  await see("URL can't be empty")
  await write('Application URL', 'https://storage.example.com')
  await write('Job retention', '45')
  await pressIn('General Configurations', 'Update')
  await see('The configurations were updated.')
  await seeNo('Discard')
  await visit.product.call('PUT', '/configurations', [{ name: 'jobRetention', value: '46' }])
  const retention = await visit.page.locator('aria/Job retention[role="textbox"]').waitHandle()
  await expect.poll(() => retention.evaluate((input) => (input as HTMLInputElement).value)).toBe('46')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
