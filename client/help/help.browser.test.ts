import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>

beforeAll(() => void (person = hands(visit)))

const path = () => new URL(visit.page.url()).pathname
const focused = () => visit.page.evaluate(() => document.activeElement?.textContent)

test('by keyboard, a question mark opens the help for the screen, and its links lead to the screen', async () => {
  await signInAt(visit, '/settings/schedules')
  await person.see('Add schedule')
  await person.type('?')
  await expect.poll(path).toBe('/help/schedule-scans')
  await person.type('/')
  await person.type('hard links')
  await person.see('What sizes mean')
  await person.key('Enter')
  await expect.poll(path).toBe('/help/what-sizes-mean')
  await visit.page.focus('article a')
  expect(await focused()).toBe('profile')
  await person.key('Enter')
  await expect.poll(path).toBe('/profile')
})

test('by mouse, the menu opens the help', async () => {
  await person.press('Profile')
  await person.press('Help', 'menuitem')
  await expect.poll(path).toBe('/help/alerts-and-mail')
  await person.see('Set up mail')
})

test('the help is accessible and fits a phone', async () => {
  await visit.page.goto(`${visit.product.address}/help/what-sizes-mean`)
  await person.see('Sparse file')
  expect(await look(visit, 'help-page')).toEqual([])
  await visit.page.setViewport({ width: 390, height: 900 })
  await person.press('All help', 'link')
  await person.see('Get started')
  expect(await look(visit, 'help')).toEqual([])
})

test('the API reference finds calls, links to their schemas, and is accessible', async () => {
  await visit.page.goto(`${visit.product.address}/api/docs`)
  await visit.page.focus('input[type=search]')
  await visit.page.keyboard.type('statement csv')
  const shown = () =>
    visit.page.$$eval('main details', (calls) =>
      calls.filter((call) => call.checkVisibility()).map((call) => call.querySelector('code')?.textContent),
    )
  await expect.poll(shown).toEqual(['/v1/project-statements/{month}/csv', '/v1/projects/{id}/statements/{month}/csv'])
  await person.pressAt('details:not([hidden]) summary')
  await person.see('curl -H "Authorization: Bearer $TOKEN"')
  const isInter = () => visit.page.evaluate(() => document.fonts.check('14px Inter') && document.fonts.size === 1)
  await expect.poll(isInter).toBe(true)
  expect(await look(visit, 'api-docs')).toEqual([])
  await person.press('Help', 'link')
  await person.see('Get started')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
