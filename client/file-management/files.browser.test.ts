import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { visible } from '#client/parts/entry-text/EntryName.tsx'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { crowd, makeFolders, manyFiles, notUtf8Name, oddFolder, oddNames } from './testing/folders.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
let page: typeof visit.page
let person: ReturnType<typeof hands>
let volumeId: number

const look = (name: string) => lookAt(visit, name)
const open = (query: Record<string, string | number> = {}) =>
  page.goto(`${visit.product.address}/filemanagement?${new URLSearchParams({ volumeId: String(volumeId), ...query })}`)
const address = () => new URL(page.url()).searchParams

/** The names of the rows that are drawn, with what their cells say. */
const rows = () =>
  page.$$eval('table[role="treegrid"] tr[data-index]', (rows) =>
    rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
  )
const names = async () => (await rows()).map(([name]) => name ?? '')
const select = (name: string) => person.press(`Select ${name}`, 'checkbox')
const unfold = (name: string) => person.press(`Open ${name}`)
const marked = (attribute: string) =>
  page.$$eval(
    'table[role="treegrid"] tr[data-index]',
    (rows, attribute) =>
      rows
        .filter((row) => row.matches(attribute))
        .map((row) => row.querySelector('bdi')?.textContent ?? row.textContent ?? ''),
    attribute,
  )
const focused = () => page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)

beforeAll(async () => {
  page = visit.page
  person = hands(visit)
  makeFolders(films)
  volumeId = await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, volumeId)
})

test('volumes come first, can be filtered, and lead to their content', async () => {
  await signInAt(visit, '/filemanagement')
  await person.see('Films')
  await person.see('1 volume')
  expect(await look('files-volumes')).toEqual([])
  await person.write('Filter the volumes', 'nothing like it')
  await person.see('No volumes found')
  await person.write('Filter the volumes', 'film')
  await person.pressAt('a ::-p-text(Films)')
  await expect.poll(() => address().get('path')).toBe('/')
  expect(address().get('volumeId')).toBe(String(volumeId))
  await expect.poll(names).toEqual(['many', 'projects', 'odd', 'crowd'])
})

test('a folder opens in place, its folders before its files, with what each is of it', async () => {
  await unfold('projects')
  await expect.poll(names).toEqual(['many', 'projects', 'alpha', 'beta', 'nothing', 'odd', 'crowd'])
  await unfold('alpha')
  await unfold('nothing')
  await expect.poll(names).toContain('No folder found')
  await expect.poll(async () => (await names()).slice(2, 5)).toEqual(['alpha', 'shots', 'notes.txt'])
  const place = await page.$eval('tr[aria-level="3"]', (row) =>
    ['aria-setsize', 'aria-posinset', 'aria-expanded'].map((name) => row.getAttribute(name)),
  )
  expect(place).toEqual(['2', '1', 'false'])
  expect(await look('files-tree')).toEqual([])
  await page.hover('tr[aria-level="3"]')
  await expect
    .poll(() => page.$$eval('[role="tooltip"]', ([tooltip]) => tooltip?.textContent))
    .toMatch('/projects/alpha/shots')
})

test('hidden folders appear when they are asked for', async () => {
  expect(await names()).not.toContain('.hidden')
  await person.press('Show hidden folders')
  await expect.poll(names).toContain('.hidden')
  expect(await names()).toContain('shots')
  await person.press('Hide hidden folders')
  await expect.poll(names).not.toContain('.hidden')
})

test('a folder of many files goes on page by page, and says how many are left', async () => {
  await open({ path: '/many' })
  await expect.poll(async () => (await names())[0]).toBe('frame_0000.dpx')
  await page.focus('tr[data-index="0"]')
  await person.key('End')
  await person.see(/Load more\.\.\.\s*700 files left/)
  await person.key('Enter')
  await person.key('End')
  await person.see(/Load more\.\.\.\s*200 files left/)
  await person.press('Load more... 200 files left')
  await expect.poll(focused).toBe('frame_1000.dpx')
  await person.key('End')
  await expect.poll(focused).toBe(`frame_${manyFiles - 1}.dpx`)
  await person.seeNo('Load more...')
})

