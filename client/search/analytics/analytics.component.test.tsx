import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { SearchFilters } from '#events/search/filters.ts'
import {
  type DateInterval,
  searchDates,
  searchFields,
  searchFiles,
  searchSizes,
  type Totals,
} from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { volumes } from '#events/snapshots.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const KiB = 1_024
const storages = [volume(1, { name: 'Films' }), volume(2, { name: 'Archive' })]

type File = { extension: string; volumeId: number; size: number; day: string; isDupe?: boolean }
const times = (count: number, file: (place: number) => File) => Array.from({ length: count }, (_, i) => file(i))
const files: File[] = [
  ...times(3, (i) => ({ extension: 'mov', volumeId: 1, size: (i + 1) * 1_024 * KiB, day: '2019-06-05' })),
  ...times(4, (i) => ({ extension: 'txt', volumeId: 1, size: 100 * KiB, day: `2024-03-${11 + i}` })),
  ...times(2, () => ({ extension: 'wav', volumeId: 1, size: 512 * KiB, day: '2009-02-03', isDupe: true })),
  { extension: '', volumeId: 2, size: 300 * KiB, day: '2024-03-20' },
  ...times(14, (i) => ({ extension: `k${i + 10}`, volumeId: 2, size: (i + 10) * KiB, day: '2026-01-02' })),
]

const isFound =
  ({ name, extension, ignorePattern, volumeId, onlyDuplicates, ...dates }: SearchFilters) =>
  (file: File) =>
    name === undefined &&
    (extension.length === 0 || extension.includes(file.extension)) &&
    (volumeId.length === 0 || volumeId.includes(file.volumeId)) &&
    !(ignorePattern.includes('*.*') && file.extension !== '') &&
    (onlyDuplicates === undefined || file.isDupe === true) &&
    file.day >= (dates.lastModifiedAfter ?? '') &&
    file.day < (dates.lastModifiedBefore ?? '9')

const totalsOf = (found: readonly File[]): Totals => ({
  count: found.length,
  size: found.reduce((sum, { size }) => sum + size, 0),
})
/** Only duplicates have a reclaimable size. */
const duplicateTotals = (areDuplicates: boolean) => (areDuplicates ? { reclaimable: 512 * KiB } : {})

const fieldOf = (file: File, fieldName: string) =>
  ({
    extension: file.extension,
    storageName: storages.find(({ id }) => id === file.volumeId)!.name,
    isDupe: String(file.isDupe ?? false),
  })[fieldName] ?? ''

const dateText = (date: Date) => date.toISOString().slice(0, 10)
/** First days of consecutive periods, oldest first; the last one contains the day before `end`. */
function periods(unit: DateInterval, end: string, count: number): string[] {
  const last = new Date(Date.parse(end) - 86_400_000)
  const [year, month, day] = [last.getUTCFullYear(), last.getUTCMonth(), last.getUTCDate()]
  const monday = day - ((last.getUTCDay() + 6) % 7)
  const starts = {
    YEAR: (ago: number) => Date.UTC(year - ago, 0, 1),
    MONTH: (ago: number) => Date.UTC(year, month - ago, 1),
    WEEK: (ago: number) => Date.UTC(year, month, monday - 7 * ago),
    DAY: (ago: number) => Date.UTC(year, month, day - ago),
  }
  return Array.from({ length: count }, (_, i) => dateText(new Date(starts[unit](count - 1 - i))))
}

const searchedTotals = (query: SearchFilters) => ({
  ...totalsOf(files.filter(isFound(query))),
  ...duplicateTotals(query.onlyDuplicates === true),
})
const defaultAnswers: FakeAnswer[] = [
  answer(volumes, volumePage(storages)),
  answer(knownTags, []),
  answer(knownReports, []),
  answer(downloadLimit, { entries: 1_000 }),
  answer(searchFiles, ({ query }) => {
    const found = files.filter(isFound(query)).map((_, i) => entry(`/file-${i}`))
    return { ...entryPage(found), totals: searchedTotals(query) }
  }),
  answer(searchSizes, ({ query }) => searchedTotals(query)),
  answer(searchFields, ({ query }) =>
    [...Map.groupBy(files.filter(isFound(query)), (file) => fieldOf(file, query.fieldName))]
      .map(([field, found]) => ({
        field,
        ...totalsOf(found),
        ...duplicateTotals(query.fieldName === 'isDupe' && field === 'true'),
      }))
      .toSorted((a, b) => b.size - a.size),
  ),
  answer(searchDates, ({ query }) => {
    const end = query.lastModifiedBefore ?? '2026-03-02'
    const starts = periods(query.dateIntervalType, end, query.size)
    return starts.map((date, i) => {
      const next = starts[i + 1] ?? end
      const found = files.filter(isFound(query)).filter(({ day }) => day >= date && day < next)
      return { date, ...totalsOf(found) }
    })
  }),
]
const openAnalytics = (words = '', ...answers: FakeAnswer[]) =>
  open(`/search?activeTab=2${words}`, { answers: [...defaultAnswers, ...answers] })

