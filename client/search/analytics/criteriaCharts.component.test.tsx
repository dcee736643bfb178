import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import {
  searchEntries,
  searchEntriesDates,
  searchEntriesFields,
  searchEntriesSizes,
  searchFieldTypes,
} from '#events/search/criteria.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { volumes } from '#events/snapshots.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const GiB = 1_024 ** 3
const defaultAnswers: FakeAnswer[] = [
  answer(volumes, volumePage([volume(1, { name: 'Films' })])),
  answer(downloadLimit, { entries: 1_000 }),
  answer(searchFieldTypes, { name: 'string' }),
  answer(searchEntries, entryPage([entry('/a.mov'), entry('/b.wav')])),
  answer(searchEntriesSizes, { count: 3, size: 3 * GiB }),
  answer(searchEntriesFields, ({ query: { fieldName } }) => [
    { field: { extension: 'mov', fileType: 'video' }[fieldName as string] ?? 'ana', size: 2 * GiB, count: 1 },
    { field: { extension: 'wav', fileType: 'audio' }[fieldName as string] ?? 'bo', size: GiB, count: 2 },
  ]),
  answer(searchEntriesDates, ({ query: { size } }) =>
    Array.from({ length: size }, (_, i) => ({ date: `${2014 + i}-01-01`, size: GiB, count: 1 })),
  ),
]
const openCharts = (criteria: object) =>
  open(`/search?activeTab=2&criteria=${encodeURIComponent(JSON.stringify(criteria))}`, { answers: defaultAnswers })
const criteria = () => JSON.parse(new URLSearchParams(location.search).get('criteria') ?? 'null')
const card = async (title: string) =>
  (await screen.findByRole('heading', { name: title, level: 2 })).closest('section')!
const cardSays = (title: string, text: string) =>
  waitFor(async () => expect((await card(title)).textContent).toContain(text))
const choose = async (title: string, item: string) => within(await card(title)).findByRole('button', { name: item })

const large = [{ size: { min: 1_024 } }]

test('conditions have the same charts as filters, of files only', async () => {
  const { api } = await openCharts(large)
  await cardSays('Extension', 'Extension: 3 files, 3.00 GiB. The largest is mov with 2.00 GiB, 66.6 %.')
  await cardSays('File Types', 'The largest is Video with 2.00 GiB')
  await cardSays('Last Modified Date', '13 files')
  expect(api.inputs(searchEntriesFields)[0]?.body).toMatchObject({
    searchQueries: [{ field: 'isDirectory', operators: { value: false } }],
    searchQueryNodes: [{ searchQueries: [{ field: 'size', operators: { min: 1_024 } }] }],
  })
})

test('a part of a chart becomes another condition', async () => {
  const { person } = await openCharts(large)
  await person.press('Show Extension as table')
  await person.pressAt(await choose('Extension', 'mov'))
  await waitFor(() => expect(criteria().searchQueries).toEqual([...large, { extension: { values: ['mov'] } }]))
  await person.press('Show Last Modified Date as table')
  await person.pressAt(await choose('Last Modified Date', '2020'))
  await waitFor(() =>
    expect(criteria().searchQueries.slice(2)).toEqual([
      { lastModifiedDate: { after: '2020-01-01' } },
      { lastModifiedDate: { before: '2021-01-01' } },
    ]),
  )
})

test('the window moves by its end, which the conditions begin with', async () => {
  const { person, api } = await openCharts([{ lastModifiedDate: { before: '2024-06-01' } }])
  const sent = () => api.inputs(searchEntriesDates).findLast(({ query }) => query.dateField === 'lastModified')?.query
  await waitFor(() => expect(sent()).toMatchObject({ before: '2024-06-01', size: 13, dateIntervalType: 'YEAR' }))
  await cardSays('Last Modified Date', '2026')
  await person.press('Last Modified Date: previous 13 periods')
  await waitFor(() => expect(sent()).toMatchObject({ before: '2012-01-01' }))
})
