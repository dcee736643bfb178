import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
const films = join(visit.scratch, 'films')
const kib = 1024
let page: typeof visit.page
let person: ReturnType<typeof hands>
let volumeId: number
/** Dates of the two snapshots. */
let [weekAgo, today] = ['', '']

const call = async <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
  (await visit.product.call(method, path, body)).answer as T
const address = () => new URL(page.url())
const param = (name: string) => address().searchParams.get(name)

function write(path: string, kibibytes: number) {
  mkdirSync(join(films, path, '..'), { recursive: true })
  writeFileSync(join(films, path), 'x'.repeat(kibibytes * kib))
}

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  for (const [path, size] of Object.entries({
    'grown/a.mov': 10,
    'shrunk/b.mov': 30,
    'gone/c.mov': 20,
    'same/d.mov': 5,
  }))
    write(path, size)
  volumeId = await visit.product.addStorage({ name: 'Films', path: films })
  await scan(visit, volumeId)
  ;[{ indexingDate: today }] = await call<[{ indexingDate: string }]>('GET', '/administration/dates')
  weekAgo = daysBefore(today, 7)
  await backdate(await testDb(), weekAgo)
  write('grown/later/a2.mov', 50)
  write('shrunk/b.mov', 5)
  write('fresh.mov', 8)
  rmSync(join(films, 'gone'), { recursive: true })
  await scan(visit, volumeId)
})

/** Name and change of each row of the tree. */
const rows = () =>
  page.$$eval('table[role="treegrid"] tr[data-index]', (rows) =>
    rows.map((row) => {
      const [name, , change] = [...row.querySelectorAll('td')].map((cell) => cell.innerText.replace(/\s+/g, ' ').trim())
      return `${name}: ${change?.replace(/([+−]) /, '$1')}`
    }),
  )
const focused = () => page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent)

const facts = () =>
  page.$$eval('section dl div[data-changed]', (facts) =>
    Object.fromEntries(
      facts.map((fact) => [
        fact.querySelector('dt')?.innerText,
        [...fact.querySelectorAll('dd')].map(({ innerText }) => innerText.replace(/\s+/g, ' ')).join(),
      ]),
    ),
  )

test('the panel of File Management leads here on the date that is shown, and a newer date shows the changes', async () => {
  await signInAt(visit, '/folders')
  const place = { volumeId: String(volumeId), path: '/grown', date: weekAgo }
  await page.goto(`${visit.product.address}/filemanagement?${new URLSearchParams(place)}`)
  await person.press('Folder analytics', 'link')
  await expect.poll(() => address().pathname).toBe('/folders')
  expect([param('volumeId'), param('path'), param('date')]).toEqual([String(volumeId), '/grown', weekAgo])
  await person.key(']')
  await expect.poll(() => param('date')).toBeNull()
  await person.pressAt('nav[aria-label="Breadcrumb"] a ::-p-text(Films)')
  await expect
    .poll(rows)
    .toEqual([
      'grown: +50.0 KiB',
      'shrunk: −25.0 KiB',
      'gone: Removed −20.0 KiB',
      'same: 0 B',
      'fresh.mov: New +8.00 KiB',
    ])
  await expect.poll(facts).toMatchObject({ Size: '78.0 KiB was 65.0 KiB', Files: '5 was 4', Snapshot: today })
  await person.see(`Grew from 65.0 KiB to 78.0 KiB between ${weekAgo} and ${today}.`)
  expect(await look(visit, 'folders')).toEqual([])
})

test('with keys alone one opens branches in place, moves through the timeline, and goes to another folder', async () => {
  await page.focus('input[type="range"]')
  await person.key('ArrowLeft')
  await expect.poll(facts).toMatchObject({ Size: '65.0 KiB', Folders: '4', Snapshot: weekAgo })
  await person.key('End')
  await expect.poll(facts).toMatchObject({ Snapshot: today })
  await page.focus('tr[data-index="0"]')
  await person.key('ArrowRight')
  await expect
    .poll(async () => (await rows()).slice(0, 3))
    .toEqual(['grown: +50.0 KiB', 'later: New +50.0 KiB', 'a.mov: 0 B'])
  await person.key('ArrowRight')
  await expect.poll(focused).toBe('later')
  await person.key('ArrowLeft')
  await person.key('Enter')
  await expect.poll(() => param('path')).toBe('/grown')
})

test('a point of the line leads to a search of the folder on its date', async () => {
  const dot = page.locator('.recharts-line-dot, .recharts-line-dots circle')
  // Recharts needs a render to register the pointer.
  await dot.hover()
  await page.locator('.recharts-tooltip-wrapper ::-p-text(KiB)').wait()
  await dot.click()
  await expect.poll(() => address().pathname).toBe('/search')
  expect([param('startingPath'), param('volumeId'), param('date')]).toEqual(['/grown', String(volumeId), weekAgo])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
