import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit({ environment: { DO_PUBLIC_URL: 'https://orchestration.example.com/' } })
const films = join(testFolder('films'), 'films')
let person: ReturnType<typeof hands>
beforeAll(async () => {
  person = hands(visit)
  mkdirSync(films)
  writeFileSync(join(films, 'film.mov'), 'a film')
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
})
const address = () => decodeURIComponent(new URL(visit.page.url()).pathname + new URL(visit.page.url()).search)
const at = (expected: string | RegExp) => expect.poll(address).toMatch(expected)
const railWidth = () => visit.page.$eval('nav[aria-label="Main"]', (rail) => rail.getBoundingClientRect().width)
const contentLeft = () => visit.page.$eval('main', (main) => main.getBoundingClientRect().left)
const focused = () => visit.page.evaluate(() => document.activeElement?.textContent)
const focusedName = () => visit.page.evaluate(() => document.activeElement?.ariaLabel)
const blur = () => visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())

test('the first page loads no menu, and a button loads its own when it is pressed', async () => {
  await signInAt(visit, '/')
  await person.see('All storages')
  const menu = /(AppSwitcherMenu|FailureList|ProfileMenu|SnapshotPopover|UserMenu)-[^/]*js$/
  const loaded = () => visit.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const opened = async () => [...new Set((await loaded()).flatMap((name) => menu.exec(name)?.[1] ?? []))]
  expect(await opened()).toEqual([])
  await person.press('admin: account and display')
  await person.see('Same as system')
  expect(await opened()).toEqual(['UserMenu'])
  await person.key('Escape')
  await person.seeNo('Same as system')
})

test('the navigation opens over the content under the pointer and for the keyboard', async () => {
  await blur()
  expect(await railWidth()).toBe(56)
  await visit.page.mouse.move(20, 400)
  await expect.poll(railWidth).toBe(208)
  expect(await contentLeft()).toBe(56)
  await visit.page.mouse.move(700, 400)
  await expect.poll(railWidth).toBe(56)
  await visit.page.focus('a[href="#content"]')
  expect(await focused()).toBe('Skip to the content')
  for (let times = 0; times < 2; times++) await person.key('Tab')
  expect(await focused()).toBe('Dashboard')
  await expect.poll(railWidth).toBe(208)
})

test('a reload keeps it pinned next to the content, and the first Tab leads to the content', async () => {
  await person.enter('Keep open')
  await visit.page.reload()
  await expect.poll(contentLeft).toBe(208)
  // The links appear after the user has loaded.
  await person.see('File Management')
  for (const name of ['Skip to the content', 'Skip to the list', 'Dashboard', 'Storages']) {
    await person.key('Tab')
    expect(await focused()).toBe(name)
  }
  await person.enter('Unpin')
  await expect.poll(contentLeft).toBe(56)
})

test('Escape gives the focus back to the button of a menu, which opens again', async () => {
  await person.enter('Applications')
  await person.see('Intelligence')
  await visit.page.locator('[role="menu"]:focus-within').wait()
  await person.key('Escape')
  await expect.poll(focusedName).toBe('Applications')
  await person.enter('Profile')
  await visit.page.locator('[role="menu"]:focus-within').wait()
  await person.key('Escape')
  await expect.poll(focused).toBe('Profile')
  await person.key('Enter')
  await visit.page.locator('[role="menu"]:focus-within').wait()
  expect(await look(visit, 'profile-menu')).toEqual([])
  await person.key('Escape')
  await expect.poll(() => visit.page.$('[role="menu"]')).toBeNull()
})

/** Distances of the toast from the left, top, right and bottom of the window; undefined without one. */
const toastPlace = () =>
  visit.page.evaluate(() => {
    const toast = document.querySelector('.mantine-Notification-root')
    if (!toast || getComputedStyle(toast).opacity !== '1') return undefined
    const { left, top, right, bottom } = toast.getBoundingClientRect()
    return { left, top, right: innerWidth - right, bottom: innerHeight - bottom }
  })

test('messages are at the lower right, and on a small screen below the header', async () => {
  await blur()
  await person.key(']')
  await expect.poll(toastPlace).toMatchObject({ right: 16, bottom: 16 })
  await person.key(']')
  await expect.poll(() => visit.page.$$eval('.mantine-Notification-root', (toasts) => toasts.length)).toBe(1)
  await visit.page.setViewport({ width: 390, height: 900 })
  await expect.poll(toastPlace).toMatchObject({ left: 16, top: 56 })
  await visit.page.setViewport({ width: 1440, height: 900 })
  await person.seeNo('There is no newer snapshot.')
})

test('the keyboard reaches the first row of a list by a skip link', async () => {
  await visit.page.goto(`${visit.product.address}/settings/jobs`)
  await person.see('Success')
  for (const name of ['Skip to the content', 'Skip to the list']) {
    await person.key('Tab')
    expect(await focused()).toBe(name)
  }
  await person.key('Enter')
  await expect.poll(focused).toMatch(/^1Scan On-Premises/)
  expect(await look(visit, 'jobs-focus')).toEqual([])
})

test('by keyboard alone the palette leads to a screen, and g and / to the search for a file', async () => {
  await visit.page.keyboard.down('Control')
  await person.key('k')
  await visit.page.keyboard.up('Control')
  await visit.page.locator('input[aria-label="Command"]').wait()
  expect(await look(visit, 'palette')).toEqual([])
  await person.type('settings: users')
  await visit.page.waitForSelector('[role="dialog"] [data-selected]')
  expect(await look(visit, 'palette-selected')).toEqual([])
  await person.key('Enter')
  await person.closed()
  await at(/^\/settings\/users$/)
  await blur()
  await person.type('gd')
  await at(/^\/$/)
  await person.key('/')
  await person.type('film')
  await person.key('Enter')
  await expect.poll(address).toBe('/search?search=film')
  await person.see('film.mov')
  await blur()
  await person.type('?')
  await at(/^\/help\/find-large-and-old-files$/)
  await person.enter('Keyboard shortcuts')
  await person.see('Older snapshot')
  expect(await look(visit, 'keys')).toEqual([])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
