import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type StorageInSnapshot, type StorageOverview, storageOverview } from '#events/overview/storageOverview.ts'
import { configurations } from '#events/configurations.ts'
import { scanPaths, scanVolumes } from '#events/scans/calls.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { folderCheck } from '#events/sources/folderCheck.ts'
import { rulePreview } from '#events/scans/rulePreview.ts'
import { type DetailedVolume, detailedVolume } from '#events/storages.ts'
import { fileStorage, storageSize, today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'
import { bucketOf, emptyDataTab, fineFolder, storagesOf } from '#client/settings/testing.ts'

const at = `${today}T02:00:00.000Z`
const snapshotOf = (id: number, changes: Partial<StorageInSnapshot> = {}): StorageInSnapshot => ({
  ...storageSize(id),
  storagePrice: null,
  points: [],
  ...changes,
})
const storageOf = (volumeId: number, name: string, changes: Partial<StorageOverview> = {}): StorageOverview => ({
  volumeId,
  name,
  type: 'crawl.files',
  account: null,
  isScanned: true,
  isScanning: false,
  lastScan: { jobId: 7, state: 'done', reason: null, finishedAt: at },
  isScheduled: true,
  isWatched: true,
  snapshot: snapshotOf(volumeId),
  ...changes,
})
/** A storage whose disk is full to a percentage. */
const filled = (volumeId: number, name: string, percent: number, changes: Partial<StorageInSnapshot> = {}) =>
  storageOf(volumeId, name, {
    snapshot: snapshotOf(volumeId, { total: 100, used: percent, free: 100 - percent, ...changes }),
  })
const gold = { id: 1, description: 'Gold', currencySymbol: '$', price: 24, classes: [] }
const failed = { jobId: 9, state: 'failed', reason: 'No such host: nas', finishedAt: at } as const

const shares = storageOf(3, 'Shows', {
  type: 'NetworkVolume',
  account: 'Studio',
  lastScan: failed,
  snapshot: snapshotOf(3, { fullPath: '\\\\nas\\shows', indexingDate: '2026-02-22' }),
})
const media = storageOf(4, 'S3-BUCKET-media', {
  type: 'AWS-S3',
  account: 'Cloud',
  isScheduled: false,
  isWatched: false,
  snapshot: snapshotOf(4, { total: null, used: null, free: null, fileSystem: null, storagePrice: gold }),
})
const points = [
  { indexingDate: '2026-02-01', used: 80, sizeOfFiles: 1 },
  { indexingDate: today, used: 93, sizeOfFiles: 1 },
]
const forecast = { days: 25.4, earliest: 20, latest: 31 }
const all = [
  storageOf(5, 'New', { isScanned: false, lastScan: null, snapshot: null }),
  media,
  filled(1, 'Films', 93, { forecast, points }),
  shares,
  filled(2, 'Attic', 12),
]

const openStorages = (rows: StorageOverview[], answers: FakeAnswer[] = [], options: Options & { at?: string } = {}) =>
  open(options.at ?? '/storages', { answers: [...emptyDataTab, answer(storageOverview, rows), ...answers], ...options })

const table = () => screen.findByRole('grid', { name: 'Storages' })
const rowOf = async (name: string) => within(await table()).findByRole('row', { name: new RegExp(name) })
const cells = async (name: string) =>
  [...(await rowOf(name)).querySelectorAll('td')].map(({ textContent }) => textContent.replaceAll('\u00a0', ' '))
const shown = async () => [...(await table()).querySelectorAll('tbody td:first-child a')].map((a) => a.textContent)
const seeNames = (expected: string[]) => waitFor(async () => expect(await shown()).toEqual(expected))

test('the fullest storage is first, those without a capacity are last, and the order is kept in this browser', async () => {
  const { person } = await openStorages(all)
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
  await person.press('Name')
  await seeNames(['Attic', 'Films', 'media', 'New', 'Shows'])
  expect(localStorage.getItem('storagesOrder')).toBe('name,asc')
  await person.press('Monthly cost')
  await seeNames(['media', 'Films', 'Shows', 'Attic', 'New'])
})

test('a row has the system, fill level, forecast, growth, last scan and cost of its storage', async () => {
  await openStorages(all)
  expect((await cells('Films')).slice(0, 4)).toEqual(['Films', 'Folder', '93.0 %7 B available', 'Full in 25 days'])
  expect((await cells('Films'))[4]).toContain('+13 B')
  expect((await cells('media')).slice(1, 3)).toEqual(['Amazon S3Cloud', '1.00 GiB'])
  expect((await cells('media'))[6]).toBe('$2.00')
  expect((await cells('media'))[0]).toContain('No schedule or alert')
  expect((await cells('New')).slice(2, 6)).toEqual(['Not scanned yet', '-', '', 'Not scanned yet'])
  const bar = within(await rowOf('media')).getByTitle('Show the files of media')
  expect(bar.getAttribute('href')).toBe('/filemanagement?path=%2F&volumeId=4')
})

test('storages that never report used capacity grow by the size of their files', async () => {
  const bucket = (id: number, name: string, sizes: number[]) =>
    storageOf(id, name, {
      type: 'AWS-S3',
      snapshot: snapshotOf(id, {
        points: sizes.map((sizeOfFiles, day) => ({ indexingDate: `2026-02-0${day + 1}`, used: null, sizeOfFiles })),
      }),
    })
  const { person } = await openStorages([
    bucket(1, 'Slow', [70, 75]),
    bucket(2, 'Fast', [10, 30]),
    bucket(3, 'New', [9]),
  ])
  expect((await cells('Fast'))[4]).toBe('+20 B')
  expect((await cells('New'))[4]).toBe('Only one snapshot so far')
  await screen.findByRole('img', { name: 'Fast: 10 B of files on 2026-02-01, 30 B on 2026-02-02' })
  await person.press('Last 30 days')
  await seeNames(['Slow', 'Fast', 'New'])
})

test('a failed scan has its reason and the day of the data that is shown, and is retried', async () => {
  const { person, api } = await openStorages([shares], [answer(scanPaths, { jobId: 8 })])
  expect((await cells('Shows')).slice(1, 2)).toEqual(['SMBStudio'])
  expect((await cells('Shows'))[5]).toBe('Last scan failed: No such host: nasAs of 2026-02-22')
  await person.press('Retry: Shows')
  await person.see('Scanner for the job(s) is now running')
  expect(api.inputs(scanPaths)).toMatchObject([{ body: { storageIdToPath: { 3: '' } } }])
})

test('a storage is scanned from its row, or all are', async () => {
  const { person, api } = await openStorages(
    [filled(1, 'Films', 93), filled(2, 'Attic', 12)],
    [
      answer(fileStorages.list, pageWith([fileStorage(1, 'Films'), fileStorage(2, 'Attic')])),
      answer(scanVolumes, { jobId: 3 }),
      storagesOf([
        [1, 'Films', 'crawl.files'],
        [2, 'Attic', 'crawl.files'],
      ]),
    ],
  )
  await person.press('Scan Films')
  await person.see('1 of 2 storages selected')
  await person.press('Scan 1 storage')
  await person.closed()
  expect(api.inputs(scanVolumes)).toMatchObject([{ body: [1] }])
  await person.press('Scan All')
  await person.see('Storages: 2 of 2 storages selected')
})

test('a storage is edited and deleted from its row, and its menu opens a field', async () => {
  const rows = [fileStorage(1, 'Films')]
  const { person, api } = await openStorages(
    [filled(1, 'Films', 93)],
    [
      ...tableOf(fileStorages, rows, { rowOf: () => rows[0]! }),
      answer(folderCheck, fineFolder),
      answer(rulePreview, { indexingDate: null, files: 0, folders: 0, size: 0 }),
    ],
  )
  await person.press('Edit Films')
  await screen.findByRole('dialog', { name: 'Edit Films' })
  expect(location.search).toBe('?edit=1')
  await person.press('Cancel')
  await person.closed()
  expect(location.search).toBe('')
  for (const [item, field] of [
    ['Price book', 'Price Book'],
    ['Agent', 'Agent'],
    ['Ignored paths', 'Ignored Paths'],
  ] as const) {
    await person.press('More actions for Films')
    await person.press(item, 'menuitem')
    const input = await screen.findByLabelText(field, { selector: 'input, select' })
    await waitFor(() => expect(document.activeElement).toBe(input))
    await person.press('Cancel')
    await person.closed()
  }
  await person.press('More actions for Films')
  await person.press('Delete storage', 'menuitem')
  await person.see('This process will delete the configuration and the indexed data for the last index.')
  await person.press('Delete storage')
  await person.see('Films was deleted')
  expect(api.inputs(fileStorages.remove)).toMatchObject([{ params: { id: 1 } }])
})

test('a bucket is edited by the id of its storage', async () => {
  const bucket = bucketOf({ name: 'media', description: 'media', type: 'S3' }, 7, 4)
  await openStorages([media], [answer(buckets.list, pageWith([bucket]))], { at: '/storages?edit=4' })
  expect(await screen.findByRole('dialog', { name: 'Edit media' })).toBeTruthy()
})

test('keys move through the rows, open a storage, and add one', async () => {
  const details = answer(detailedVolume, pageWith<DetailedVolume>([]))
  const { person } = await openStorages(all, [details], { hasShell: true })
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
  await person.keys('a')
  await screen.findByRole('dialog', { name: 'What do you want to scan?' })
  await person.keys('{Escape}')
  await person.closed()
  ;(await rowOf('Films')).focus()
  await person.keys('j')
  await waitFor(async () => expect(document.activeElement).toBe(await rowOf('Shows')))
  await person.keys('k')
  await waitFor(async () => expect(document.activeElement).toBe(await rowOf('Films')))
  await person.keys('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/volumes/1'))
})

