import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { visible } from '#client/ui/text/visible.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { frames, makeFolders, notUtf8Name, oddFolder, oddNames, reels } from './testing/folders.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
let page: typeof visit.page
let person: ReturnType<typeof hands>

const open = (query: Record<string, string>) =>
  page.goto(`${visit.product.address}/filemanagement?${new URLSearchParams({ volumeId: '1', ...query })}`)
const path = () => new URL(page.url()).searchParams.get('path')

/** Cell texts of the rendered rows. */
const rows = () =>
  page.$$eval('table[role="treegrid"] tr[data-index]', (rows) =>
    rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
  )
const names = async () => (await rows()).map(([name]) => name ?? '')
const focused = () => page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)
const unfold = (name: string) => person.press(`Open ${name}`)

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  makeFolders(films)
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
})

test('a storage is opened, and its files are found, tagged, mapped and listed by mouse', async () => {
  await signInAt(visit, '/filemanagement')
  await person.see('1 storage')
  expect(await look(visit, 'files-volumes')).toEqual([])
  await person.pressAt('a ::-p-text(Films)')
  await expect.poll(names).toEqual(['projects', 'odd'])
  await unfold('projects')
  await expect.poll(names).toEqual(['projects', 'alpha', 'beta', 'nothing', 'reels', 'odd'])
  await page.click('tr[data-index="0"] bdi', { count: 2 })
  await expect.poll(path).toBe('/projects')
  await person.choose('Last column', 'Tags')
  await unfold('alpha')
  await expect.poll(names).toEqual(['alpha', 'shots', 'notes.txt', 'beta', 'nothing', 'reels'])
  for (const name of ['beta', 'notes.txt']) await person.press(`Select ${name}`, 'checkbox')
  await person.press('Add tags')
  await person.write('Find or create a tag', 'keep')
  await person.key('Enter')
  await person.pressAt('.mantine-Popover-dropdown ::-p-aria(Add tags[role="button"])')
  await expect
    .poll(async () => (await rows()).filter(([, , tags]) => tags === 'keep').map(([name]) => name))
    .toEqual(['notes.txt', 'beta'])
  await person.press('Show the map')
  await expect.poll(() => page.$$('section[aria-label="Content of the folder"] canvas')).not.toEqual([])
  expect(await look(visit, 'files-tree')).toEqual([])
  await person.press('Hide the map')
  await person.pressAt('label ::-p-text(Lists)')
  await expect.poll(() => page.$$('table[aria-label="Folders"] tr[data-index]')).toHaveLength(4)
  expect(await look(visit, 'files-lists')).toEqual([])
  await person.pressAt('label ::-p-text(Tree)')
})

test('by keyboard rows are opened, selected, found by their names, and lead into a folder', async () => {
  await expect.poll(names).toEqual(['alpha', 'beta', 'nothing', 'reels'])
  await page.focus('tr[data-index="0"]')
  await person.key('ArrowRight')
  await expect.poll(names).toContain('shots')
  await person.key('ArrowRight')
  expect(await focused()).toBe('shots')
  await person.key('Escape')
  await person.key('Space')
  await person.see('1 item selected')
  await page.keyboard.down('Shift')
  await person.key('ArrowDown')
  await person.key('ArrowDown')
  await page.keyboard.up('Shift')
  await person.see('3 items selected')
  await person.key('ArrowUp')
  await person.key('ArrowLeft')
  expect(await focused()).toBe('alpha')
  await person.type('reels')
  expect(await focused()).toBe('reels')
  await person.key('Enter')
  await expect.poll(path).toBe('/projects/reels')
  await expect.poll(names).toHaveLength(reels)
  // Under load, letters may arrive too slowly for type-ahead.
  const typeName = async () => {
    await page.focus('tr[data-index="0"]')
    await person.type('reel 49')
    return focused()
  }
  await expect.poll(typeName, { interval: 1_000 }).toBe('reel 49')
})

