import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { configurations } from '#events/configurations.ts'
import { scanPaths, scanVolumes } from '#events/scans/calls.ts'
import { sourceScans } from '#events/scans/sourceScans.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { buckets } from '#events/sources/buckets.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { type Storage, storages } from '#events/storages.ts'
import { fileStorage, today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import type { Person } from '#client/testing/person.ts'
import { open } from '#client/testing/render.tsx'
import { bucketOf, emptyDataTab } from '#client/settings/testing.ts'

const gib = 2 ** 30
const storageOf = (id: number, name: string, changes: Partial<Storage> = {}): Storage => ({
  id,
  name,
  account: null,
  type: 'crawl.files',
  createdAt: `${today}T10:00:00.000Z`,
  stats: { capacityUsed: gib, capacityTotal: 4 * gib, capacityFree: 3 * gib, fileSystem: null },
  ...changes,
})
const names = Array.from({ length: 53 }, (_, at) => `storage ${String(at).padStart(2, '0')}`)

/** Lists the rows in pages; a cursor is the number of rows before it. */
const listOf = (rows: Storage[]) =>
  answer(storages, ({ query: { size, sort, direction, endCursor } }) => {
    const way = direction === 'desc' ? -1 : 1
    const sorted = rows.toSorted((a, b) => way * (sort === 'NAME' ? a.name.localeCompare(b.name) : a.id - b.id))
    const from = Number(endCursor ?? 0)
    const hasNextPage = from + size < rows.length
    return {
      elements: sorted.slice(from, from + size),
      startCursor: null,
      endCursor: hasNextPage ? String(from + size) : null,
      hasNextPage,
      hasPreviousPage: from > 0,
      size,
      sort,
      direction,
      indexingDate: today,
    }
  })
const openStorages = (rows: Storage[], ...answers: FakeAnswer[]) =>
  open('/settings/data', { answers: [...emptyDataTab, listOf(rows), ...answers] })

const table = () => screen.findByRole('table', { name: 'Storages' })
const shown = async () => [...(await table()).querySelectorAll('tbody tr a')].map(({ textContent }) => textContent)
const seeNames = (expected: string[]) => waitFor(async () => expect(await shown()).toEqual(expected))
const pressIn = async (person: Person, name: string) =>
  person.pressAt(await within(screen.getByRole('region', { name: 'Storages' })).findByRole('button', { name }))
const cells = async (name: string) => {
  const row = await within(await table()).findByRole('row', { name: new RegExp(`^${name}`) })
  return [...row.querySelectorAll('td')].map(({ textContent }) => textContent)
}

test('storages are shown page after page, each once, until all are there', async () => {
  const { person } = await openStorages(names.map((name, id) => storageOf(id + 1, name)))
  await seeNames(names.toReversed().slice(0, 25))
  await person.press('SHOW MORE')
  await seeNames(names.toReversed().slice(0, 50))
  await person.press('SHOW MORE')
  await seeNames(names.toReversed())
  expect(screen.queryByRole('button', { name: 'SHOW MORE' })).toBeNull()
})

test('another order and a new storage begin with the first page again, and this browser keeps the order', async () => {
  const rows = names.map((name, id) => storageOf(id + 1, name))
  const { person, live } = await openStorages(rows)
  await person.press('NAME')
  await seeNames(names.slice(0, 25))
  await person.press('SHOW MORE')
  await seeNames(names.slice(0, 50))
  rows.push(storageOf(60, 'before all'))
  live.send('changed', { type: 'changed', topics: ['volumes'] })
  await seeNames(['before all', ...names.slice(0, 24)])
  await screen.findByRole('button', { name: 'SHOW MORE' })
  expect(localStorage.getItem('storagesOrder')).toBe('NAME,asc')
})

test('a row has the account, type and capacity of its storage, and its scan', async () => {
  const onOneDisk = { capacityUsed: gib, capacityTotal: 4 * gib, capacityFree: 3 * gib, fileSystem: 'north:9' }
  const rows = [
    storageOf(3, 'Films', { stats: onOneDisk }),
    storageOf(2, 'Shows', { stats: onOneDisk }),
    storageOf(1, 'media', {
      type: 'AWS-S3',
      account: 'Studio',
      stats: { capacityUsed: null, capacityTotal: null, capacityFree: null, fileSystem: null },
    }),
  ]
  const { person, api } = await openStorages(
    rows,
    answer(fileStorages.list, pageWith([fileStorage(3, 'Films'), fileStorage(2, 'Shows')])),
    answer(buckets.list, pageWith([bucketOf({ name: 'media', description: 'media', type: 'S3' }, 7, 1)])),
    answer(scanVolumes, { jobId: 3 }),
    answer(sourceScans.bucket, { jobId: 4 }),
    answer(scanPaths, { jobId: 5 }),
  )
  expect(await cells('Films')).toEqual(['Films', '-', 'File', '1.00 GiB', '3.00 GiB of 4.00 GiB', 'Scan'])
  expect(await cells('Shows')).toEqual(['Shows', '-', 'File', 'Same disk as Films', '', 'Scan'])
  expect(await cells('media')).toEqual(['media', 'Studio', 'Amazon S3', '-', '-', 'Scan'])
  await pressIn(person, 'Scan Films')
  await person.see('1 of 2 storages selected')
  await person.press('Scan 1 storage')
  await person.closed()
  expect(api.inputs(scanVolumes)).toMatchObject([{ body: [3] }])
  await pressIn(person, 'Scan media')
  await person.see('Object storages: 1 of 1 storage selected')
  await person.press('Scan 1 storage')
  await person.closed()
  expect(api.inputs(sourceScans.bucket)).toMatchObject([{ body: [7], query: { cloneIndex: true } }])
  await pressIn(person, 'Scan All')
  await person.see('Storages: 3 of 3 storages selected')
  await person.press('Films', 'checkbox')
  await person.press('Only changes', 'checkbox')
  await person.press('Keep other storages in the snapshot', 'checkbox')
  await person.press('Scan 2 storages')
  await person.closed()
  expect(api.inputs(scanPaths)).toMatchObject([
    { body: { storageIdToPath: { 1: '', 2: '' } }, query: { cloneIndex: false, isDeltaScan: false } },
  ])
})

test("storages of a bundle that is not licensed can't be scanned", async () => {
  const { person } = await open('/settings/data', {
    answers: [...emptyDataTab, listOf([storageOf(1, 'Films'), storageOf(2, 'Tapes', { type: 'Archiware' })])],
    bundles: [],
  })
  expect(await cells('Tapes')).toEqual(['Tapes', '-', 'Archiware', '1.00 GiB', '3.00 GiB of 4.00 GiB', ''])
  await pressIn(person, 'Scan All')
  await person.see('1 of 1 storage selected')
})

test('without storages the list says so, and one that cannot be read is read again', async () => {
  const { person, api } = await openStorages([], refuse(storages, { message: 'Postgres cannot be reached' }, 503))
  await person.see('Postgres cannot be reached')
  api.answer(listOf([]))
  await person.press('Retry')
  await person.see('No storages yet.')
})

test('the former address of the storages leads to them', async () => {
  await open('/settings/storage', { answers: [...emptyDataTab, listOf([storageOf(1, 'Films')])] })
  await seeNames(['Films'])
  expect(location.pathname).toBe('/settings/data')
})

test('a past date is read only', async () => {
  const past = '2026-01-01'
  const dates = [today, past].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const { person } = await open(`/settings/data?date=${past}`, {
    answers: [...emptyDataTab, answer(snapshotDates, dates), listOf([storageOf(1, 'Films')])],
  })
  await person.see(`As of ${past}, read-only`)
  await seeNames(['Films'])
  expect(screen.queryByRole('button', { name: /Scan/ })).toBeNull()
})

test('performance mode warns where storages are set up, leads to where it is set, and is silent once off', async () => {
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
