import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let person: ReturnType<typeof hands>

beforeAll(async () => {
  person = hands(visit)
  await signInAt(visit, '/settings/schedules')
})

const path = () => new URL(visit.page.url()).pathname
const focused = () => visit.page.evaluate(() => document.activeElement?.textContent)

test('by keyboard, a question mark opens the help for the screen, and its links lead to the screen', async () => {
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
  await visit.page.setViewport({ width: 390, height: 800 })
  expect(await look(visit, 'help-page-narrow')).toEqual([])
  await person.press('All help', 'link')
  await person.see('Get started')
  expect(await look(visit, 'help')).toEqual([])
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
