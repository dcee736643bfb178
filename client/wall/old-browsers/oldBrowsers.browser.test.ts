import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer'
import { expect, test } from 'vitest'
import { testVisit } from '#client/testing.ts'
import { scan } from '#client/testing/scan.ts'
import { removeNewer } from '#client/wall/testing/asIn2019.ts'

const visit = await testVisit()

/** Opens a wall as a browser of 2019: without the functions that are newer. */
async function openWall(): Promise<Page> {
  const { answer } = await visit.product.call('POST', '/v1/wall/tokens', { name: 'Lobby' })
  const context = await visit.page.browser().createBrowserContext()
  const wall = await context.newPage()
  wall.on('pageerror', (error) => visit.complaints.push(String(error)))
  await wall.setViewport({ width: 1920, height: 1080 })
  await wall.evaluateOnNewDocument(removeNewer)
  await wall.goto(`${visit.product.address}/wall?token=${(answer as { token: string }).token}&every=300`)
  return wall
}

const reads = (wall: Page, words: RegExp) =>
  expect.poll(() => wall.evaluate(() => document.body.innerText)).toMatch(words)

test('a display with a browser of 2019 shows every board, and its figures follow the scans', async () => {
  const path = join(visit.scratch, 'Films')
  mkdirSync(path)
  writeFileSync(join(path, 'first.mov'), 'x'.repeat(100_000))
  const films = await visit.product.addStorage({ name: 'Films', path })
  await scan(visit, films)
  const wall = await openWall()
  await reads(wall, /Live\s[^]*Fullest storages\s+Films\s+\d+\.\d %/)
  const times = await wall.evaluate(() => document.body.innerText)
  expect(times).toMatch(/Snapshot \d{4}-\d\d-\d\d$/)
  const boards = [
    /Failures first\s+No failures/,
    /Size of files\s+97\.7 KiB/,
    /Nothing grows right now/,
    /Under 80 %\s+1[^]*Films\s+\d+\.\d %/,
    /only the built-in agent/,
  ]
  for (const board of boards) {
    await wall.keyboard.press('ArrowRight')
    await reads(wall, board)
  }
  for (let i = 0; i < 3; i++) await wall.keyboard.press('ArrowLeft')
  writeFileSync(join(path, 'second.mov'), 'x'.repeat(100_000))
  await scan(visit, films)
  await reads(wall, /Live\s+Updated \d\d:\d\d:\d\d\s[^]*Size of files\s+195 KiB/)
})

test('no script failed', () => expect(visit.complaints).toEqual([]))
