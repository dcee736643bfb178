import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { hands, signInAt, testVisit } from '../../testing.ts'

const visit = await testVisit()
const on = () => hands(visit)
/** More than one page, and than two. */
const names = Array.from({ length: 53 }, (_, at) => `storage ${String(at).padStart(2, '0')}`)
const isThere = async (button: string) => (await visit.page.$(`aria/${button}[role="button"]`)) !== null
const shown = () =>
  visit.page.$$eval('table[aria-label="Storages"] tbody tr a', (links) => links.map((link) => link.textContent))

beforeAll(async () => {
  const path = join(visit.scratch, 'files')
  mkdirSync(path)
  for (const name of names) await visit.product.addStorage({ name, path })
})

test('storages are shown page after page, each once, until all are there', async () => {
  const { press } = on()
  await signInAt(visit, '/settings/storage')
  await expect.poll(shown).toEqual(names.toReversed().slice(0, 25))
  await press('SHOW MORE')
  await expect.poll(shown).toEqual(names.toReversed().slice(0, 50))
  await press('SHOW MORE')
  await expect.poll(shown).toEqual(names.toReversed())
  expect(await isThere('SHOW MORE')).toBe(false)
})

test('another order, and a storage that came meanwhile, begin with the first page again', async () => {
  const { press } = on()
  await press('NAME')
  await expect.poll(shown).toEqual(names.slice(0, 25))
  await press('SHOW MORE')
  await expect.poll(shown).toHaveLength(50)
  await visit.product.addStorage({ name: 'before all', path: '/srv' })
  await expect.poll(shown).toEqual(['before all', ...names.slice(0, 24)])
  expect(await isThere('SHOW MORE')).toBe(true)
  await visit.page.reload()
  await expect.poll(shown).toEqual(['before all', ...names.slice(0, 24)])
})

test('performance mode warns where storages are set up, leads to where it is set, and is silent once it is off', async () => {
  const { see, seeNo } = on()
  const set = (value: string) =>
    visit.product.call('PUT', '/configurations', [{ name: 'isPerformanceModeActive', value }])
  const warning =
    'Performance mode is active: scans leave out owners and groups, and folders are not compared for duplicates.'
  await visit.page.goto(`${visit.product.address}/settings/data`)
  await see('On-Premises')
  await seeNo('Performance mode')
  await set('true')
  await see(warning)
  await set('false')
  await seeNo('Performance mode')
  await set('true')
  await see(warning)
  await on().pressAt('::-p-xpath(//p[contains(., "Performance mode")]//a)')
  await expect.poll(() => new URL(visit.page.url()).pathname).toBe('/settings')
  await see('Application URL')
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
