import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { checkedActions } from '#events/actions/checked.ts'
import { quarantined } from '#events/policies/runs.ts'
import { type ArchivedTotals, archivedTotals } from '#events/search/archived.ts'
import { searchFiles, searchSizes } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { noStatistics, storageDetails, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { foldersWith } from '#client/testing/fakeFolders.ts'
import { open } from '#client/testing/render.tsx'

const KiB = 1_024
const share = (numberOfFiles: number, kibibytes: number) => ({ numberOfFiles, sizeOfFiles: kibibytes * KiB })
const storagePrice = { id: 1, description: 'Gold', currencySymbol: '$', price: 1_000_000, classes: [] }
/** Films with six files, on a disk that is 85 % full. */
const films: DetailedVolume = {
  ...storageDetails(2, { name: 'Films', total: 1e13, used: 8.5e12, free: 1.5e12, numberOfFiles: 6, storagePrice }),
  sizeOfFiles: 227 * KiB,
  statistics: {
    ...noStatistics,
    SIZE: { '16KB': share(2, 7), '64KB': share(1, 20) },
    MODIFIED_DATE: { '1 week': share(3, 200), '1.25 year': share(1, 4) },
    ACCESS_DATE: { '1 week': share(3, 200), '1.25 year': share(1, 4) },
    EXTENSION: { mov: share(4, 220), '': share(1, 4) },
  },
}
/** Dates of the snapshots before the newest, newest first. */
const days = ['2026-02-26', '2026-02-20', '2026-01-05']
const snapshotOf = (indexingDate: string): DetailedVolume => ({
  ...films,
  indexingDate,
  scannedOn: indexingDate,
  ...(indexingDate !== today && { used: 8.4e12, free: 1.6e12, statistics: noStatistics }),
})

/** Snapshots of Films, filtered by time window. */
const snapshots = answer(detailedVolume, ({ query: { from, to, indexingDate, size } }) => {
  const found = [today, ...days].filter(
    (day) => day >= (from ?? '') && day <= (to ?? '9') && day <= (indexingDate ?? '9'),
  )
  return pageWith(found.slice(0, size).map(snapshotOf))
})
const found = answer(searchSizes, ({ query: { onlyDuplicates, lastAccessBefore } }) => {
  if (onlyDuplicates) return { count: 2, size: 100 * KiB, reclaimable: 50 * KiB }
  if (lastAccessBefore === '2025-12-01') return { count: 3, size: 27 * KiB }
  return lastAccessBefore === '2025-09-01' ? { count: 2, size: 7 * KiB } : { count: 1, size: 4 * KiB }
})
const dates = [today, ...days].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
const openVolume = (address = '/volumes/2', ...answers: FakeAnswer[]) =>
  open(address, {
    answers: [
      snapshots,
      found,
      answer(archivedTotals, null),
      answer(checkedActions, []),
      answer(quarantined, []),
      answer(snapshotDates, dates),
      ...answers,
    ],
  })

const card = (title: string) =>
  [...document.querySelectorAll('section')].findLast((card) => card.querySelector('h2')?.textContent === title)
const cardSays = (title: string, text: string | RegExp) =>
  waitFor(() => expect(card(title)?.textContent.replaceAll('\u00a0', ' ')).toMatch(text))
const query = () => decodeURIComponent(location.search)
const linkTo = async (name: string | RegExp) => (await screen.findByRole('link', { name })).getAttribute('href')

test.each(['films', '99999999999999999999'])('storage %s is missing', async (id) => {
  const { person, api } = await openVolume(`/volumes/${id}`)
  await person.see(`There is no storage ${id}.`)
  expect(await linkTo('All storages')).toBe('/storages')
  expect(api.inputs(detailedVolume)).toEqual([])
})

test('a storage that the server does not know, and one without a snapshot, say so', async () => {
  const unknown = await openVolume('/volumes/999', refuse(detailedVolume, { message: 'Not found' }, 404))
  await unknown.person.see('There is no storage 999.')
  const empty = await openVolume('/volumes/2', answer(detailedVolume, pageWith([])))
  await empty.person.see('There is no data for this indexing date.')
  expect(empty.api.inputs(detailedVolume)).toMatchObject([{ params: { id: 2 }, query: { size: 1 } }])
})

test('a storage shows its place, details, cost and possible savings', async () => {
  const { person } = await openVolume()
  await cardSays('Storage details', /Size of files227 KiB.*Number of files6/)
  await person.see(/Films.*File storage.*Path.*\/mnt\/2.*AgentBuilt-in agent.*Snapshot2026-03-01/)
  await person.see('Last 10% Available')
  await cardSays('Storage cost', /\$18\.04 per month.*Gold, \$1,000,000\.00 per GiB per year/)
  await cardSays('Insights', /27\.0 KiB in 3 files not accessed for 3 months, 11\.8 % .*\$2\.15 per/)
  await cardSays('Insights', /7\.00 KiB in 2 files not accessed for 6 months/)
  await cardSays('Insights', /4\.00 KiB in 1 file not accessed for 12 months/)
  await cardSays('Insights', /100 KiB in 2 files with duplicates, 44\.0 %.*; 50\.0 KiB reclaimable/)
  await cardSays('Insights', 'Contents are compared only')
})

test('a storage whose last scan failed has the day of its last good scan, and no points for the days since', async () => {
  const copied = { ...snapshotOf(today), scannedOn: '2026-02-20' }
  const repeats = answer(detailedVolume, ({ query: { size } }) =>
    pageWith([copied, snapshotOf('2026-02-20')].slice(0, size)),
  )
  const { person } = await openVolume('/volumes/2', repeats)
  await person.see(/SnapshotAs of 2026-02-20/)
  await cardSays('Storage details', /Snapshot2026-02-20/)
  await cardSays('Used capacity', /Used: 7\.64 TiB on 2026-02-20\./)
})

test('a storage without a price leads to the field that sets it', async () => {
  const free = { ...films, storagePrice: { ...storagePrice, price: 0 } }
  await openVolume('/volumes/2', answer(detailedVolume, pageWith([free])))
  await cardSays('Storage cost', 'No price set')
  expect(await linkTo('Set a price')).toBe('/storages?edit=2&at=priceBook')
})

test('File Management shows the analytics of a storage while nothing is selected', async () => {
  const { person } = await open('/filemanagement?path=/&volumeId=2', {
    answers: [
      ...foldersWith([]),
      answer(volumes, volumePage([volume(2, { name: 'Films' })])),
      snapshots,
      found,
      answer(snapshotDates, dates),
    ],
  })
  await person.see('See analytics of storage')
  // Charts load when they are in view, or after the first key.
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
  await cardSays('Capacity', /85\.0 %.*Last 10% Available/)
  await cardSays('Insights', /27\.0 KiB in 3 files not accessed for 3 months/)
  await cardSays('Used capacity', /7\.64 TiB on 2026-02-20, 7\.73 TiB on 2026-03-01/)
})

test('a storage leads to its folders, comparison, search and cold files', async () => {
  await openVolume()
  expect(await linkTo('Folders')).toBe('/filemanagement?volumeId=2&path=%2F')
  expect(await linkTo('Compare')).toBe('/comparison?volumeId=2&path=%2F')
  expect(await linkTo('Search')).toBe('/search?volumeId=2')
  expect(await linkTo('27.0 KiB in 3 files')).toBe('/search?volumeId=2&lastAccessBefore=2025-12-01')
})

test('the chosen cost interval is kept', async () => {
  const { person } = await openVolume()
  await person.choose('Cost interval', 'Yearly')
  await cardSays('Storage cost', '$216.48 per year')
  expect(localStorage.getItem('costInterval')).toBe('Yearly')
})

test.each([
  { title: 'Last Modified', bar: 'Up to 1 week', expected: /^\?volumeId=2&lastModifiedAfter=2026-02-22$/ },
  { title: 'Last Access', bar: '1 year to 1.25 years', expected: /lastAccessAfter=.*&lastAccessBefore=/ },
  { title: 'File Size Distribution', bar: '16 KiB to 64 KiB', expected: /minimumSize=16384&maximumSize=65535/ },
  { title: 'Extensions', bar: 'mov', expected: /extension=mov/ },
  { title: 'Extensions', bar: 'No extension', expected: /ignorePattern=\*\.\*/ },
])('the bar $bar of $title leads to its files', async ({ title, bar, expected }) => {
  const ofSearch = [searchFiles, volumes, downloadLimit, knownTags, knownReports].map(hold)
  const { person } = await openVolume('/volumes/2', ...ofSearch)
  await person.press(`Show ${title} as table`)
  await person.press(bar)
  await waitFor(() => expect(location.pathname).toBe('/search'))
  expect(query()).toContain('volumeId=2&')
  expect(query()).toMatch(expected)
})

test('the time window is chosen, and without data a longer one is offered', async () => {
  const { person } = await openVolume()
  await cardSays('Used capacity', 'Used: 7.64 TiB on 2026-02-20, 7.73 TiB on 2026-03-01.')
  await person.press('7 days', 'radio')
  await cardSays('Used capacity', 'Used: 7.64 TiB on 2026-02-26, 7.73 TiB on 2026-03-01.')
  expect(query()).toBe('?window=7')
  await person.press('Custom', 'radio')
  await waitFor(() => expect(query()).toBe('?from=2026-02-23&to=2026-03-01'))
  await person.write('From', '2026-01-01{Enter}')
  await waitFor(() => expect(query()).toBe('?from=2026-01-01&to=2026-03-01'))
  await cardSays('Used capacity', 'on 2026-01-05')
  const empty = await openVolume('/volumes/2?from=2020-01-01&to=2020-02-01')
  await empty.person.see(
    'There is no data for the selected time frame; make sure that the scan is properly configured or',
  )
  await empty.person.press('Show the last 90 days')
  await cardSays('Used capacity', 'on 2026-01-05')
})

test('a point leads to its snapshot, whose files are no longer divided', async () => {
  const { person } = await openVolume('/volumes/2?window=7')
  await person.press('Show Used capacity as table')
  await person.press('2026-02-26')
  await waitFor(() => expect(query()).toContain('date=2026-02-26'))
  await cardSays('Storage details', /Percent used84\.0 %/)
  await cardSays('Used capacity', 'on 2026-02-26.')
  await cardSays('Extensions', 'There is no data for this indexing date.')
})

test('cards that fail say so in place without a message, and are read again', async () => {
  const away = { message: 'The store is away' }
  const failing = refuse(detailedVolume, away)
  const withoutDays = answer(detailedVolume, ({ query }) =>
    query.statistics === 'false' ? (failing.handle(undefined as never) as never) : pageWith([films]),
  )
  const { person, api } = await openVolume('/volumes/2', withoutDays, refuse(searchSizes, away))
  await cardSays('Used capacity', /The store is away.*Retry/)
  await cardSays('Insights', /Retry\s*The store is away/)
  expect(document.querySelectorAll('.mantine-Notification-root')).toHaveLength(0)
  api.answer(found)
  await person.pressAt(card('Insights')!.querySelector('button')!)
  await cardSays('Insights', '27.0 KiB in 3 files')
  const down = await openVolume('/volumes/2', refuse(detailedVolume, away))
  await cardSays('Storage details', /The store is away.*Retry/)
  down.api.answer(snapshots)
  await down.person.press('Retry')
  await cardSays('Storage details', '227 KiB')
})

const archived: ArchivedTotals = {
  archived: { count: 3, size: 81 * KiB },
  changed: { count: 1, size: 9 * KiB },
  notArchived: { count: 0, size: 0 },
  indexes: ['Media'],
}

test('the archived share of a storage leads to its files', async () => {
  await openVolume('/volumes/2', answer(archivedTotals, archived))
  await cardSays('Archived files', '81.0 KiB of 90.0 KiB archived, 9.00 KiB changed since, 0 B not archived.')
  await cardSays('Archived files', 'Contents are not compared. Indexes: Media.')
  expect(await linkTo('81.0 KiB')).toBe('/search?volumeId=2&archived=archived')
  expect(await linkTo('9.00 KiB')).toBe('/search?volumeId=2&archived=changed')
})

test.each(['an archive index', 'its license'])('without %s, archives are not mentioned', async (missing) => {
  const isLicensed = missing !== 'its license'
  const { api } = await open('/volumes/2', {
    answers: [
      snapshots,
      found,
      answer(archivedTotals, isLicensed ? null : archived),
      answer(checkedActions, []),
      answer(quarantined, []),
      answer(snapshotDates, dates),
    ],
    bundles: isLicensed ? ['archiwareP5'] : [],
  })
  await waitFor(() => expect(api.inputs(archivedTotals)).toHaveLength(isLicensed ? 1 : 0))
  await cardSays('Insights', '4.00 KiB')
  expect(card('Archived files')).toBeUndefined()
})

test('actions on the storage say what scans found of their files since', async () => {
  const checked = { jobId: 7, type: 'ARCHIVE_ARCHIWARE_FILES' as const, endedAt: '2026-02-27T10:00:00.000Z' }
  const counts = { volumeId: 2, there: 1, changed: 1, gone: 12_031, goneBytes: 2_048 * KiB }
  await openVolume('/volumes/2', answer(checkedActions, [{ ...checked, found: counts }]))
  await cardSays('Actions checked by scans', /Archive Archiware files 7, .*, 12,033 files: 1 still there, 1 changed/)
  await cardSays('Actions checked by scans', '12,031 gone, 2.00 MiB freed')
  expect(await linkTo('Archive Archiware files 7')).toBe('/settings/jobs?id=7')
})

test('without checked actions nothing is shown about them, and a failure can be retried', async () => {
  await openVolume()
  await cardSays('Insights', '4.00 KiB')
  expect(card('Actions checked by scans')).toBeUndefined()
  const { person } = await openVolume('/volumes/3', refuse(checkedActions, { message: 'No database' }, 500))
  await person.see('No database')
})

test('files in quarantine are counted, with the days of their deletion', async () => {
  const comesFree = [{ day: '2026-12-12', files: 300, bytes: 300 * KiB }]
  const counts = { volumeId: 2, files: 12_345, bytes: 1_200 * KiB, comesFree }
  await openVolume('/volumes/2', answer(quarantined, [counts, { ...counts, volumeId: 3, files: 1 }]))
  await cardSays('In quarantine', '1.17 MiB (12,345 files), which totals and duplicates leave out.')
  await cardSays('In quarantine', '300 KiB come free on 2026-12-12.')
  const { api } = await open('/volumes/2', {
    roles: [],
    answers: [snapshots, found, answer(archivedTotals, null), answer(checkedActions, []), answer(snapshotDates, dates)],
  })
  await cardSays('Insights', '4.00 KiB')
  expect(api.inputs(quarantined)).toEqual([])
})
