import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { testDb, testFolder } from '#server/platform/testing/stores.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'

const db = await testDb()
const visit = await testVisit({
  environment: { DO_PUBLIC_URL: 'https://orchestration.example.com/', SUPPORT_URL: 'https://help.example.com/' },
})
const films = join(testFolder('films'), 'films')
let person: ReturnType<typeof hands>
beforeAll(() => {
  person = hands(visit)
})
const look = (name: string) => lookAt(visit, name)
const address = () => decodeURIComponent(new URL(visit.page.url()).pathname + new URL(visit.page.url()).search)
const at = (expected: string | RegExp) => expect.poll(address).toMatch(expected)
const railWidth = () => visit.page.$eval('nav[aria-label="Main"]', (rail) => rail.getBoundingClientRect().width)
const contentLeft = () => visit.page.$eval('main', (main) => main.getBoundingClientRect().left)
const focused = () => visit.page.evaluate(() => document.activeElement?.textContent)
const focusedName = () => visit.page.evaluate(() => document.activeElement?.ariaLabel)
const older = new Date(Date.now() - 10 * 86_400_000).toLocaleDateString('en-CA')
const command = async (words: string) => {
  await visit.page.keyboard.down('Control')
  await person.key('k')
  await visit.page.keyboard.up('Control')
  await visit.page.locator('input[aria-label="Command"]').wait()
  await person.type(words)
}
const run = async (words: string) => {
  await command(words)
  await person.key('Enter')
  await person.closed()
}

test('two days have a snapshot', async () => {
  mkdirSync(films)
  writeFileSync(join(films, 'film.mov'), 'a film')
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
  await backdate(db, older)
  await scan(visit, 1)
  expect((await visit.product.call('GET', '/administration/dates')).answer).toHaveLength(2)
  await signInAt(visit, '/')
  await person.see('File Storage Sizes')
})

test('the navigation opens over the content under the pointer and for the keyboard', async () => {
  expect(await railWidth()).toBe(56)
  await visit.page.mouse.move(20, 400)
  await expect.poll(railWidth).toBe(208)
  expect(await contentLeft()).toBe(56)
  await visit.page.mouse.move(700, 400)
  await expect.poll(railWidth).toBe(56)
  await person.key('Tab')
  expect(await focused()).toBe('Skip to the content')
  await person.key('Tab')
  expect(await focused()).toBe('Dashboard')
  await expect.poll(railWidth).toBe(208)
  await person.key('Tab')
  await person.key('Enter')
  await at(/^\/filemanagement$/)
})

test('it is pinned open beside the content, which is kept', async () => {
  await person.enter('Keep open')
  await visit.page.reload()
  await expect.poll(contentLeft).toBe(208)
  await person.enter('Unpin')
  await expect.poll(contentLeft).toBe(56)
})

test('g and a letter lead to a screen, but not while one writes', async () => {
  await visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  for (const [letter, path] of [
    ['s', '/search'],
    ['p', '/projects'],
    ['r', '/reports'],
    ['t', '/settings'],
    ['f', '/filemanagement'],
    ['d', '/'],
  ] as const) {
    await person.type(`g${letter}`)
    await at(new RegExp(`^${path}$`))
    await visit.page.evaluate(() => (document.activeElement as HTMLElement).blur())
  }
  await person.key('/')
  await person.type('gs[?')
  const field = await visit.page.$eval('header input[type="search"]', ({ value }) => value)
  expect([field, address()]).toEqual(['gs[?', '/'])
  expect(await visit.page.$('[role="dialog"]')).toBeNull()
})

test('what is written into the field of the header is searched for', async () => {
  await visit.page.goto(visit.product.address)
  await person.see('File Storage Sizes')
  await person.key('/')
  await person.type('film')
  await person.key('Enter')
  await expect.poll(address).toBe('/search?search=film')
})

test('the brackets lead through the snapshots, of which a past one is read only', async () => {
  await visit.page.goto(visit.product.address)
  await person.see(/Snapshot\s+\d/)
  await person.key('[')
  await at(`/?date=${older}`)
  await visit.page.locator(`aria/Snapshot ${older}, read only[role="button"]`).wait()
  expect(await look('past')).toEqual([])
  await person.key('[')
  await person.see('There is no older snapshot.')
  await person.key(']')
  await at(/^\/$/)
  await person.key(']')
  await person.see('There is no newer snapshot.')
})

test('a message stands where it covers nothing that can be pressed', async () => {
  const { page } = visit
  const putButton = (name: string, edge: 'top' | 'bottom') =>
    page.evaluate(
      (name, edge) => {
        const button = Object.assign(document.createElement('button'), { id: name, textContent: name })
        Object.assign(button.style, {
          position: 'fixed',
          zIndex: '50',
          right: '40px',
          [edge]: edge === 'top' ? '70px' : '30px',
        })
        document.querySelector('main')?.append(button)
      },
      name,
      edge,
    )
  /** Which of the buttons can be pressed wherever one points at them, once the message stands still. */
  const canPress = (...names: string[]) =>
    page.evaluate((names) => {
      const message = document.querySelector('.mantine-Notification-root')
      if (!message || getComputedStyle(message).opacity !== '1') return 'no message'
      return names.filter((name) => {
        const button = document.getElementById(name)
        const { left, top, right, bottom } = button?.getBoundingClientRect() ?? new DOMRect()
        const points = [left + 1, right - 1].flatMap((x) => [top + 1, bottom - 1].map((y) => [x, y] as const))
        return points.every(([x, y]) => document.elementFromPoint(x, y) === button)
      })
    }, names)
  for (const [width, names] of [
    [1440, ['Send', 'Save']],
    [390, ['Save']],
  ] as const) {
    await page.setViewport({ width, height: 900 })
    await page.goto(visit.product.address)
    await person.see('File Storage Sizes')
    await page.locator('header button[data-past]').wait()
    for (const name of names) await putButton(name, name === 'Save' ? 'bottom' : 'top')
    await person.key(']')
    await expect.poll(() => canPress(...names)).toEqual(names)
  }
  await page.setViewport({ width: 1440, height: 900 })
})