test('a tree stays where it was scrolled to, and keeps the focus, when it grows too long to be drawn whole', async () => {
  const tree = await page.waitForSelector('table[role="treegrid"]')
  const rowCount = () => tree?.evaluate(({ ariaRowCount }) => Number(ariaRowCount) - 1)
  const scrolled = () => tree?.evaluate(({ parentElement }) => parentElement?.scrollTop)
  const before = await scrolled()
  expect(before).toBeGreaterThan(0)
  await person.key('ArrowRight')
  await expect.poll(rowCount).toBe(reels + frames)
  expect(await scrolled()).toBe(before)
  expect(await focused()).toBe('reel 49')
  await person.key('ArrowDown')
  await expect.poll(focused).toMatch(/^(frame|reel) \d+$/)
})

test('rows that scroll into sight are drawn by existing elements, and are read out from top to bottom', async () => {
  await person.key('ArrowLeft')
  await expect.poll(focused).toBe('reel 49')
  await person.key('Enter')
  await expect.poll(path).toBe('/projects/reels/reel 49')
  await expect.poll(async () => (await names())[0]).toBe('frame 0')
  const third = await page.waitForSelector('tr[data-index="2"]')
  await page.focus('tr[data-index="0"]')
  // Within a few frames, so that the scroll does not come to rest between the steps.
  await page.$eval(':has(> table[role="treegrid"])', async (scroller) => {
    for (const row of [4, 8]) {
      scroller.scrollTo({ top: row * 28 })
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    }
  })
  await page.waitForSelector('tr[data-index="28"]')
  // Rows above the viewport are rendered again once scrolling stops.
  await page.waitForSelector('tr[data-index="2"]')
  const drawn = await page.$$eval('tr[data-index]', (rows) =>
    rows.map((row) => ({ index: Number(row.dataset['index']), name: row.querySelector('bdi')?.textContent })),
  )
  const inOrder = drawn.toSorted((one, other) => one.index - other.index)
  expect(await third?.evaluate(({ isConnected, dataset }) => isConnected && Number(dataset['index']))).toBeGreaterThan(
    20,
  )
  expect(await readOut()).toEqual(inOrder.map(({ name }) => name))
  expect(await focused()).toBe(inOrder[0]?.name)
})

/** File names in the order of the accessibility tree. */
async function readOut() {
  const client = await page.createCDPSession()
  const { nodes } = await client.send('Accessibility.getFullAXTree')
  await client.detach()
  const nodeOf = new Map(nodes.map((node) => [node.nodeId, node]))
  const bodies = nodes.filter(({ role }) => role?.value === 'rowgroup')
  const rows = bodies.flatMap(({ childIds = [] }) => childIds.map((id) => String(nodeOf.get(id)?.name?.value)))
  return rows.flatMap((words) => /frame \d+/.exec(words)?.[0] ?? [])
}

test('scanned files with odd names are shown, found by the address and copied unchanged', async () => {
  await page.browserContext().overridePermissions(visit.product.address, ['clipboard-read', 'clipboard-write'])
  await open({ path: '/odd', fileName: notUtf8Name })
  await expect
    .poll(() => page.$$eval('tr[data-shown] bdi', (names) => names.map(({ textContent }) => textContent)))
    .toEqual([visible(notUtf8Name)])
  const all = await page.$$eval('tr[data-index] bdi', (names) => names.map(({ textContent }) => textContent))
  expect(all.toSorted()).toEqual([oddFolder, notUtf8Name, ...oddNames].map(visible).toSorted())
  await page.hover('tr[data-shown]')
  await person.pressAt('tr[data-shown] [data-do="copy"]')
  await person.see('File path copied to clipboard')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${films}/odd/${notUtf8Name}`)
  await person.pressAt('tr[data-shown] [data-do="details"]')
  await person.see('Related Files')
  expect(await look(visit, 'details')).toEqual([])
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
