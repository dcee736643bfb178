import { waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { growingFolders } from '#events/overview/growing.ts'
import { figureHistory } from '#events/overview/history.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { today } from '#client/testing/examples.ts'
import { answer, hold, refuse } from '#client/testing/fakeApi.ts'
import { KiB, films, past, show, changeOf, shows, card, cardSays } from './testing/showDashboard.ts'

const twoDates = answer(
  snapshotDates,
  [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false })),
)

test('each figure shows its change over 30 days, and none where it is unknown', async () => {
  const history = answer(figureHistory, [
    { indexingDate: past, used: 5 * KiB, files: 1_000, duplicates: null, cold: [4 * KiB, KiB, 0] },
    { indexingDate: today, used: 8 * KiB, files: 3_500, duplicates: 2 * KiB, cold: [KiB, KiB, 0] },
  ])
  await show({}, [history])
  await waitFor(() => expect(changeOf('Used')).toBe(`+3.00 KiB since ${past}`))
  expect(changeOf('Files')).toBe(`+2,500 since ${past}`)
  expect(changeOf('Duplicates')).toBe('')
  expect(changeOf('Not accessed for 3 months')).toBe(`−3.00 KiB since ${past}`)
  expect(changeOf('Not accessed for 6 months')).toBe(`No change since ${past}`)
})

test('changes that cannot be read leave the figures as they are', async () => {
  await show({}, [refuse(figureHistory, { message: 'The store is away' }), twoDates])
  await shows('Files', '6', '227 KiB in 6 folders')
  expect(changeOf('Files')).toBe('')
})

test('a single snapshot has no change, and no room for one', async () => {
  const first = { indexingDate: today, used: 5 * KiB, files: 6, duplicates: null, cold: [0, 0, 0] }
  await show({}, [answer(figureHistory, [first])])
  await shows('Files', '6', '227 KiB in 6 folders')
  await waitFor(() => expect(changeOf('Files')).toBeUndefined())
})

test('with a single snapshot, no room is kept while the changes load', async () => {
  await show({}, [hold(figureHistory)])
  await shows('Files', '6', '227 KiB in 6 folders')
  expect(changeOf('Files')).toBeUndefined()
})

test('a storage says when its disk is full, with the range', async () => {
  const forecast = { days: 84.6, earliest: 62.9, latest: 130.2 }
  await show({ storages: [{ ...films, forecast }] })
  await cardSays('Storages', 'Full in 84 days (62 to 131 days)')
})

test('the folders that grew most lead to what changed in them', async () => {
  const folders = [{ volumeId: 1, volumeName: 'Films', path: '/shows/aurora', growth: 3 * KiB, size: 12 * KiB }]
  const growing = answer(growingFolders, { folders, indexingDate: today, previousIndexingDate: past })
  const { api } = await show({}, [twoDates, growing])
  await cardSays('Top growing folders', /Films \/shows\/aurora\+3\.00 KiB\+33\.3 %/)
  const link = within(await card('Top growing folders')).getByRole('link')
  expect(link.getAttribute('href')).toBe(`/comparison?volumeId=1&path=%2Fshows%2Faurora&previousDate=${past}`)
  expect(api.inputs(growingFolders).at(-1)?.params).toEqual({ previousDate: past })
})

test('growth needs a second snapshot', async () => {
  await show({})
  await cardSays('Top growing folders', 'Growth appears after the second snapshot.')
  // There is nothing to compare yet.
  expect(within(await card('Top growing folders')).queryByRole('link')).toBeNull()
  await cardSays('Most Active Storage', 'Appears after the second scan.')
  expect(within(await card('Most Active Storage')).queryByRole('link')).toBeNull()
})