const card = async (title: string) =>
  (await screen.findByRole('heading', { name: title, level: 2 })).closest('section')!
const rows = async (title: string) =>
  [...(await card(title)).querySelectorAll('tbody tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  )
const row = async (title: string, name: string) => (await rows(title)).find(([first]) => first === name)?.slice(1)
const cardSays = (title: string, text: string | RegExp) =>
  waitFor(async () => expect((await card(title)).textContent).toMatch(text))
const query = () => decodeURIComponent(location.search)

test('every card lists its parts with sizes and numbers of files, the small ones as others', async () => {
  const { person } = await openAnalytics()
  for (const title of ['Last Modified Date', 'Extension', 'Duplicates', 'Storages', 'Storage Types', 'Owners'])
    await person.press(`Show ${title} as table`)
  await waitFor(async () => expect(await row('Last Modified Date', '2019')).toEqual(['6.00 MiB', '3 files']))
  expect(await row('Last Modified Date', '2024')).toEqual(['700 KiB', '5 files'])
  expect(await row('Last Modified Date', '2026')).toEqual(['231 KiB', '14 files'])
  expect(await rows('Last Modified Date')).toHaveLength(13)
  expect(await row('Extension', 'mov')).toEqual(['6.00 MiB', '3', '75.8 %'])
  expect(await row('Extension', 'No extension')).toEqual(['300 KiB', '1', '3.7 %'])
  expect(await rows('Extension')).toHaveLength(11)
  expect((await rows('Extension')).at(-1)?.slice(0, 3)).toEqual(['Other', '108 KiB', '8'])
  expect(await row('Duplicates', 'Duplicates')).toEqual(['1.00 MiB', '2', '12.6 %'])
  await cardSays('Duplicates', /512 KiB reclaimable.*Contents are compared only/)
  expect((await rows('Storages')).map(([name]) => name)).toEqual(['Films', 'Archive'])
  expect(await rows('Storage Types')).toEqual([['File storage', '7.91 MiB', '24', '100.0 %']])
  expect(await rows('Owners')).toEqual([['No owner', '7.91 MiB', '24', '100.0 %']])
})

test('the arrows move the window by 13 periods, and not past the present', async () => {
  const { person } = await openAnalytics()
  await person.press('Show Last Modified Date as table')
  await waitFor(async () => expect(await row('Last Modified Date', '2024')).toBeDefined())
  expect(await person.isDisabled('Last Modified Date: next 13 periods')).toBe(true)
  await person.press('Last Modified Date: previous 13 periods')
  await waitFor(async () => expect(await row('Last Modified Date', '2009')).toEqual(['1.00 MiB', '2 files']))
  const years = (await rows('Last Modified Date')).map(([name]) => name)
  expect(years).toEqual(Array.from({ length: 13 }, (_, i) => String(2001 + i)))
  await cardSays('Last Modified Date', '2001 – 2013')
  await person.press('Last Modified Date: next 13 periods')
  await waitFor(async () => expect(await row('Last Modified Date', '2024')).toEqual(['700 KiB', '5 files']))
  expect(await person.isDisabled('Last Modified Date: next 13 periods')).toBe(true)
})

test('a window that was moved outside of the filtered dates says so', async () => {
  const { person } = await openAnalytics('&lastModifiedAfter=2024-03-10&lastModifiedBefore=2024-03-18')
  await cardSays('Last Modified Date', 'By day')
  await person.press('Last Modified Date: previous 13 periods')
  await cardSays('Last Modified Date', 'Outside the filtered dates')
})

test('the number of items, their form and what is measured are chosen, and remembered', async () => {
  const { person, api } = await openAnalytics()
  await cardSays('Extension', /The largest is mov with 6\.00 MiB, 75\.8 %\./)
  await person.choose('Shown items of Extension', '5')
  await person.press('Show Extension as table')
  await waitFor(async () => expect(await rows('Extension')).toHaveLength(6))
  await person.press('Show Extension as table')
  await person.press('Extension as circle')
  await person.press('Files', 'radio')
  await cardSays('Extension', /The largest is txt with 4, 16\.[67] %\./)
  await waitFor(() => expect(api.inputs(searchFields).at(-1)?.query.size).toBe(1_000))
  expect(JSON.parse(localStorage.getItem('searchAnalytics') ?? '')).toMatchObject({
    measure: 'count',
    shapes: { extension: 'circle' },
    shown: { extension: 5 },
  })
  const pressed = async (name: string) => (await screen.findByRole('button', { name })).getAttribute('aria-pressed')
  expect([await pressed('Extension as circle'), await pressed('Extension as bars')]).toEqual(['true', 'false'])
})

test('periods narrow the search unit by unit', async () => {
  const { person } = await openAnalytics()
  await person.press('Show Last Modified Date as table')
  await cardSays('Last Modified Date', 'By year')
  await person.press('2024')
  await waitFor(() => expect(query()).toContain('lastModifiedAfter=2024-01-01&lastModifiedBefore=2025-01-01'))
  await cardSays('Last Modified Date', 'from December 2023 to December 2024: 5 files')
  await cardSays('Last Modified Date', 'By month')
  await cardSays('Extension', 'Extension: 5 files')
  await person.press('Show Last Modified Date as table')
  await person.press('March 2024')
  await waitFor(() => expect(query()).toContain('lastModifiedAfter=2024-03-01&lastModifiedBefore=2024-04-01'))
  await cardSays('Last Modified Date', /from Week of .*: 5 files/)
  const days = await openAnalytics('&lastModifiedAfter=2024-03-10&lastModifiedBefore=2024-03-18')
  await days.person.press('Show Last Modified Date as table')
  await days.person.press('2024-03-12')
  await waitFor(() => expect(query()).toContain('lastModifiedAfter=2024-03-12&lastModifiedBefore=2024-03-13'))
  await cardSays('Extension', 'Extension: 1 file,')
})

test.each([
  {
    name: 'a storage and then no extension',
    choices: [
      { title: 'Storages', item: 'Archive', expected: 'volumeId=2', says: 'Storages: 15 files' },
      { title: 'Extension', item: 'No extension', expected: 'ignorePattern=*.*', says: 'Extension: 1 file,' },
    ],
  },
  {
    name: 'duplicates and then an extension',
    choices: [
      { title: 'Duplicates', item: 'Duplicates', expected: 'onlyDuplicates=true', says: 'Duplicates: 2 files' },
      { title: 'Extension', item: 'wav', expected: 'extension=wav', says: 'Extension: 2 files' },
    ],
  },
])('choosing $name narrows the search', async ({ choices }) => {
  const { person } = await openAnalytics()
  for (const { title, item, expected, says } of choices) {
    await person.press(`Show ${title} as table`)
    await person.pressAt(await within(await card(title)).findByRole('button', { name: item }))
    await waitFor(() => expect(query()).toContain(expected))
    await cardSays(title, says)
  }
})

test('an item without a name cannot be chosen, and no files found has a way out', async () => {
  const { person } = await openAnalytics()
  await cardSays('Owners', 'No owner')
  expect(within(await card('Owners')).queryByRole('button', { name: /No owner/ })).toBeNull()
  const nothing = await openAnalytics('&name=nothing-is-called-so')
  await nothing.person.see('No files found')
  await nothing.person.pressAt(screen.getAllByRole('button', { name: 'Clear filters' }).at(-1)!)
  await cardSays('Extension', 'Extension: 24 files')
  expect(query()).not.toContain('name=')
  await person.seeNo('No files found')
})

test('duplicates show what is reclaimable, and are grouped by set on request', async () => {
  const { person, api } = await open('/search?onlyDuplicates=true', { answers: defaultAnswers })
  await waitFor(() =>
    expect(screen.getByLabelText('Found').textContent).toMatch(/^2 files1\.00 MiB512 KiB reclaimable/),
  )
  await person.press('Group duplicates')
  await waitFor(() => expect(query()).toContain('sort=duplicateSet&direction=desc'))
  const sent = { onlyDuplicates: true, sort: 'duplicateSet', direction: 'desc' }
  await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query).toMatchObject(sent))
  await person.press('Group duplicates')
  await waitFor(() => expect(query()).not.toContain('sort='))
  await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query.sort).toBe('size'))
})

test('a card that fails says so and is read again, and a report that fails is closed with a message', async () => {
  const fields = defaultAnswers.find(({ endpoint }) => endpoint === searchFields)!
  const { person, api } = await openAnalytics('', fail(searchFields))
  await cardSays('Owners', /Unable to get the fields of the search.*Retry/)
  await cardSays('Last Modified Date', '22 files')
  await person.press('Search report')
  await person.closed()
  const messages = () => [...document.querySelectorAll('.mantine-Notification-root')].map((each) => each.textContent)
  await waitFor(() => expect(messages().join()).toMatch('Unable to get the fields of the search'))
  api.answer(fields)
  await person.pressAt(within(await card('Owners')).getByRole('button', { name: 'Retry' }))
  await cardSays('Owners', 'Owners: 24 files')
})
