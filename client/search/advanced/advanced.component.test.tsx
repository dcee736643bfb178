import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles, searchFolders, searchSizes } from '#events/search/calls.ts'
import { searchEntries, searchEntriesSizes, searchFieldTypes } from '#events/search/criteria.ts'
import { criteriaCsv, criteriaSpreadsheet, downloadLimit } from '#events/search/exports.ts'
import { fieldTitles } from '#events/search/string-format/conditions.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { knownReports, knownTags, tagByCriteria } from '#events/tags.ts'
import { entry, entryPage, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const defaultAnswers: FakeAnswer[] = [
  answer(searchFiles, entryPage([])),
  answer(searchFolders, entryPage([])),
  answer(searchSizes, { count: 0, size: 0 }),
  answer(searchEntries, entryPage([entry('/b.mov'), entry('/a.mov')])),
  answer(searchEntriesSizes, { count: 2, size: 3_072 }),
  answer(searchFieldTypes, { name: 'string' }),
  answer(volumes, volumePage([volume(1, { name: 'Films' })])),
  answer(downloadLimit, { entries: 1_000 }),
  answer(knownTags, []),
  answer(knownReports, []),
]
const openSearch = (address: string, ...answers: FakeAnswer[]) =>
  open(address, { answers: [...defaultAnswers, ...answers] })
const addressOf = (criteria: unknown) => `/search?criteria=${encodeURIComponent(JSON.stringify(criteria))}`
const criteria = () => JSON.parse(new URLSearchParams(location.search).get('criteria') ?? 'null')
const conditions = () => screen.findByRole('region', { name: 'Conditions' })
const textField = async () => within(await conditions()).getByLabelText<HTMLTextAreaElement>('String format')
const seeText = (text: string) => waitFor(async () => expect((await textField()).value).toBe(text))
/** The nth value input, from 0. */
const value = async (index: number) => within(await conditions()).getAllByLabelText('Value')[index]!

/** Films whose name does not begin with an a, or anything that begins with a c. */
const chosen = {
  searchOperator: 'OR',
  searchQueries: [{ name: { wildcard: 'c*' } }],
  searchQueryNodes: [
    {
      searchOperator: 'AND',
      searchQueries: [{ extension: { value: 'mov' } }, { name: { startsWith: 'a' }, excludeFilter: true }],
      searchQueryNodes: [],
    },
  ],
}
const three = [{ name: { wildcard: '*.mov' } }, { size: { min: 1_024 } }, { extension: { value: 'mov' } }]
const threeAsText = 'Name matches "*.mov" AND Size is at least 1 KiB AND Extension is "mov"'

test('the advanced search starts with the filters, and counts while conditions are written', async () => {
  const { person, api } = await openSearch('/search?extension=mov')
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await person.press('OR', 'radio')
  await person.press('Add condition')
  await person.fill(await value(1), 'c*')
  await seeText('Extension is one of "mov" OR Name matches "c*"')
  await person.see('2 files and folders')
  await waitFor(() =>
    expect(criteria()).toMatchObject({ searchOperator: 'OR', searchQueries: [{}, { name: { wildcard: 'c*' } }] }),
  )
  await waitFor(() => expect(api.inputs(searchEntries).length).toBeGreaterThan(1))
})

test('groups are nested, conditions exclude, and the address brings all of it back', async () => {
  const { person } = await openSearch(addressOf([{ extension: { values: ['mov'] } }]))
  await person.press('Add group')
  await person.fill(await value(1), '*.txt{Enter}')
  const excludes = () => within(document.body).getAllByRole('checkbox', { name: 'Exclude' })
  await seeText('Extension is one of "mov" AND (Name matches "*.txt")')
  await person.pressAt(excludes()[1]!)
  const text = 'Extension is one of "mov" AND (NOT Name matches "*.txt")'
  await seeText(text)
  await openSearch(location.pathname + location.search)
  await seeText(text)
})

test('filters without a condition are listed, and apply again with the filters', async () => {
  const { person } = await openSearch('/search?extension=mov&backupAfter=2026-01-01&report=Old films')
  await person.see('No files found')
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await person.see('Left out, because conditions cannot express it: Reports: Old films; Backup after: 2026-01-01.')
  await person.press('Advanced')
  await person.see('No files found')
  expect(new URLSearchParams(location.search).get('backupAfter')).toBe('2026-01-01')
})

test('filters for which conditions have no room are named', async () => {
  const places = Array.from({ length: 51 }, (_, i) => `storageAndPath=999:/${i}`)
  const { person } = await openSearch(`/search?extension=mov&${places.join('&')}`)
  await person.press('Advanced')
  await seeText('Extension is one of "mov"')
  await person.see('Left out, because conditions cannot express it: Storage and path: ')
})

test('refusals of the server are below the conditions, and invalid conditions are left out of the address', async () => {
  const subErrors = [{ field: 'searchQueries.0.name.regex', message: 'is not a valid regular expression' }]
  const { person } = await openSearch(
    addressOf([{ name: { regex: '(' } }]),
    refuse(searchEntriesSizes, { message: 'Validation errors', subErrors }, 400),
  )
  await person.see('name regex is not a valid regular expression')
  const other = await openSearch('/search?criteria=nonsense')
  await other.person.see('Left out of the search: criteria must be JSON.')
})

test('conditions that no address can hold are refused in words, and nothing else is searched for', async () => {
  const { person, api } = await openSearch(addressOf(chosen))
  await seeText('Name matches "c*" OR (Extension is "mov" AND NOT Name begins with "a")')
  await waitFor(() => expect(api.inputs(searchEntries)).toHaveLength(1))
  fireEvent.change(await value(0), { target: { value: '日'.repeat(850) } })
  await person.see('These conditions are too long for a URL')
  expect(criteria()).toEqual(chosen)
  expect(api.inputs(searchEntries)).toHaveLength(1)
})

test('results of conditions are downloaded in their order, and for their date', async () => {
  const dates = [today, '2026-01-10'].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const { person, api, saved } = await openSearch(
    `${addressOf(chosen)}&sort=name&direction=asc&date=2026-01-10`,
    answer(snapshotDates, dates),
    answer(criteriaCsv, { name: 'searchFileResult-2026-01-10.csv', text: 'Name' }),
    answer(criteriaSpreadsheet, { name: 'searchFolderResult.xlsx', text: 'Name' }),
  )
  await person.press('Download')
  await person.press('Files as CSV', 'menuitem')
  await person.see('CSV file downloaded successfully')
  expect(saved).toEqual([{ name: 'searchFileResult-2026-01-10.csv', text: 'Name' }])
  const query = { sort: 'name', direction: 'asc', indexingDate: '2026-01-10', isDirectory: false }
  expect(api.inputs(criteriaCsv)).toMatchObject([{ query: query, body: chosen }])
  await person.press('Download')
  await person.press('Folders as spreadsheet (XLSX)', 'menuitem')
  await person.see('XLSX file downloaded successfully')
  expect(api.inputs(criteriaSpreadsheet)).toMatchObject([{ query: { isDirectory: true }, body: chosen }])
})

test('all that conditions find is tagged at once, or loses tags', async () => {
  const { person, api } = await openSearch(
    addressOf(chosen),
    answer(knownTags, ['chosen']),
    answer(tagByCriteria, { jobId: 9 }),
  )
  for (const words of ['Add tags', 'Remove tags']) {
    await person.press(/^Select: /)
    await person.press('Select all', 'menuitem')
    await person.see('2 files selected')
    await person.press(words)
    await person.press('chosen', 'checkbox')
    await person.pressAt(
      within(await screen.findByRole('dialog', { name: words })).getByRole('button', { name: words }),
    )
    await person.see('The tag job is running and may take a couple of minutes.')
  }
  const tagging = { tagToApply: ['chosen'], isDirectory: false, everything: false }
  await waitFor(() =>
    expect(api.inputs(tagByCriteria)).toMatchObject([
      { query: { ...tagging, deleteTag: false }, body: chosen },
      { query: { ...tagging, deleteTag: true } },
    ]),
  )
})

test('text becomes the conditions, and says where it cannot be read', async () => {
  const { person } = await openSearch(addressOf([{ name: { wildcard: '*.mov' } }]))
  await seeText('Name matches "*.mov"')
  const typed = 'name is "d.txt" or (Size >= 3 KB and not Extension = mov'
  await person.fill(await textField(), `${typed}{Enter}`)
  await person.see('Character 20: This parenthesis is not closed.')
  await person.fill(await textField(), `${typed}){Enter}`)
  await seeText('Name is "d.txt" OR (Size is at least 3 KiB AND NOT Extension is "mov")')
  await waitFor(() => expect(criteria().searchQueryNodes[0].searchQueries[0]).toEqual({ size: { min: 3_072 } }))
})

test('a change is undone and redone; a blank filter is left if all are removed', async () => {
  const { person } = await openSearch(addressOf([{ name: { wildcard: '*.mov' } }]))
  await person.press('Remove the condition of Name')
  await seeText('')
  await person.see('No complete conditions yet. Everything matches.')
  await person.press('Undo')
  await seeText('Name matches "*.mov"')
  await person.press('Redo')
  await seeText('')
  await person.keys('{Control>}z{/Control}')
  await seeText('Name matches "*.mov"')
})

test('the keys of metadata that the server reports are fields of a text', async () => {
  const types = {
    name: 'string',
    'metadata.camera': 'string',
    'metadata.video.hasProxy': 'boolean',
    'metadata.white balance': 'string',
  } as const
  const { person } = await openSearch(addressOf(three), answer(searchFieldTypes, types))
  await seeText(threeAsText)
  const [field] = within(await conditions()).getAllByLabelText<HTMLSelectElement>('Field')
  const offered = () => [...field!.options].map(({ text }) => text)
  await waitFor(() =>
    expect(offered()).toEqual([...Object.values(fieldTitles), 'camera', 'Has a proxy', 'white balance']),
  )
  await person.select(field!, 'white balance')
  await person.select(within(await conditions()).getAllByLabelText('Operator')[0]!, 'Is')
  await person.fill(await value(0), '5600')
  await seeText('"metadata.white balance" is "5600" AND Size is at least 1 KiB AND Extension is "mov"')
  await waitFor(() => expect(criteria().searchQueries[0]).toEqual({ 'metadata.white balance': { value: '5600' } }))
  await person.select(field!, 'Has a proxy')
  await person.select(await value(0), 'No')
  await seeText('Has a proxy is no AND Size is at least 1 KiB AND Extension is "mov"')
  await waitFor(() => expect(criteria().searchQueries[0]).toEqual({ 'metadata.video.hasProxy': { value: false } }))
})

test('without the answer of the server the built-in fields are offered', async () => {
  const { person } = await openSearch(addressOf(three), refuse(searchFieldTypes, { message: 'The store is away' }))
  await person.see('Metadata fields could not be loaded. Only built-in fields are available.')
  const [field] = within(await conditions()).getAllByLabelText<HTMLSelectElement>('Field')
  expect([...field!.options].map(({ text }) => text)).toEqual(Object.values(fieldTitles))
  await person.select(field!, 'Owner')
  await seeText('Size is at least 1 KiB AND Extension is "mov"')
})

test('each type has a field of its own, and a storage that is gone is invalid', async () => {
  const { person } = await openSearch(addressOf([{ name: { wildcard: '*' } }, { volumeId: { values: [1, 99] } }]))
  await seeText('Name matches "*" AND Storage Types is one of "Films", Invalid 99')
  await person.see('Invalid (99)')
  await person.press('Remove the condition of Storage Types')
  await person.choose('Field', 'Size')
  await person.fill(await value(0), '3')
  await person.choose('Unit', 'KiB')
  await seeText('Size is at least 3 KiB')
  await person.choose('Operator', 'Is One of')
  await person.choose('Field', 'Extension')
  await person.choose('Operator', 'Is One of')
  await person.fill(await value(0), '.mov, .w av')
  await seeText('Extension is one of "mov", "w av"')
  await person.choose('Field', 'Last modified')
  await person.write('Value: After', '2020-01-01{Enter}')
  await seeText('Last modified is on or after 2020-01-01')
  await person.press('Clear Value: After')
  await seeText('')
  await person.choose('Unit of Value: After', 'Months ago')
  await person.write('Value: After', '6{Enter}')
  await seeText('Last modified is on or after 6 months ago')
  await waitFor(() => expect(criteria()).toMatchObject({ searchQueries: [{ lastModifiedDate: { after: 'now-6M' } }] }))
  await person.choose('Unit of Value: After', 'Years ago')
  await seeText('Last modified is on or after 6 years ago')
  await person.choose('Unit of Value: After', 'Date')
  await seeText('')
  await person.see('No complete conditions yet. Everything matches.')
})
