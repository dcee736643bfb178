import type { HTTPRequest } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { scan } from '#client/testing/scan.ts'
import { hands, look as lookAt, signInAt, testVisit } from '#client/testing.ts'
import { changedFilms } from '#client/testing/changedFilms.ts'
import { readScreen } from './testing/readScreen.ts'

const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
let made: Awaited<ReturnType<typeof changedFilms>>
const { inAll, kinds, tabs, grown, rows, rowNames, alerts } = readScreen(visit)

const look = (name: string) => lookAt(visit, name)
const at = (path: string) => page.goto(visit.product.address + path)
const open = (query: Record<string, string> = {}) => {
  const requested = { volumeId: String(made.films), previousDate: made.weekAgo, ...query }
  return at(`/comparison?${new URLSearchParams(requested)}`)
}
const address = () => new URL(page.url())
const requested = (name: string) => address().searchParams.get(name)
const pressKind = (word: string) => person.pressAt(`fieldset button ::-p-text(${word})`)

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  made = await changedFilms(visit)
})

test('a storage stands beside the date of a week ago: in all, by folder, and file by file', async () => {
  await signInAt(visit, '/comparison')
  await at(`/comparison?volumeId=${made.films}`)
  await expect
    .poll(kinds)
    .toEqual([
      'Created 71 files 16 folders, 533 KiB +533 KiB',
      'Changed 2 files 2 folders, 65.0 KiB +50.0 KiB −75.0 KiB',
      'Moved 1 file 0 folders, 40.0 KiB',
      'Removed 2 files 1 folder, 24.0 KiB −24.0 KiB',
      'No longer indexed 2 files 1 folder, 17.0 KiB −17.0 KiB',
    ])
  expect(await inAll()).toEqual([
    'Total growth +472 KiB 176 KiB before, 648 KiB now +5.00 KiB of it not recorded file by file',
  ])
  await person.see(`from ${made.weekAgo} to ${made.today}`)
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
      'reel two.mov | /films/cuts/reel two.mov | Changed | 80.0 KiB | 5.00 KiB | −75.0 KiB',
      'reel one.mov | /films/cuts/reel one.mov | Changed | 10.0 KiB | 60.0 KiB | +50.0 KiB',
    ])
  expect(await tabs()).toEqual(['Files 78', 'Folders 20'])
  expect(await look('comparison')).toEqual([])
})

test('kinds are chosen, and the address keeps them; a step back lets them go', async () => {
  await pressKind('Moved')
  await expect
    .poll(rows)
    .toEqual([
      'interview 2025.mxf | /raw/interview.mxf → /archive/interview 2025.mxf | Moved | 40.0 KiB | 40.0 KiB | 0 B',
    ])
  await pressKind('Removed')
  await expect.poll(rowNames).toEqual(['first try.mov', 'notes.txt', 'interview 2025.mxf'])
  expect(requested('kind')).toBe('MOVED,REMOVED')
  await person.see('Moved or Removed only')
  expect(await tabs()).toEqual(['Files 3', 'Folders 1'])
  expect(await look('comparison-kinds')).toEqual([])
  await page.reload()
  await expect.poll(rowNames).toEqual(['first try.mov', 'notes.txt', 'interview 2025.mxf'])
  await page.goBack()
  await expect.poll(rowNames).toEqual(['interview 2025.mxf'])
  await person.pressAt('[role="tab"] ::-p-text(Folders)')
  await person.see('No folders under Moved.')
  await person.press('Show all kinds')
  await expect.poll(rows).toContain('raw | /films/raw | Changed | 40.0 KiB | 0 B | −40.0 KiB')
  expect([requested('kind'), requested('tab')]).toEqual([null, 'folders'])
  expect(await look('comparison-folders')).toEqual([])
})

test('the list is sorted, and has pages', async () => {
  await open({ size: '10' })
  await expect.poll(rowNames).toHaveLength(10)
  await person.press('Next page')
  await expect.poll(async () => (await rows())[0]).toContain('/days/day 13/take 3.wav')
  await person.pressAt('th button ::-p-text(Growth)')
  await expect.poll(rowNames).toContain('reel two.mov')
  expect([requested('sort'), requested('direction'), requested('page')]).toEqual(['delta', 'asc', null])
  await person.pressAt('th button ::-p-text(Name)')
  await expect.poll(async () => (await rowNames())[0]).toBe('credits.pdf')
  await open({ page: '9999' })
  await person.see('This page is beyond the last difference.')
  await person.press('First page')
  await expect.poll(async () => (await rowNames())[0]).toBe('reel two.mov')
})