test('a folder of a hundred thousand files opens at once and draws what is in sight', async () => {
  await open({ path: '/crowd' })
  await expect.poll(async () => (await names()).length).toBeGreaterThan(20)
  expect((await names()).length).toBeLessThan(100)
  await page.focus('tr[data-index="0"]')
  await person.key('End')
  await person.see(new RegExp(`Load more\\.\\.\\.\\s*${(crowd - 500).toLocaleString('en')} files left`))
})

test('odd names show, are found by the address, and are copied as they are', async () => {
  await page.browserContext().overridePermissions(visit.product.address, ['clipboard-read', 'clipboard-write'])
  for (const name of [...oddNames, notUtf8Name]) {
    await open({ path: '/odd', fileName: name })
    await expect.poll(() => marked('[data-shown]'), { message: name }).toEqual([visible(name)])
    await page.hover('tr[data-shown]')
    await person.pressAt('tr[data-shown] [data-do="copy"]')
    await person.see('File path copied to clipboard')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${films}/odd/${name}`)
  }
  await open({ path: `/odd/${oddFolder}` })
  await expect.poll(names).toEqual(['inside.txt'])
  expect(await look('files-odd')).toEqual([])
  await person.pressAt('nav[aria-label="Breadcrumb"] a ::-p-text(odd)')
  await expect.poll(() => address().get('path')).toBe('/odd')
})

test('with keys alone one moves, opens, selects, and finds by typing', async () => {
  await open({ path: '/' })
  await expect.poll(names).toContain('projects')
  await page.focus('tr[data-index="0"]')
  await person.type('pro')
  expect(await focused()).toBe('projects')
  await person.key('ArrowRight')
  await expect.poll(names).toContain('alpha')
  await person.key('ArrowRight')
  expect(await focused()).toBe('alpha')
  await new Promise((resolve) => setTimeout(resolve, 800))
  await person.key('Space')
  await person.see('1 item selected')
  await page.keyboard.down('Shift')
  await person.key('ArrowDown')
  await person.key('ArrowDown')
  await page.keyboard.up('Shift')
  await person.see('3 items selected')
  expect(await marked('[aria-selected="true"]')).toEqual(['alpha', 'beta', 'nothing'])
  await person.key('ArrowLeft')
  expect(await focused()).toBe('projects')
  await person.key('Escape')
  await person.see('0 items selected')
  await person.key('ArrowDown')
  await person.key('Enter')
  await expect.poll(() => address().get('path')).toBe('/projects/alpha')
})

test('what is selected gets tags, which appear without anything being closed', async () => {
  await open({ path: '/' })
  await person.choose('Last column', 'Tags')
  await unfold('projects')
  await unfold('alpha')
  await expect.poll(names).toContain('shots')
  await select('beta')
  await select('notes.txt')
  await person.press('Add tags')
  await person.write('Filter or name a tag', 'keep')
  await person.key('Enter')
  await person.pressAt('.mantine-Popover-dropdown ::-p-aria(Add tags[role="button"])')
  await expect
    .poll(async () => (await rows()).filter(([, , tags]) => tags === 'keep').map(([name]) => name))
    .toEqual(['notes.txt', 'beta'])
  expect(await names()).toContain('shots')
  await person.see('2 items selected')
  expect(await look('files-tags')).toEqual([])
  await page.hover('tr[data-index="1"]')
  await person.press('Manage the tags of projects')
  await person.see('Tags of projects')
  expect(await look('files-tags-dialog')).toEqual([])
  await person.key('Escape')
  await person.closed()
})

test('all rows are selected at once', async () => {
  await open({ path: '/' })
  await unfold('projects')
  await expect.poll(names).toContain('beta')
  await person.press('Select: Nothing is selected')
  await person.press('Select all visible', 'menuitem')
  await person.see('7 items selected')
})

test('the details show what is looked at, else the folder, else the volume', async () => {
  const panel = () => page.$eval('aside[aria-label="Details"]', (panel) => (panel as HTMLElement).innerText)
  await open({ path: '/' })
  await expect.poll(panel).toMatch(/File storage/)
  await person.pressAt('tr ::-p-text(many)')
  await expect.poll(panel).toMatch(/Number of Files\s*1,200/)
  await open({ path: '/projects/beta' })
  await expect.poll(panel).toMatch(/beta[^]*Number of Files\s*1/)
  await person.pressAt('tr ::-p-text(beta.mov)')
  await expect.poll(panel).toMatch(/beta.mov[^]*Duplicate\s*No/)
  await person.key('Enter')
  await person.see('Related Files')
  await person.key('Escape')
  await person.closed()
  await person.press('Hide the details')
  await page.reload()
  await expect.poll(names).toContain('beta.mov')
  expect(await page.$('aside[aria-label="Details"]')).toBeNull()
  await person.press('Show the details')
})

test('two lists with pages are the other way to look at a folder', async () => {
  await open({ path: '/many' })
  await person.pressAt('label ::-p-text(Lists)')
  await person.see('No folder found')
  await person.pressAt('[role="tab"] ::-p-text(Files)')
  await person.see(/1,200 files(?! found)/)
  await expect.poll(async () => (await page.$$('table[aria-label="Files"] tr[data-index]')).length).toBe(25)
  expect(await look('files-lists')).toEqual([])
  await person.press('Next page')
  await expect.poll(() => address().get('page')).toBe('2')
  await person.pressAt('label ::-p-text(Tree)')
  await expect.poll(names).toContain('frame_0000.dpx')
})

test('a second scan appears by itself, and the delta says what changed since', async () => {
  await open({ path: '/projects' })
  await unfold('alpha')
  await expect.poll(names).toContain('shots')
  await backdate(await testDb(), '2026-01-10')
  rmSync(join(films, 'projects/beta'), { recursive: true })
  writeFileSync(join(films, 'projects/alpha/new.mov'), 'n'.repeat(5_000))
  writeFileSync(join(films, 'projects/alpha/notes.txt'), 'many more notes')
  await scan(visit, volumeId)
  // Files and folders are read apart.
  await expect.poll(names).toEqual(['alpha', 'shots', 'new.mov', 'notes.txt', 'nothing'])
  await person.choose('Last column', 'Delta')
  await expect
    .poll(async () =>
      (await rows()).map(([name, , delta]) => `${name}: ${delta?.replace(/\s+/g, ' ').replace(/([+−]) /, '$1')}`),
    )
    .toEqual([
      'alpha: +4.89 KiB',
      'shots: 0 B',
      'new.mov: New +4.88 KiB',
      'notes.txt: +10 B',
      'nothing: 0 B',
      'beta: Removed −29.3 KiB',
    ])
  expect(await look('files-delta')).toEqual([])
  await open({ path: '/projects', date: '2026-01-10' })
  await expect.poll(names).toContain('beta')
  expect(await page.$('[data-do="tags"]')).toBeNull()
})

test('the key m opens the map of the folder, and closes it', async () => {
  await open({ path: '/' })
  await expect.poll(names).toContain('many')
  await page.focus('tr[data-index="0"]')
  await person.key('m')
  await expect.poll(() => page.$$('section[aria-label="Content of the folder"] canvas')).not.toEqual([])
  expect(await look('files-map')).toEqual([])
  await person.press('Hide the map')
  await expect.poll(() => page.$$('section[aria-label="Content of the folder"] canvas')).toEqual([])
})

test('a branch that fails says so in its place, and can be tried again', async () => {
  await page.evaluate(() => localStorage.clear())
  await open({ path: '/projects' })
  await expect.poll(names).toContain('alpha')
  await page.setOfflineMode(true)
  await unfold('alpha')
  await person.see('Unable to get the files of the folder')
  expect(await look('files-failed')).toEqual([])
  await page.setOfflineMode(false)
  for (const _ of ['folders', 'files']) await person.pressAt('tr ::-p-text(Retry)')
  await expect.poll(names).toContain('new.mov')
})

test('a folder that is not there, and one without anything, say so', async () => {
  await open({ path: '/nowhere' })
  await person.see('No folder found')
  expect(await look('files-empty')).toEqual([])
})

test('what is shown leads to a search of the folder', async () => {
  await open({ path: '/projects' })
  await person.pressAt('aria/Show content as Search result')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/search')
  expect([address().get('startingPath'), address().get('volumeId')]).toEqual(['/projects', String(volumeId)])
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]))
