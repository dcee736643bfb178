import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dashboard, type StorageSize, storageTrends } from '#events/dashboard.ts'
import { setup } from '#events/overview/setup.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { unreadablePaths } from '#events/scans/calls.ts'
import { searchSizes } from '#events/search/calls.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { dashboardWith, runningScan, storageSize, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { KiB, films, past, show, figure, shows, card, cardSays, linkTo, found } from './testing/showDashboard.ts'

test('before the first scan there are the first steps and scans, and a banner that leads to the wizard', async () => {
  const firstSteps = answer(setup, { done: [], isHidden: false })
  const answers = [answer(snapshotDates, []), firstSteps]
  const { person } = await show({ indexingDate: null, storages: [] }, answers, { hasShell: true })
  await person.see('There is no data indexed. You need to do a scan here')
  expect(await linkTo('here')).toBe('/settings/data?add=storage')
  await person.see('No scan has run yet.')
  expect(await linkTo('Add storage')).toBe('/settings/data?add=storage')
})

test('a screen that reads a snapshot waits for the first scan', async () => {
  const { person } = await open('/search', { hasShell: true, answers: [answer(snapshotDates, [])] })
  await person.see('Nothing has been scanned yet.')
  expect(await linkTo('Scan a storage')).toBe('/settings/data?add=storage')
})

test('figures show files, duplicates, and what was not accessed for months, and lead to that search', async () => {
  await show({})
  await shows('Files', '6', '227 KiB in 6 folders')
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
  await shows('Not accessed for 3 months', '6.00 KiB', '3 files')
  await shows('Not accessed for 6 months', '4.00 KiB', '2 files')
  await shows('Not accessed for 9 months', '2.00 KiB', '1 file')
  await shows('Used', '1.00 TiB', '50.0 %, 1.00 TiB available of 2.00 TiB')
  expect(await linkTo('Files')).toBe('/search')
  expect(await linkTo('Duplicates')).toBe('/search?onlyDuplicates=true')
  expect(await linkTo('Not accessed for 6 months')).toBe('/search?lastAccessBefore=2025-09-01')
  expect(await linkTo('Used')).toBe('/filemanagement')
})

test('events of the server appear on the open page: a running scan, and the dashboard after it', async () => {
  const scan = runningScan()
  const before = dashboardWith({ storages: [films] })
  const { person, live } = await show({}, [], { live: { dashboard: before } })
  await shows('Files', '6', '227 KiB in 6 folders')
  live.send('dashboard', { type: 'scanChanged', scan })
  await cardSays('Scans', /1 scan running.*Films.*project_7/)
  const progress = { ...scan.progress!, requests: 9, pace: { inFlight: 1, latencyMs: 84 } }
  live.send('dashboard', { type: 'scanProgressed', scanId: 1, jobId: 1, taskId: 1, progress })
  await cardSays('Scans', /Requests9.*1 request in flight, 84\.0 ms each/)
  const after = dashboardWith({ storages: [{ ...films, numberOfFiles: 7 }], scans: [{ ...scan, state: 'done' }] })
  live.send('dashboard', { type: 'dashboard', dashboard: after })
  await shows('Files', '7', '227 KiB in 6 folders')
  await person.seeNo('1 scan running')
})

test('a scan that left paths out lists them', async () => {
  const scan = runningScan({
    state: 'partial',
    unreadable: 3,
    crawlDuration: 500,
    finishedAt: `${today}T11:00:00.000Z`,
  })
  const { person } = await show({ scans: [scan] }, [
    answer(unreadablePaths, pageWith([{ path: '/locked', error: 'permission denied' }])),
  ])
  await cardSays('Scans', 'Suspiciously fast')
  await person.press('Partial: 3 paths unreadable')
  await person.see('Unreadable paths in the scan of Films')
  await person.see(/\/locked.*permission denied/)
  await person.see('and 2 more paths')
})

test('growing items link to their storage or project, and an empty list shows nothing', async () => {
  const active = { id: 1, name: 'Films', type: 'crawl.files', indexingDate: today, previousIndexingDate: past }
  const sizes = { sizeOfFiles: 5 * KiB, previousSizeOfFiles: 4 * KiB, variation: KiB, variationPercentage: 25 }
  const { api } = await show({}, [answer(mostActiveVolumes, [{ ...active, ...sizes }])])
  await cardSays('Most Active Storage', /Films\+1\.00 KiB\+25\.0 %/)
  const bar = within(await card('Most Active Storage')).getByRole('link')
  expect([bar.getAttribute('href'), bar.getAttribute('data-way')]).toEqual([
    '/filemanagement?path=%2F&volumeId=1',
    'grown',
  ])
  await cardSays('Most Active Projects', 'No project changed in size during this period.')
  api.answer(answer(mostActiveVolumes, []))
  await show({})
  await cardSays('Most Active Storage', 'There is no data for the selected time frame')
})

test('the days between compared dates can be chosen, and are kept', async () => {
  const { person, api } = await show({})
  const chosen = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Most active storage over' }).value
  await person.see('Most Active Storage')
  await waitFor(() => expect(chosen()).toBe('30'))
  await person.choose('Most active storage over', '365 days')
  await waitFor(() => expect(api.inputs(mostActiveVolumes).at(-1)?.query.duration).toBe(365))
  expect(localStorage.getItem('volumeVariationDuration')).toBe('365')
})

test('a storage that is not chosen does not count', async () => {
  const { person } = await show({})
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
  await person.press('All file storages', 'checkbox')
  await shows('Duplicates', '0 B', '0 files')
  await shows('Files', '0', '\u00a0')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'All file storages' }).checked).toBe(false)
  await person.press('All file storages', 'checkbox')
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
})