test('without storages, the tiles of all systems are there, with what each needs', async () => {
  const { person } = await openStorages([])
  await person.see('No storages yet. What do you want to scan?')
  expect(await person.isDisabled(/^Dropbox.*DROPBOX_APP_KEY/)).toBe(true)
  await person.press(/^SMB share.*Needs the host/)
  await person.see('Configure File Storage')
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'SMB' })).checked).toBe(true)
})

test('tiles of systems that need more say what it is', async () => {
  const beta = { name: 'isBetaActive', description: '', isHashed: false, isSet: true, isLost: false } as const
  const off = answer(configurations.list, [{ ...beta, value: 'false' }])
  const { person } = await openStorages([], [off], { bundles: [] })
  await waitFor(async () => expect(await person.isDisabled(/^Dell PowerScale.*Settings › System/)).toBe(true))
  expect(await person.isDisabled(/^Archiware P5 Index.*Unlock Archiware P5 Bundle/)).toBe(true)
})

test('rows have skeletons while they load, a failure is retried, and the last rows stay after it', async () => {
  await openStorages([], [hold(storageOverview)])
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeTruthy())
  const away = refuse(storageOverview, { message: 'Postgres cannot be reached' }, 503)
  const { person, api, live } = await openStorages([], [away])
  await person.see('Postgres cannot be reached')
  api.answer(answer(storageOverview, all))
  await person.press('Retry')
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
  api.answer(away)
  live.send('changed', { type: 'changed', topics: ['volumes'] })
  await person.see('Postgres cannot be reached')
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
})

