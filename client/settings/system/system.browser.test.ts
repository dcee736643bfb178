import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type TestMailServer, testMailServer } from '#server/platform/testing/mailServer.ts'
import { hands, look, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit()
const on = () => hands(visit)
const password = 'a password of the mail server'
let mail: TestMailServer

beforeAll(async () => {
  mail = await testMailServer({ user: 'dataintell', password })
})

const inSection = (section: string, button: string) =>
  `::-p-xpath(//section[.//h2[contains(., '${section}')]]//button[normalize-space(.)='${button}'])`
const pressIn = (section: string, button: string) => on().pressAt(inSection(section, button))

test('mail is set up, with its password, and tested against a mail server', async () => {
  const { see, write, choose, press, closed, type } = on()
  await signInAt(visit, '/settings/mail')
  await write('Hostname', '127.0.0.1')
  await write('Username', 'dataintell')
  await write('From', 'dataintell@example.com')
  await write('Port', String(mail.port))
  await choose('Encryption', 'None')
  await pressIn('Email', 'Update')
  await see('The configurations were updated.')
  await visit.product.call('PUT', '/currentUserInfo', { email: 'ana@example.com' })
  await press('Set password')
  await see('Leave it empty to remove the password.')
  await type(password)
  await press('Save password')
  await closed()
  await pressIn('Email', 'Test')
  await see('The email configurations were tested successfully.')
  expect(mail.arrived).toMatchObject([{ to: ['ana@example.com'], from: 'dataintell@example.com' }])
})

test('by keyboard, a test whose mail server is gone says so, a wrong value is marked, and a valid one is saved', async () => {
  const { see, seeNo, key, write } = on()
  await mail.stop()
  await visit.page.focus(inSection('Email', 'Test'))
  await key('Enter')
  await see(/Unable to test the email configurations: .*127\.0\.0\.1/)
  expect(mail.arrived).toHaveLength(1)
  // The button was disabled during the test.
  await expect.poll(() => visit.page.evaluate(() => document.activeElement?.textContent)).toBe('Test')
  expect(await look(visit, 'mail')).toEqual([])
  await visit.page.goto(`${visit.product.address}/settings`)
  await write('Job retention', '0')
  await see('Value must be a positive number')
  expect(await look(visit, 'system')).toEqual([])
  await write('Job retention', '45')
  await key('Enter')
  await seeNo('Discard')
  const { answer } = await visit.product.call('GET', '/configurations')
  expect(answer).toContainEqual(expect.objectContaining({ name: 'jobRetention', value: '45' }))
})

test('adds a folder to the metrics', async () => {
  const { see, press, choose, write } = on()
  const { product } = visit
  await product.addStorage({ name: 'Films', path: '/mnt/films' })
  await press('Metrics')
  await see('No folders yet. Choose a storage and a path to add one.')
  expect(await look(visit, 'metrics without folders')).toEqual([])
  await choose('Storage', 'Films')
  await write('Path', '/raw')
  await press('Add folder')
  await see('/raw was added')
  expect(await look(visit, 'metrics')).toEqual([])
  const { answer } = await product.call('GET', '/v1/metrics/folders')
  expect(answer).toMatchObject([{ storageName: 'Films', path: '/raw', bytes: null }])
})

test('the log is saved to disk', async () => {
  await on().press('Download logs')
  await expect.poll(() => existsSync(join(visit.downloads, 'logs.zip'))).toBe(true)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
