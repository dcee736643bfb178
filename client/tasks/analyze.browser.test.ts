import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, ftruncateSync, closeSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { daysBefore } from '#events/contract/days.ts'
import { testVisit } from '#client/testing.ts'
import { backdate } from '#client/testing/backdate.ts'
import { scan } from '#client/testing/scan.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { counting, dashboardOf, inputs } from './steps.ts'

const visit = await testVisit()
const gibibyte = 2 ** 30

/** A sparse file. */
function write(name: string, bytes: number, daysAgo: number) {
  const file = join(visit.scratch, 'films', name)
  mkdirSync(join(file, '..'), { recursive: true })
  const opened = openSync(file, 'w')
  ftruncateSync(opened, bytes)
  closeSync(opened)
  const then = new Date(Date.now() - daysAgo * 86_400_000)
  utimesSync(file, then, then)
}
const rows = () =>
  visit.page.$$eval('main tbody tr, main section li', (rows) =>
    rows.map((row) => (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim()).filter((text) => text !== ''),
  )

/** A storage that was scanned a week ago and today: 24 large old files, new ones, and two folders with the same files. */
beforeAll(async () => {
  for (let reel = 1; reel <= 24; reel++) write(`old/reel ${String(reel).padStart(2, '0')}.mov`, gibibyte + reel, 500)
  write('new/cut.mov', 2 * gibibyte, 1)
  for (const copy of ['masters', 'backup'])
    for (const take of [1, 2, 3]) write(`${copy}/take ${take}.wav`, 50_000 * take, 30)
  const films = { name: 'Films', path: join(visit.scratch, 'films'), sizeBasis: 'apparent' } as const
  const id = await visit.product.addStorage(films)
  await scan(visit, id)
  const { answer } = await visit.product.call('GET', '/administration/dates')
  await backdate(await testDb(), daysBefore((answer as { indexingDate: string }[])[0]?.indexingDate ?? '', 7))
  write('new/another cut.mov', 3 * gibibyte, 0)
  await scan(visit, id)
})
const start = dashboardOf(visit)

test.each(inputs)(
  'the largest files that were not opened for a year are found and downloaded, by %s',
  async (input) => {
    await start()
    const { press, write, key, see, steps } = counting(visit, input)
    await press('Search', 'link')
    await write('Search', 'accessed>1y storage:Films', 'searchbox')
    await key('Enter')
    await see('Last access before: 1 year ago')
    await see(/\b24 files/)
    await expect.poll(async () => (await rows())[0]).toMatch(/^reel 24\.mov/)
    await press('Download')
    await press('Files as CSV', 'menuitem')
    await see('CSV file downloaded successfully')
    const csv = () => readdirSync(visit.downloads).filter((name) => name.endsWith('.csv'))
    await expect.poll(csv).toHaveLength(1)
    const [file = ''] = csv()
    expect(readFileSync(join(visit.downloads, file), 'utf8').trim().split('\r\n')).toHaveLength(25)
    rmSync(join(visit.downloads, file))
    // 8 before.
    expect(steps()).toBe(5)
  },
)

test.each(inputs)('the folders whose duplicates waste the most are found, by %s', async (input) => {
  await start()
  const { press, see, steps } = counting(visit, input)
  await press('Duplicates', 'link')
  await press('Duplicates by folder', 'tab')
  await see(/masters[^]*backup|backup[^]*masters/)
  // Not possible before: files in sets only.
  expect(steps()).toBe(2)
})

test.each(inputs)('the owner whose files grew the most in a week is found, by %s', async (input) => {
  await start()
  const { press, steps } = counting(visit, input)
  await press('Comparison', 'link')
  await press('Owner', 'radio')
  await expect.poll(async () => (await rows()).join()).toMatch(/\+3\.00 GiB \+1 file/)
  // 3 before, if one knew the command palette.
  expect(steps()).toBe(2)
})

test('the browser reported no errors', () => expect(visit.complaints).toEqual([]))
