import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hands, signInAt, testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const reels = 40
const frames = 150

const focused = () => visit.page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)

test('a folder is found by the letters of its name, spaces among them', async () => {
  const { page } = visit
  for (let reel = 10; reel < 10 + reels; reel++) mkdirSync(join(films, `reel ${reel}`), { recursive: true })
  for (let frame = 0; frame < frames; frame++) writeFileSync(join(films, 'reel 49', `frame ${frame}`), '')
  await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, 1)
  await signInAt(visit, '/filemanagement')
  await page.goto(`${visit.product.address}/filemanagement?volumeId=1&sort=name`)
  await page.waitForSelector('tr[data-index="39"]')
  // On a busy machine the letters may come too slowly to be one name.
  const typeName = async () => {
    await page.focus('tr[data-index="0"]')
    await page.keyboard.type('reel 49')
    return focused()
  }
  await expect.poll(typeName, { interval: 1_000 }).toBe('reel 49')
})

test('a tree that was scrolled stays where it is, and its keys too, when it grows too long to be drawn whole', async () => {
  const { page } = visit
  const { key } = hands(visit)
  const tree = await page.waitForSelector('table[role="treegrid"]')
  const rows = () => tree?.evaluate(({ ariaRowCount }) => Number(ariaRowCount) - 1)
  const scrolled = () => tree?.evaluate(({ parentElement }) => parentElement?.scrollTop)

  const before = await scrolled()
  expect(before).toBeGreaterThan(0)
  await key('ArrowRight')
  await expect.poll(rows).toBe(reels + frames)
  expect(await scrolled()).toBe(before)
  expect(await focused()).toBe('reel 49')
  await key('ArrowDown')
  await expect.poll(focused).toMatch(/^(frame|reel) \d+$/)
})

test('rows that scroll into sight are drawn by elements that are there, and heard from top to bottom', async () => {
  const { page } = visit
  await page.goto(`${visit.product.address}/filemanagement?${new URLSearchParams({ volumeId: '1', path: '/reel 49' })}`)
  const third = await page.waitForSelector('tr[data-index="2"]')
  await page.focus('tr[data-index="0"]')
  for (const row of [4, 8]) {
    await page.$eval(':has(> table[role="treegrid"])', (scroller, top) => scroller.scrollTo({ top }), row * 28)
    await page.waitForSelector(`tr[data-index="${row + 20}"]`)
  }
  // Rows above those in sight are there again once the scroll rests.
  await page.waitForSelector('tr[data-index="2"]')
  const drawn = await page.$$eval('tr[data-index]', (rows) =>
    rows.map((row) => ({ index: Number(row.dataset['index']), name: row.querySelector('bdi')?.textContent })),
  )
  const inOrder = drawn.toSorted((one, other) => one.index - other.index)
  expect(await third?.evaluate(({ isConnected, dataset }) => isConnected && Number(dataset['index']))).toBeGreaterThan(
    20,
  )
  expect(await heard()).toEqual(inOrder.map(({ name }) => name))
  expect(await focused()).toBe(inOrder[0]?.name)
})

/** The names of files in the order in which the page is heard. */
async function heard() {
  const client = await visit.page.createCDPSession()
  const { nodes } = await client.send('Accessibility.getFullAXTree')
  await client.detach()
  const nodeOf = new Map(nodes.map((node) => [node.nodeId, node]))
  const bodies = nodes.filter(({ role }) => role?.value === 'rowgroup')
  const rows = bodies.flatMap(({ childIds = [] }) => childIds.map((id) => String(nodeOf.get(id)?.name?.value)))
  return rows.flatMap((words) => /frame \d+/.exec(words)?.[0] ?? [])
}