test('a subfolder leads into its own comparison, which shows more of its folders when asked', async () => {
  await person.pressAt('main ol a ::-p-text(days)')
  await expect.poll(() => [requested('path'), requested('previousDate')]).toEqual(['/days', made.weekAgo])
  await expect.poll(grown).toHaveLength(10)
  await person.see('10 of 14')
  await person.press('Show 4 more')
  await expect.poll(grown).toHaveLength(14)
  await person.press('Show what shrank most first')
  await expect.poll(async () => (await grown())[0]).toBe('day 1 +5.00 KiB +5 files')
  await person.pressAt('nav[aria-label="Breadcrumb"] a ::-p-text(Films)')
  await expect.poll(() => requested('path')).toBe('/')
})

test('growth is told by extension and by owner, and leads to a search', async () => {
  await person.pressAt('label ::-p-text(Extension)')
  await expect.poll(async () => (await grown())[0]).toBe('wav +525 KiB +70 files')
  expect(await grown()).toContain('Not recorded file by file +5.00 KiB +1 file')
  await person.pressAt('label ::-p-text(Owner)')
  await expect.poll(grown).toHaveLength(2)
  expect(requested('by')).toBe('owner')
  await page.goBack()
  await person.pressAt('main ol a ::-p-text(wav)')
  await expect.poll(() => address().pathname).toBe('/search')
  expect([requested('extension'), requested('volumeId')]).toEqual(['wav', String(made.films)])
})

test('with keys alone one goes through the list, looks at a file and goes into a folder', async () => {
  await open()
  await page.waitForSelector('tr[data-index]')
  await page.focus('tr[data-index="0"]')
  await person.key('j')
  await person.key('ArrowUp')
  await person.key('Enter')
  await person.see('File Details')
  await person.key('Escape')
  await person.closed()
  await open({ tab: 'folders', sort: 'name', direction: 'asc', kind: 'REMOVED' })
  await expect.poll(rowNames).toEqual(['trash'])
  await page.focus('tr[data-index="0"]')
  await person.key('Enter')
  await expect.poll(() => requested('path')).toBe('/trash')
  await expect.poll(rowNames).toEqual(['first try.mov', 'notes.txt'])
  await person.enter('Show what shrank most first')
  await expect.poll(() => requested('growth')).toBe('asc')
})

test('all storages are compared at once, each row with whose it is', async () => {
  await person.pressAt('nav[aria-label="Breadcrumb"] a[aria-label="All volumes"]')
  await expect.poll(() => requested('volumeId')).toBeNull()
  await person.see('All storages')
  await expect.poll(grown).toContain('Sounds / Files directly in it +30.0 KiB +1 file')
  await expect.poll(rows).toContain('rain.wav | Sounds | /sounds/rain.wav | Created | 30.0 KiB | +30.0 KiB')
  expect(await look('comparison-all')).toEqual([])
  await person.pressAt('main ol a ::-p-text(Sounds)')
  await expect.poll(() => [requested('volumeId'), requested('path')]).toEqual([String(made.sounds), '/'])
})

test('where nothing differs that is said, with what to compare instead', async () => {
  await open({ path: '/same' })
  await person.see(`Nothing differs between ${made.weekAgo} and ${made.today}.`)
  expect(await look('comparison-nothing')).toEqual([])
  await person.press('Compare all storages', 'link')
  await expect.poll(() => [address().pathname, requested('volumeId')]).toEqual(['/comparison', null])
})

test('a date that there is no earlier snapshot of is said so, and the usual one is compared', async () => {
  for (const previousDate of ['garbage', made.today, '2099-01-01']) {
    await open({ previousDate })
    await person.see(`There is no snapshot of ${previousDate} before ${made.today}. It is compared with that of`)
    await expect.poll(async () => (await kinds())[0]).toContain('71 files')
  }
  expect(await look('comparison-other-date')).toEqual([])
  await person.press(`Keep ${made.weekAgo}`)
  await expect.poll(() => requested('previousDate')).toBe(made.weekAgo)
  await person.seeNo('There is no snapshot of')
  await open({ date: made.weekAgo })
  await person.see(`There is no snapshot before ${made.weekAgo} to compare with.`)
  expect(await look('comparison-first-date')).toEqual([])
  await person.press('Newest snapshot')
  await expect.poll(async () => (await kinds())[0]).toContain('71 files')
})