test('users without the permissions see the storages, but no actions', async () => {
  await openStorages(all, [], { roles: [] })
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
  expect(screen.queryByRole('button', { name: /Scan|Retry|Edit|Add|More/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Settings and credentials' })).toBeNull()
})

test("storages of a bundle that is not licensed can't be scanned or edited", async () => {
  const tapes = storageOf(2, 'Tapes', { type: 'Archiware' })
  await openStorages([filled(1, 'Films', 93), tapes], [], { bundles: [] })
  expect((await cells('Tapes')).slice(1, 2)).toEqual(['Archiware'])
  expect(screen.queryByRole('button', { name: 'Scan Tapes' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Scan Films' })).toBeTruthy()
})

test('a past date is read only', async () => {
  const past = '2026-01-01'
  const dates = [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const { person, api } = await openStorages(all, [answer(snapshotDates, dates)], { at: `/storages?date=${past}` })
  await person.see(`As of ${past}, read-only`)
  await seeNames(['Films', 'Shows', 'Attic', 'media', 'New'])
  expect(screen.queryByRole('button', { name: /Scan|Edit/ })).toBeNull()
  expect(api.inputs(storageOverview).at(-1)?.query).toMatchObject({ indexingDate: past })
})

test('performance mode warns where agents and prices are set up, leads to where it is set, and is silent once off', async () => {
  const mode = (value: string) =>
    answer(configurations.list, [
      { name: 'isPerformanceModeActive', description: '', value, isHashed: false, isSet: true, isLost: false },
    ])
  const { person, api, live } = await open('/settings/data', { answers: [...emptyDataTab, mode('true')] })
  await person.see(
    'Performance mode is active: scans skip owners and groups, and folders are not compared for duplicates.',
  )
  const [link] = within(screen.getByText(/Performance mode is active/)).getAllByRole('link', { name: 'System' })
  expect(link?.getAttribute('href')).toBe('/settings')
  api.answer(mode('false'))
  live.send('changed', { type: 'changed', topics: ['configurations'] })
  await person.seeNo('Performance mode')
})

test('the settings keep their button for a new storage, with the same tiles', async () => {
  const { person } = await open('/settings/data', { answers: emptyDataTab })
  await person.press('Add a new storage type')
  await screen.findByRole('dialog', { name: 'Select a Storage Type' })
  await person.press(/^Azure Blob Storage/)
  await person.see('Configure Cloud Credentials')
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Cloud' }).value).toBe('AZURE')
})
