import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dashboard } from '#events/dashboard.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { searchSizes } from '#events/search/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { mostActiveVolumes, storages } from '#events/storages.ts'
import {
  configuredStorage,
  dashboardWith,
  liveState,
  storageSize,
  storagesWith,
  today,
  volume,
  volumePage,
} from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

/** Figures are never older than this, however long a test takes. */
const later = Date.now() + 86_400_000
const older = '2026-02-10'
const dates = answer(
  snapshotDates,
  [today, older].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false })),
)
const films = configuredStorage(1, { name: 'Films', live: liveState })
/** Films, which has a file more at each call for Now. */
const growingFilms = () => {
  let numberOfFiles = 10
  return answer(volumes, ({ query: { indexingDate } }) => {
    if (indexingDate !== 'now') return volumePage([volume(1, { name: 'Films', numberOfFiles: 10 })])
    numberOfFiles += 1
    return { ...volumePage([volume(1, { name: 'Films', numberOfFiles })]), asOf: later }
  })
}
const openFiles = (address: string, ...answers: FakeAnswer[]) =>
  open(address, {
    hasShell: true,
    answers: [dates, growingFilms(), answer(storages, storagesWith(films)), ...answers],
  })
const address = () => location.pathname + location.search
const at = (expected: string) => waitFor(() => expect(address()).toBe(expected))
/** A button of the calendar, whose place isn't known without a layout. */
const inCalendar = (name: string) => screen.findByRole('button', { name, hidden: true })
const change: LiveEvent = { type: 'changed', topics: ['live'] }

test('Now is the first choice next to the dates, has an age, and follows the storages', async () => {
  const { person, live } = await openFiles('/filemanagement')
  await person.press(`Snapshot ${today}`)
  await person.pressAt(await inCalendar('Now'))
  await at('/filemanagement?date=now')
  await person.see('11 files')
  const button = await screen.findByRole('button', { name: /^Now,/ })
  await waitFor(() => expect(button.textContent).toBe('Now, 0.0 s ago'))
  live.send('changed', change)
  await person.see('12 files')
  await person.press(/^Now,/)
  await person.pressAt(await inCalendar(`Newest: ${today}`))
  await at('/filemanagement')
  await person.see('10 files')
})

test('Now is not offered while no storage is followed, nor on screens that compare days', async () => {
  const { person } = await openFiles('/filemanagement', answer(storages, storagesWith(configuredStorage(1))))
  await person.press(`Snapshot ${today}`)
  await person.see(`Newest: ${today}`)
  expect(screen.queryByRole('button', { name: 'Now' })).toBeNull()
  await openFiles('/help?date=now')
  await screen.findByRole('button', { name: `Snapshot ${today}` })
})

test('the bracket leads from Now to the newest snapshot', async () => {
  const { person } = await openFiles('/filemanagement?date=now')
  await person.see('11 files')
  await person.keys('[[')
  await at('/filemanagement')
})

test('in Now the dashboard has live totals, and says the day of duplicates', async () => {
  const shown = answer(dashboard, ({ query: { indexingDate } }) => {
    const numberOfFiles = indexingDate === 'now' ? 4_321 : 10
    return dashboardWith({ storages: [storageSize(1, { name: 'Films', numberOfFiles, asOf: later })] })
  })
  const sizes = answer(searchSizes, { count: 3, size: 2_048, reclaimable: 1_024 })
  const { person, api } = await openFiles(
    '/?date=now',
    shown,
    sizes,
    answer(reportChecks, []),
    answer(mostActiveVolumes, []),
    answer(mostActiveProjects, []),
  )
  await person.see('4,321')
  await person.see(`As of ${today}`)
  await person.see('0.0 s ago')
  const asked = api.inputs(searchSizes).map(({ query }) => [query.onlyDuplicates ?? false, query.indexingDate])
  expect(asked).toContainEqual([true, undefined])
  expect(asked).toContainEqual([false, 'now'])
})
