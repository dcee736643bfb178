import { beforeAll, expect, test } from 'vitest'
import { changedFilms } from '#client/testing/changedFilms.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()
let page: typeof visit.page
let person: ReturnType<typeof hands>
let made: Awaited<ReturnType<typeof changedFilms>>

/** Opens a screen that shows the storage beside the date of a week ago. */
const open = (screen: string, query: Record<string, string>) => {
  const asked = new URLSearchParams({ volumeId: String(made.films), previousDate: made.weekAgo, ...query })
  return page.goto(`${visit.product.address}/${screen}?${asked}`)
}

/** Opens the details of a row, and tells what their chip says on red, and which actions there are. */
async function detailsOf(name: string) {
  const row = await page.waitForSelector(`tr[data-index] ::-p-text(${name})`)
  await row?.evaluate((cell) => {
    const row = cell.closest('tr')
    const details = row?.querySelector<HTMLElement>('[data-do="details"]')
    if (details) details.click()
    else row?.focus()
  })
  if (!(await page.$('[data-do="details"]'))) await person.key('Enter')
  await person.see(/(File|Folder) Details/)
  return {
    chips: await page.$$eval('[role="dialog"] [data-gone] > span', (chips) => chips.map((chip) => chip.textContent)),
    mayAdd: !(await person.isDisabled('Add tags')),
    leadsThere: (await page.$$('[role="dialog"] ::-p-text(Show in File Management)')).length > 0,
  }
}
const close = async () => {
  await person.key('Escape')
  await person.closed()
}

beforeAll(async () => {
  ;({ page } = visit)
  person = hands(visit)
  made = await changedFilms(visit)
})

test('what scans left out is gone, and gets no tags', async () => {
  await signInAt(visit, '/comparison')
  await open('comparison', { kind: 'NO_LONGER_INDEXED' })
  expect(await detailsOf('preview.tmp')).toMatchObject({ chips: ['No longer indexed'], mayAdd: false })
  expect(await look(visit, 'details-no-longer-indexed')).toEqual([])
  await close()
})

test('what was moved is at its new place, and gone from the old one', async () => {
  await open('comparison', { kind: 'MOVED' })
  expect(await detailsOf('interview 2025.mxf')).toMatchObject({ chips: ['Moved or renamed'], mayAdd: true })
  await close()
  await open('folders', { path: '/raw' })
  expect(await detailsOf('interview.mxf')).toMatchObject({ chips: ['Moved or no longer indexed'], mayAdd: false })
  await close()
})

test('no way leads into a folder that is gone, however it went', async () => {
  await open('folders', { path: '/' })
  expect(await detailsOf('cuts')).toEqual({ chips: [], mayAdd: true, leadsThere: true })
  await close()
  expect(await detailsOf('trash')).toEqual({ chips: ['Deleted'], mayAdd: false, leadsThere: false })
  await close()
  expect(await detailsOf('cache')).toEqual({
    chips: ['Moved or no longer indexed'],
    mayAdd: false,
    leadsThere: false,
  })
  await close()
})

test('nothing of it made the browser complain', () => expect(visit.complaints).toEqual([]))
