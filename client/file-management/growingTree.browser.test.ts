import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hands, signInAt, testVisit } from '../testing.ts'
import { scan } from '../testing/scan.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const reels = 40
const frames = 150

const focused = () => visit.page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)

test('a folder is found by the letters of its name, spaces among them', async () => {
  const { page } = visit
  for (let reel = 10; reel < 10 + reels; reel++) mkdirSync(join(films, `reel ${reel}`), { recursive: true })
  for (let frame = 0; frame < frames; frame++) writeFileSync(join(films, 'reel 49', `frame ${frame}`), '')
  await visit.product.call('POST', '/volumeSettings', { name: 'Films', path: films })
  await scan(visit, 1)
  await signInAt(visit, '/filemanagement')
  await page.goto(`${visit.product.address}/filemanagement?volumeId=1&sort=name`)
  await page.waitForSelector('tr[data-index="39"]')
  await page.focus('tr[data-index="0"]')
  await page.keyboard.type('reel 49')
  await expect.poll(focused).toBe('reel 49')
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