test('a past date is used in all calls, and its links keep it', async () => {
  const dates = [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const answers = [answer(snapshotDates, dates)]
  const { api } = await show({ indexingDate: past }, answers, { at: `/?date=${past}` })
  await shows('Not accessed for 9 months', '0 B', '0 files')
  expect(await linkTo('Files')).toBe(`/search?date=${past}`)
  for (const endpoint of [dashboard, storageTrends, mostActiveVolumes, searchSizes])
    expect(api.inputs(endpoint).at(-1)?.query).toMatchObject({ indexingDate: past })
})

const used = (volumeId: number, name: string, changes: Partial<StorageSize> = {}) =>
  storageSize(volumeId, { name, ...changes })

test('buckets and archives are next to file storages, under their own names', async () => {
  const storages = [
    used(1, 'Films'),
    used(2, 'S3-BUCKET-media-1', { type: 'AWS-S3', total: null, used: null, free: null }),
    used(3, 'Index 1', { type: 'Archiware', total: null, used: null, free: null }),
  ]
  await show({ storages })
  await cardSays('Object Storage Sizes', 'media-1')
  expect((await card('Object Storage Sizes')).textContent).not.toContain('S3-BUCKET-')
  await cardSays('Archiware P5 Index Sizes', 'Index 1')
  await cardSays('Storage overview', /Films.*File storage.*media-1.*Object storage/)
  const bucket = within(await card('Object Storage Sizes')).getByRole('link')
  expect(bucket.getAttribute('href')).toBe('/filemanagement?path=%2F&volumeId=2')
})

test('archives are locked without their bundle', async () => {
  const { person } = await show({ storages: [used(3, 'Index 1', { type: 'Archiware' })] }, [], { bundles: [] })
  await person.see('Unlock Archiware P5 Bundle')
})

test('storages on one disk have one meter, and no sum counts it twice', async () => {
  const onOneDisk = [1, 2].map((id) => used(id, `Storage ${id}`, { fileSystem: 'north:9' }))
  await show({ storages: [...onOneDisk, used(3, 'Alone')] })
  await waitFor(() => expect(figure('Used')[0]).toBe('2.00 TiB'))
  await cardSays('Storage sizes', '2 storages on one disk')
  await cardSays('Storage overview', 'Same disk')
  const meters = screen.getAllByRole('meter').map((meter) => meter.getAttribute('aria-label'))
  expect(meters).toEqual(['2 storages on one disk: used', 'Alone: used'])
})

test('the used capacity over ninety days is a line and a sentence', async () => {
  const points = [past, today].map((indexingDate, i) => ({ indexingDate, used: (i + 1) * 1_000, sizeOfFiles: 1 }))
  await show({}, [answer(storageTrends, [{ volumeId: 1, points }])])
  await cardSays('Storage overview', /Films.*\+1,?000 B/)
  const line = within(await card('Storage overview')).getByRole('img')
  expect(line.getAttribute('aria-label')).toBe(`Films: 1,000 B used on ${past}, 1.95 KiB on ${today}`)
})

test('reports whose check did not pass are listed', async () => {
  const check = { indexingDate: today, numberOfFilesFound: 1, sizeOfFilesFound: 1, at: `${today}T10:00:00.000Z` }
  await show({}, [
    answer(reportChecks, [
      { id: 4, name: 'No ransomware', state: 'FAILED', reason: '1 file found', ...check },
      { id: 5, name: 'Old films', state: 'PASSED', reason: '', ...check },
      { id: 6, name: 'Growth', state: 'WARNING', reason: '12 files found', ...check },
    ]),
  ])
  await cardSays('Report checks', /1 of 3 checks failed, 1 warned.*No ransomware.*1 file found/)
  expect(await linkTo('No ransomware')).toBe('/report/4')
})

test('cards that cannot be read say so in place, one message reports all of them, and each is read again', async () => {
  const away = { message: 'The store is away' }
  const down = [searchSizes, storageTrends, mostActiveVolumes].map((endpoint) => refuse(endpoint, away))
  const { person, api } = await show({}, down)
  await cardSays('Most Active Storage', /The store is away.*Retry/)
  await cardSays('Storage overview', /The store is away.*Retry/)
  await waitFor(() => expect(figure('Duplicates')).toEqual(['-', 'RetryThe store is away']))
  await waitFor(() => expect(document.querySelectorAll('.mantine-Notification-root')).toHaveLength(1))
  api.answer(found)
  const [retry] = document.querySelectorAll('dd button')
  await person.pressAt(retry!)
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
})

test('a cost that cannot be read is tried again where it is', async () => {
  const { person, api } = await show({}, [refuse(volumes, { message: 'The store is away' })])
  const cost = async () => {
    const row = within(await card('Storage overview')).getAllByRole('row')[1]
    return row!.querySelectorAll('td')[6]!
  }
  await waitFor(async () => expect((await cost()).textContent).toBe('Retry'))
  api.answer(answer(volumes, volumePage([volume(1)])))
  await person.pressAt((await cost()).querySelector('button')!)
  await waitFor(async () => expect((await cost()).textContent).toBe('-'))
})

test('a storage costs what its price book says, and one without a price book has a dash', async () => {
  const storagePrice = { id: 1, description: 'Cold', currencySymbol: '$', price: 24, classes: [] }
  await show({ storages: [used(1, 'Films'), used(2, 'Attic')] }, [
    answer(volumes, volumePage([volume(1, { storagePrice }), volume(2)])),
  ])
  await cardSays('Storage overview', '$2.00')
  expect(within(await card('Storage overview')).getByTitle('No price book').textContent).toBe('-')
})