test('the palette leads to screens, storages and folders, and switches what is shown', async () => {
  await run('jobs')
  await at(/^\/settings\/jobs$/)
  await run('films')
  await at('/filemanagement?path=/&volumeId=1')
  await run('kB, MB')
  expect(await visit.page.evaluate(() => localStorage.getItem('sizeBase'))).toBe('10')
  await run('KiB, MiB')
  await run('colours: dark')
  const scheme = () => visit.page.$eval('html', (html) => html.dataset['mantineColorScheme'])
  expect(await scheme()).toBe('dark')
  await run('same as system')
  await run('older snap')
  await at(`date=${older}`)
  await run('newest snap')
  await visit.page.goto(visit.product.address)
  await person.see('File Storage Sizes')
  await command('')
  const commands = () => visit.page.$$eval('[role="dialog"] button', (all) => all.map(({ textContent }) => textContent))
  await expect.poll(commands).toContain('/Films')
  expect(await look('palette')).toEqual([])
  await person.type('nothing of this kind')
  await person.see('No matches.')
  expect(await look('palette-empty')).toEqual([])
  await person.key('Escape')
  await person.closed()
  expect(address()).toBe('/')
})

test('a question mark lists every key, and single keys rest meanwhile', async () => {
  await visit.page.goto(visit.product.address)
  await person.see('File Storage Sizes')
  await person.type('?')
  await person.see('Older snapshot')
  await person.type('gs')
  expect(address()).toBe('/')
  expect(await look('keys')).toEqual([])
  await person.key('Escape')
  await person.closed()
})

test('the switcher and the profile menu lead out of the product', async () => {
  const outside = (name: string) =>
    visit.page.$eval(`::-p-aria(${name}[role="menuitem"])`, (item) => (item as HTMLAnchorElement).href)
  await visit.page.goto(visit.product.address)
  await person.enter('Applications')
  await person.see('Intelligence')
  expect(await outside('Orchestration')).toBe('https://orchestration.example.com/')
  expect(await look('switcher')).toEqual([])
  await person.key('Escape')
  await expect.poll(focusedName).toBe('Applications')
  await person.enter('Profile')
  await person.see('Contact Support')
  expect(await outside('Contact Support')).toBe('https://help.example.com/')
  expect(await outside('Help')).toBe(`${visit.product.address}/api/docs`)
  await person.key('Escape')
  await expect.poll(focused).toBe('Profile')
  await person.key('Enter')
  await visit.page.locator('[role="menu"]:focus-within').wait()
  await person.key('Escape')
  await person.seeNo('Contact Support')
  await person.press('Profile')
  await person.press('Profile', 'menuitem')
})

test('the first page loads no menu; the one of a button comes when that is pressed', async () => {
  await visit.page.goto(visit.product.address)
  await person.see('File Storage Sizes')
  const menu = /(AppSwitcherMenu|FailureList|ProfileMenu|SnapshotPopover|UserMenu)-[^/]*js$/
  const loaded = () => visit.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const opened = async () => [...new Set((await loaded()).flatMap((name) => menu.exec(name)?.[1] ?? []))]
  expect(await opened()).toEqual([])
  await person.press('admin: account and display')
  await person.see('Sign out')
  expect(await opened()).toEqual(['UserMenu'])
  await person.key('Escape')
})

test('only days with a snapshot can be chosen', async () => {
  await person.pressAt('header button[data-past]')
  await visit.page.locator('button[title="1 storage"]').wait()
  expect(await look('calendar')).toEqual([])
  await person.key('Escape')
})

/** Has a call refused until it is told otherwise. */
async function refusing(path: string): Promise<() => Promise<void>> {
  const refuse = (request: HTTPRequest) =>
    request.url().endsWith(path)
      ? void request.respond({ status: 429, contentType: 'application/json', body: '{"message":"Too many calls"}' })
      : void request.continue()
  await visit.page.setRequestInterception(true)
  visit.page.on('request', refuse)
  return async () => {
    visit.page.off('request', refuse)
    await visit.page.setRequestInterception(false)
  }
}
const title = () => visit.page.$eval('h1', (title) => title.innerText)

test('a screen whose snapshots cannot be asked for says so below its title, until it works again', async () => {
  const goOn = await refusing('/administration/dates')
  await visit.page.goto(`${visit.product.address}/search`)
  await person.see('Too many calls')
  expect(await title()).toBe('Search')
  expect(await look('dates-failing')).toEqual([])
  await goOn()
  await person.press('Retry')
  await person.see('Saved searches')
})

test('whoever cannot be led to the sign-in is told why, and led there once that works', async () => {
  await db.deleteFrom('sessions').execute()
  const goOn = await refusing('/api/loginInfo')
  await visit.page.goto(`${visit.product.address}/search`)
  await person.see('Too many calls')
  await person.seeNo('Please sign in')
  expect(await title()).toBe('DataIntell')
  expect(await look('sign-in-failing')).toEqual([])
  await goOn()
  await person.press('Retry')
  await at('/login?redirectTo=/search')
})

test('whoever is signed out meanwhile signs in and is back where they were', async () => {
  await visit.page.goto(`${visit.product.address}/?date=${older}`)
  await expect.poll(address).toBe(`/login?redirectTo=/?date=${older}`)
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
