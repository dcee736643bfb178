import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeTree } from '#deploy/local/testing/tree.ts'
import { slowed } from '#deploy/local/testing/slowed.ts'
import { agentOf, testPassword } from '#deploy/local/testing.ts'
import { hands, look as lookAt, testVisit } from './testing.ts'
import { countText } from './ui/text/count.ts'
import { exactSize } from './ui/text/size.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
let page: typeof visit.page
let product: typeof visit.product
let made: { files: number; folders: number }
const press = (name: string, role?: string) => hands(visit).press(name, role)
const write = (field: string, text: string) => hands(visit).write(field, text)
const see = (text: string | RegExp) => hands(visit).see(text)
const look = (name: string) => lookAt(visit, name)
const address = () => new URL(page.url()).pathname + new URL(page.url()).search

beforeAll(() => {
  ;({ page, product } = visit)
  made = makeTree(films, 40_000)
})

test('without a session, the sign-in is shown, and returns to the requested page', async () => {
  await page.goto(`${product.address}/storages/settings`)
  await see('Sign in to DataIntell')
  expect(await look('sign-in')).toEqual([])
  await write('Name', 'admin')
  await write('Password', 'wrong')
  await press('Sign in')
  await see(/wrong/)
  await write('Password', testPassword)
  await press('Sign in')
  await see('There is no data indexed. You need to do a scan here')
  await see('No file storage is set up yet.')
  expect(address()).toBe('/storages/settings')
  expect(await look('settings-empty')).toEqual([])
})

test('the texts of the screens are in Inter', async () => {
  const fonts = await page.evaluate(async () =>
    [...(await document.fonts.ready)].map(({ family, status }) => `${family.replaceAll('"', '')} ${status}`),
  )
  expect(fonts).toContain('Inter Variable loaded')
})

test('a file storage that is set up elsewhere appears', async () => {
  await product.addStorage({ name: 'Films', path: films })
  await see('Fast')
  expect(await look('settings')).toEqual([])
})

test('a running scan changes its numbers, and its sizes appear when it is done, without a reload', async () => {
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  const pid = agentOf(product.pid) ?? 0
  // Pauses the agent, so that the scan can't end before the dashboard is open.
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  await press('Scan Films')
  await press('Scan 1 storage')
  await see('Scanner for the job(s) is now running.')
  await hands(visit).closed()
  await press('Dashboard', 'link')
  await see('No scan has run yet.')
  const agent = slowed(pid)
  onTestFinished(agent.goOn)
  const seen = await differentValues('Entries', 2)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  await agent.freeze()
  expect(await look('scan-running')).toEqual([])
  await agent.goOn()

  await see('Done')
  await expect.poll(() => figure('Files')).toMatchObject({ text: countText(made.files) })
  // The root folder of the storage is not counted.
  const all = `${exactSize(sizeOf(films))}, ${countText(made.folders - 1)} folders`
  expect(await figure('Files')).toMatchObject({ title: all })
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('There is no data indexed')
})

test('the dashboard is readable in both schemes at every width', async () => {
  expect(await look('dashboard')).toEqual([])
})

test('an unknown address leads to the dashboard', async () => {
  await page.goto(`${product.address}/nowhere/at/all`)
  await see('There is no page /nowhere/at/all. This is the Dashboard.')
  await see('All storages')
  expect(address()).toBe('/')
})

test('signing out ends the session', async () => {
  await press('admin: account and display')
  await press('Sign out', 'menuitem')
  await see('Sign in to DataIntell')
  await page.goto(product.address)
  await see('Sign in to DataIntell')
  expect(address()).toBe('/login?redirectTo=%2F')
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))

/** Text and tooltip below a label in a list of figures. */
const figure = (label: string) =>
  page.evaluate((label) => {
    const terms = [...document.querySelectorAll('main dt')]
    const term = terms.find((term) => term.textContent === label)
    const value = term?.nextElementSibling
    return { text: value?.textContent ?? '', title: term?.querySelector('a')?.title ?? '' }
  }, label)

/** Waits until a figure has shown this many different values, and returns them in order. */
async function differentValues(label: string, count: number): Promise<number[]> {
  const values = new Set<number>()
  const look = async () => {
    const { text } = await figure(label)
    if (text) values.add(Number(text.replaceAll(',', '')))
    return values.size
  }
  await expect.poll(look, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  return [...values]
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((total, { parentPath, name }) => total + lstatSync(join(parentPath, name)).size, 0)
