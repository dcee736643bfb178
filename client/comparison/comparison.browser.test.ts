import { beforeAll, expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { changedFilms } from '#client/testing/changedFilms.ts'
import { readScreen } from './testing/readScreen.ts'

const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
let made: Awaited<ReturnType<typeof changedFilms>>
const { inAll, kinds, tabs, grown, rows, rowNames } = readScreen(visit)

const requested = (name: string) => new URL(page.url()).searchParams.get(name)

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  made = await changedFilms(visit)
})

test('all storages lead to one of them: its totals, growth by folder, and each file that differs', async () => {
  await signInAt(visit, '/comparison')
  await expect.poll(grown).toContain('Sounds / Files directly in it +30.0 KiB +1 file')
  await expect.poll(rows).toContain('rain.wav | Sounds | /sounds | Created | 30.0 KiB | +30.0 KiB')
  // Folders have room on small screens, too.
  await page.setViewport({ width: 1024, height: 900 })
  expect(await page.$eval('tbody td:nth-child(3)', ({ clientWidth }) => clientWidth)).toBeGreaterThan(120)
  await page.setViewport({ width: 1440, height: 900 })
  await person.pressAt(`main ol a[href*="volumeId=${made.films}&path=%2F&"]`)
  await expect
    .poll(kinds)
    .toEqual([
      'Created 71 files 16 folders, 533 KiB +533 KiB',
      'Changed 2 files 2 folders, 65.0 KiB +50.0 KiB −75.0 KiB',
      'Moved 1 file 0 folders, 40.0 KiB',
      'Removed 2 files 1 folder, 24.0 KiB −24.0 KiB',
      'No longer indexed 2 files 1 folder, 17.0 KiB −17.0 KiB',
    ])
  await expect
    .poll(inAll)
    .toEqual(['Total growth +472 KiB 176 KiB before, 648 KiB now Includes +5.00 KiB not recorded file by file'])
  await expect
    .poll(grown)
    .toEqual([
      'days +525 KiB +70 files',
      'archive +40.0 KiB +1 file',
      'Files directly in it +8.00 KiB +1 file',
      'cache −12.0 KiB −1 file',
      'trash −24.0 KiB −2 files',
      'cuts −25.0 KiB as many files',
      'raw −40.0 KiB −1 file',
    ])
  await expect
    .poll(async () => (await rows()).slice(0, 2))
    .toEqual([
      'reel two.mov | /films/cuts | Changed | 80.0 KiB | 5.00 KiB | −75.0 KiB',
      'reel one.mov | /films/cuts | Changed | 10.0 KiB | 60.0 KiB | +50.0 KiB',
    ])
  expect(await tabs()).toEqual(['Files 78', 'Folders 20'])
  expect(await look(visit, 'comparison')).toEqual([])
})

test('a kind and a folder are chosen by mouse', async () => {
  await person.pressAt('fieldset button ::-p-text(Moved)')
  await expect
    .poll(rows)
    .toEqual([
      'interview 2025.mxf | /films/raw/interview.mxf → /films/archive/interview 2025.mxf | Moved | 40.0 KiB | 40.0 KiB | 0 B',
    ])
  await person.pressAt('main ol a ::-p-text(days)')
  await expect.poll(() => [requested('path'), requested('previousDate')]).toEqual(['/days', made.weekAgo])
  await person.pressAt('label ::-p-text(Extension)')
  await expect.poll(grown).toEqual(['wav +525 KiB +70 files'])
  await person.pressAt('nav[aria-label="Breadcrumb"] a ::-p-text(Films)')
  await expect.poll(rowNames).toContain('reel two.mov')
})

test('by keyboard, a file shows its details and a folder its comparison', async () => {
  await page.focus('tr[data-index="0"]')
  await person.key('j')
  await person.key('ArrowUp')
  await person.key('Enter')
  await person.see('File Details')
  await person.key('Escape')
  await person.closed()
  await page.focus('[role="tab"][aria-selected="true"]')
  await person.key('ArrowRight')
  await page.focus('fieldset button:nth-child(4)')
  await person.key('Enter')
  await expect.poll(rowNames).toEqual(['trash'])
  await page.focus('tr[data-index="0"]')
  await person.key('Enter')
  await expect.poll(() => requested('path')).toBe('/trash')
  await expect.poll(rowNames).toEqual(['first try.mov', 'notes.txt'])
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
