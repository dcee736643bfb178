import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dashboard, type StorageSize } from '#events/dashboard.ts'
import { setup } from '#events/overview/setup.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { unreadablePaths } from '#events/scans/calls.ts'
import { searchSizes } from '#events/search/calls.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { dashboardWith, runningScan, storageSize, today } from '#client/testing/examples.ts'
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
  expect(await linkTo('Add storage')).toBe('/storages?add=storage')
})

test('a screen that reads a snapshot waits for the first scan', async () => {
  const { person } = await open('/search', { hasShell: true, answers: [answer(snapshotDates, [])] })
  await person.see('Nothing has been scanned yet.')
  expect(await linkTo('Scan a storage')).toBe('/storages?add=storage')
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
  const dates = [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  await show({}, [answer(snapshotDates, dates)])
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
  const bucket = storageSize(2, { name: 'media', type: 'AWS-S3', numberOfFiles: 0, numberOfFolders: 0, sizeOfFiles: 0 })
  const { person, api } = await show({ storages: [films, bucket] })
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
  // The choice loads after the first key.
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }))
  await person.press('File storages')
  await person.press('All file storages', 'checkbox')
  await shows('Files', '0', '\u00a0')
  await waitFor(() => expect(api.inputs(searchSizes).at(-1)?.query.storageId).toEqual([2]))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'All file storages' }).checked).toBe(false)
  await person.press('All file storages', 'checkbox')
  await shows('Files', '6', '227 KiB in 6 folders')
})

test('a past date is used in all calls, and its links keep it', async () => {
  const dates = [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const answers = [answer(snapshotDates, dates)]
  const { api } = await show({ indexingDate: past }, answers, { at: `/?date=${past}` })
  await shows('Not accessed for 9 months', '0 B', '0 files')
  expect(await linkTo('Files')).toBe(`/search?date=${past}`)
  for (const endpoint of [dashboard, mostActiveVolumes, searchSizes])
    expect(api.inputs(endpoint).at(-1)?.query).toMatchObject({ indexingDate: past })
})

const used = (volumeId: number, name: string, changes: Partial<StorageSize> = {}) =>
  storageSize(volumeId, { name, ...changes })

test('the five storages that need attention are in one card, fullest first, with a link to all', async () => {
  const share = (volumeId: number, percent: number) =>
    used(volumeId, `Disk ${percent}`, { total: 100, used: percent, free: 100 - percent })
  const bucket = used(9, 'S3-BUCKET-media', { type: 'AWS-S3', total: null, used: null, free: null })
  await show({ storages: [bucket, share(1, 10), share(2, 85), share(3, 93), share(4, 40), share(5, 20), share(6, 30)] })
  await cardSays('Storages', /2 of 7 need attention.*All 7 storages/)
  const rows = [...(await card('Storages')).querySelectorAll('li a')].map(({ textContent }) => textContent)
  expect(rows).toEqual(['Disk 93', 'Disk 85', 'Disk 40', 'Disk 30', 'Disk 20'])
  expect(await linkTo('All 7 storages')).toBe('/storages')
  expect(await linkTo('Disk 93')).toBe('/volumes/3')
})

test('storages on one disk have one meter, and no sum counts it twice', async () => {
  const onOneDisk = [1, 2].map((id) => used(id, `Storage ${id}`, { fileSystem: 'north:9' }))
  await show({ storages: [...onOneDisk, used(3, 'Alone')] })
  await waitFor(() => expect(figure('Used')[0]).toBe('2.00 TiB'))
  await cardSays('Storages', 'Same disk as Storage 1')
  const meters = screen.getAllByRole('meter').map((meter) => meter.getAttribute('aria-label'))
  expect(meters).toEqual(['Storage 1: used', 'Alone: used'])
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
  const down = [searchSizes, mostActiveVolumes].map((endpoint) => refuse(endpoint, away))
  const { person, api } = await show({}, down)
  await cardSays('Most Active Storage', /The store is away.*Retry/)
  await waitFor(() => expect(figure('Duplicates')).toEqual(['-', 'RetryThe store is away']))
  await waitFor(() => expect(document.querySelectorAll('.mantine-Notification-root')).toHaveLength(1))
  api.answer(found)
  const [retry] = document.querySelectorAll('dd button')
  await person.pressAt(retry!)
  await shows('Duplicates', '100 KiB', '2 files, 50.0 KiB reclaimable')
})

test('cards about whole storages are left out for a user who sees parts of them', async () => {
  const limits = { projects: [{ id: 1, name: 'Aurora' }], storages: [], folders: 0, version: 'a' }
  const [total, used, free] = [null, null, null]
  const part = { ...films, total, used, free, limited: true } as const
  const { person } = await show({ storages: [part], scans: [] }, [], { roles: [], user: { limits } })
  await shows('Used', '-', 'Not available for your 1 project')
  await cardSays('Scans', 'Not available for your 1 project')
  await cardSays('Most Active Storage', 'Not available for your 1 project')
  await person.seeNo(/unknown|No scan has run|properly configured/)
})
