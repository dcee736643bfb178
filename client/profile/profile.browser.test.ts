import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
beforeAll(async () => {
  const films = join(visit.scratch, 'films')
  mkdirSync(films)
  writeFileSync(join(films, 'a.mov'), 'x'.repeat(1_500_000))
  const id = await visit.product.addStorage({ name: 'Films', path: films })
  await visit.product.call('POST', '/v1/scans/volumes/ids', [id])
})

test('display settings apply to other screens, and stay after a reload', async () => {
  const { press, pressAt, see } = hands(visit)
  const { page, product } = visit
  await signInAt(visit, '/profile')
  await pressAt('label ::-p-text(10 (kB, MB))')
  await press('Show hidden directories', 'switch')
  await pressAt('label ::-p-text(Dark)')
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
  await expect.poll(scheme).toBe('dark')
  await page.goto(product.address)
  await see('1.50 MB')
  expect(await scheme()).toBe('dark')
  await page.goto(`${product.address}/profile`)
  await see('rushes, .cache, .trash')
  await pressAt('label ::-p-text(Same as system)')
})

test('a webhook with a template is tested before it is saved', async () => {
  const { press, write, see, choose, closed } = hands(visit)
  await press('Add job notification')
  await write('Webhook', 'https://hooks.slack.com/services/T0/B0/x')
  await see('This address gets Slack.')
  await choose('Format', 'Template')
  await write('Template', '{"title": "{{subject}}"}')
  expect(await look(visit, 'profile-webhook')).toEqual([])
  await write('Webhook', 'http://127.0.0.1:9/none')
  await press('Send test message')
  await see('The webhook did not accept the test message: 127.0.0.1:9 refused the connection')
  await press('Save job notification')
  await closed()
  await see('http://127.0.0.1:9/none')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
