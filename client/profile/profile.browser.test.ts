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

test('a channel with a template is added and tested on the way to a job notification', async () => {
  const { press, write, see, choose } = hands(visit)
  await press('Add job notification')
  await press('Add channel')
  await choose('Service', 'Template')
  await write('Template', '{"title": "{{subject}}"}')
  await write('Webhook URL', 'http://127.0.0.1:9/none')
  expect(await look(visit, 'profile-channel')).toEqual([])
  await press('Send test')
  await see('Test failed. Template: 127.0.0.1:9 refused the connection')
  await press('Save channel')
  await see('Channel Template was created')
  await press('Save job notification')
  await see('The job notification has been created')
  await see('My address, Template')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