test('an address that names no folder says so, and one with other words it does not know is as usual', async () => {
  for (const query of ['volumeId=x', 'volumeId=999', 'path=/films', `volumeId=${made.films}&path=/nowhere`]) {
    await at(`/comparison?${query}`)
    await person.see('No folder found')
  }
  await open({ kind: 'burnt', by: 'moon', sort: 'colour', page: '-1', size: '7', tab: '9' })
  await expect.poll(async () => (await rowNames())[0]).toBe('reel two.mov')
})

test('folder analytics, File Management, a storage and the palette lead here', async () => {
  const leads = async (from: string, place: string | null, previousDate: string | null) => {
    await at(from)
    await person.press('Compare', 'link')
    await expect.poll(() => address().pathname).toBe('/comparison')
    expect([requested('path'), requested('previousDate')]).toEqual([place, previousDate])
  }
  const cuts = `volumeId=${made.films}&path=/cuts`
  await leads(`/folders?${cuts}`, '/cuts', made.weekAgo)
  await leads(`/volumes/${made.films}`, '/', null)
  await leads('/filemanagement', null, null)
  await leads(`/filemanagement?${cuts}`, '/cuts', null)
  await at(`/filemanagement?${cuts}`)
  await person.choose('Last column', 'Delta')
  await person.pressAt('section[aria-label="Content of the folder"] a[aria-label="Compare"]')
  await expect.poll(() => [requested('path'), requested('previousDate')]).toEqual(['/cuts', made.weekAgo])
  await expect.poll(rowNames).toEqual(['reel two.mov', 'reel one.mov'])
  await page.keyboard.down('Control')
  await person.key('k')
  await page.keyboard.up('Control')
  await person.see('Commands')
  await person.type('comparison of')
  await person.key('Enter')
  await expect.poll(() => [address().pathname, requested('path')]).toEqual(['/comparison', null])
})

test('what cannot be compared says so in its place, once aloud, and can be tried again', async () => {
  let isBroken = true
  await page.setRequestInterception(true)
  const answer = (request: HTTPRequest) => {
    if (isBroken && request.url().includes('/v1/comparisons/')) void request.respond({ status: 500, body: '' })
    else void request.continue()
  }
  page.on('request', answer)
  await open()
  await expect
    .poll(alerts)
    .toEqual([
      'Unable to compare the snapshots Retry',
      'Unable to compare the groups of the snapshots Retry',
      'Unable to compare the files of the snapshots Retry',
    ])
  await expect.poll(() => page.$$('.toast-danger')).toHaveLength(1)
  expect(await look('comparison-failed')).toEqual([])
  isBroken = false
  for (const left of [2, 1, 0]) {
    await person.pressAt('main [role="alert"] button')
    await expect.poll(alerts).toHaveLength(left)
  }
  await expect.poll(async () => (await rowNames())[0]).toBe('reel two.mov')
  page.off('request', answer)
  await page.setRequestInterception(false)
})

test('a snapshot that is not whole is said to be partial', async () => {
  const answer = (request: HTTPRequest) => {
    if (!request.url().endsWith('/administration/dates')) return void request.continue()
    const dates = [made.today, made.weekAgo].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: true }))
    return void request.respond({ contentType: 'application/json', body: JSON.stringify(dates) })
  }
  await page.setRequestInterception(true)
  page.on('request', answer)
  await open()
  await person.see(`Partial: ${made.weekAgo}`)
  await person.see(`Partial: ${made.today}`)
  expect(await look('comparison-partial')).toEqual([])
  page.off('request', answer)
  await page.setRequestInterception(false)
  await page.reload()
  await person.seeNo('Partial')
})

test('what a scan finds appears while one looks', async () => {
  made.write('late.mov', 200)
  await scan(visit, made.films)
  await expect.poll(async () => (await rowNames())[0]).toBe('late.mov')
  await expect.poll(async () => (await kinds())[0]).toContain('72 files')
})

test('nothing of it made the browser complain', () =>
  expect(visit.complaints.filter((complaint) => !complaint.includes('status of 500'))).toEqual([]))
