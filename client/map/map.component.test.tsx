import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfFolder } from '#events/folders/browse.ts'
import { folderDetails } from '#events/folders/calls.ts'
import { type Dominant, dominantBelow, mapOfFolder } from '#events/folders/map.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { mapOf, type EntrySpec } from '#client/parts/map/testing.ts'
import { today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const mebibyte = 2 ** 20
const file = (name: string, mebibytes: number, changes: Partial<EntrySpec> = {}): EntrySpec => ({
  name,
  size: mebibytes * mebibyte,
  extension: name.slice(name.lastIndexOf('.') + 1),
  lastAccess: '2026-02-20T00:00:00.000Z',
  ...changes,
})
/** A folder with two files, and one that is too deep to be expanded. */
const films: EntrySpec = {
  name: '',
  in: [
    { name: 'flat', in: [file('a.mov', 400), file('b.wav', 300, { owner: 'ben' })] },
    { name: 'shoot', in: [], size: 200 * mebibyte },
    file('plan.pdf', 100, { lastAccess: '2024-01-01T00:00:00.000Z' }),
  ],
}
const mapOn = (path: string, root = films, changes = {}) =>
  answer(mapOfFolder, () => ({ ...mapOf(root, path), indexingDate: today, ...changes }))

const ages = (...mebibytes: number[]) => mebibytes.map((size) => size * mebibyte)
/** Largest categories of the folders in `films`. */
const consisting: Record<string, Dominant[]> = {
  extension: [
    { path: '/flat', value: 'mov', size: 400 * mebibyte },
    { path: '/shoot', value: 'r3d', size: 150 * mebibyte },
  ],
  owner: [{ path: '/shoot', value: 'ben', size: 200 * mebibyte }],
  age: [
    { path: '/', value: '0', size: 750 * mebibyte, ages: ages(750, 0, 0, 150, 100) },
    { path: '/flat', value: '0', size: 700 * mebibyte, ages: ages(700) },
    { path: '/shoot', value: '3', size: 150 * mebibyte, ages: ages(50, 0, 0, 150) },
  ],
}
const dominants = answer(dominantBelow, ({ query: { path, by, storageId, indexingDate = today } }) => ({
  path,
  by,
  storageId,
  indexingDate,
  folders: consisting[by] ?? [],
}))

const storages = answer(volumes, volumePage([volume(1, { name: 'Films' })]))
const openMap = (path = '/', ...answers: FakeAnswer[]) =>
  open(`/map?${new URLSearchParams({ volumeId: '1', path })}`, {
    answers: [mapOn(path), dominants, storages, ...answers],
  })
const query = () => Object.fromEntries(new URLSearchParams(location.search))
const map = () => screen.findByRole('application')
const announcement = () => document.querySelector('[role="application"] output')?.textContent
const seeAnnouncement = (what: RegExp) => waitFor(() => expect(announcement()).toMatch(what))
const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[aria-label="Map as a table"] tr[data-index]')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  )
const column = (place: number) => rows().map((cells) => [cells[0], cells[place]])
/** Labels and sizes of the legend. */
const legend = () =>
  [...screen.getByRole('group', { name: 'Show only' }).querySelectorAll('button:has(span)')].map(
    ({ textContent }) => textContent,
  )
const seeLegend = (...expected: string[]) => waitFor(() => expect(legend()).toEqual(expected))
const dates = (...days: string[]) =>
  answer(
    snapshotDates,
    [today, ...days].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false })),
  )

test('the table lists what the map draws, the largest first, and opens folders and files', async () => {
  const { person, api } = await openMap()
  expect((await map()).getAttribute('aria-label')).toMatch(/^Map of \/: 1,000 MiB in 3 parts\./)
  await person.press('Show as table')
  await waitFor(() =>
    expect(column(1)).toEqual([
      ['flat', '700 MiB'],
      ['flat/a.mov', '400 MiB'],
      ['flat/b.wav', '300 MiB'],
      ['shoot', '200 MiB'],
      ['plan.pdf', '100 MiB'],
    ]),
  )
  expect(column(2).slice(0, 2)).toEqual([
    ['flat', '70.0 %'],
    ['flat/a.mov', '40.0 %'],
  ])
  expect(api.inputs(mapOfFolder)[0]?.query).toMatchObject({ storageId: 1, path: '/', levels: 3 })
  const rowAt = (index: number) => document.querySelector<HTMLElement>(`tr[data-index="${index}"]`)!
  rowAt(3).focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(query()).toEqual({ volumeId: '1', path: '/shoot' }))
})

test('a file of the table opens in File Management', async () => {
  const filesScreen = [volumes, contentsOfFolder, folderDetails].map(hold)
  const { person } = await openMap('/', ...filesScreen)
  await person.press('Show as table')
  await waitFor(() => expect(rows()).toHaveLength(5))
  document.querySelector<HTMLElement>('tr[data-index="1"]')!.focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/filemanagement'))
  expect(query()).toEqual({ volumeId: '1', path: '/flat', fileName: 'a.mov' })
})

test('the name of the storage is above the map', async () => {
  const { person } = await openMap('/shoot')
  await person.see('Films')
})

test('entries that are too small to be drawn are one row', async () => {
  const many: EntrySpec = { name: 'many', in: [file('a.dpx', 5)], smaller: { count: 200, size: 200 * mebibyte } }
  const { person } = await openMap('/', mapOn('/', { name: '', in: [many] }))
  await person.press('Show as table')
  await person.see('Smaller items (200)')
})

test('the keys open folders, lead back to the folder above, and say where they are', async () => {
  const { person, api } = await openMap()
  ;(await map()).focus()
  await seeAnnouncement(/^flat, folder, 700 MiB, 70\.0 %, largest age Last 30 days · 100\.0 % of 700 MiB, last access/)
  api.answer(mapOn('/flat', { name: 'flat', in: [file('a.mov', 400)] }))
  await person.keys('{Enter}')
  await waitFor(() => expect(query()['path']).toBe('/flat'))
  await seeAnnouncement(/^a\.mov, 400 MiB, 100\.0 %/)
  api.answer(mapOn('/'))
  await person.keys('{Backspace}')
  await waitFor(() => expect(query()['path']).toBe('/'))
  await seeAnnouncement(/^flat, folder/)
})

test('a button leads to the folder above', async () => {
  const { person, api } = await openMap('/flat', mapOn('/flat', { name: 'flat', in: [file('a.mov', 400)] }))
  await person.see(/\/flat400 MiB/)
  api.answer(mapOn('/'))
  await person.press('Parent folder')
  await waitFor(() => expect(query()['path']).toBe('/'))
  expect(await person.isDisabled('Parent folder')).toBe(true)
})

test('the legend explains the chosen colours, and this browser remembers them', async () => {
  const { person } = await openMap()
  await seeLegend('Last 30 days750 MiB', '180 to 365 days150 MiB', 'Over a year100 MiB')
  await person.choose('Color by', 'Color: Type')
  await seeLegend('mov400 MiB', 'wav300 MiB', 'r3d200 MiB', 'pdf100 MiB')
  await person.see('Each folder is colored by its largest file type.')
  await person.choose('Color by', 'Color: Owner')
  await seeLegend('ana500 MiB', 'ben500 MiB')
  await person.choose('Color by', 'Color: Depth')
  await seeLegend('Level 1300 MiB', 'Level 2700 MiB')
  expect(localStorage.getItem('mapColour')).toBe('depth')
})

test('picked lines of the legend leave the others out of the table', async () => {
  const { person } = await openMap()
  await person.choose('Color by', 'Color: Type')
  await person.press('Show as table')
  await person.press(/^wav/)
  await waitFor(() => expect(column(3)).toEqual([['flat/b.wav', 'wav']]))
  await person.press(/^r3d/)
  await waitFor(() =>
    expect(column(3)).toEqual([
      ['flat/b.wav', 'wav'],
      ['shoot', 'r3d'],
    ]),
  )
  await person.press('Show all')
  await waitFor(() => expect(rows()).toHaveLength(5))
})

test('growth is counted since an earlier snapshot', async () => {
  const grown: EntrySpec = {
    name: '',
    in: [
      file('new.mov', 700, { delta: 700 * mebibyte, isCreated: true }),
      file('b.wav', 350, { delta: 50 * mebibyte }),
      file('c.tif', 150, { delta: -50 * mebibyte }),
      file('d.txt', 100, { delta: 0 }),
    ],
  }
  const { person, api } = await openMap('/', dates('2026-01-05', '2026-01-01'), mapOn('/', grown))
  await person.choose('Color by', 'Color: Growth')
  await person.see('Since 2026-01-05')
  await seeLegend('New700 MiB', 'Grown50.0 MiB', 'Shrunk50.0 MiB', 'Unchanged550 MiB')
  await person.press('Show as table')
  await waitFor(() =>
    expect(column(4)).toEqual([
      ['new.mov', 'New'],
      ['b.wav', '+50.0 MiB'],
      ['c.tif', '−50.0 MiB'],
      ['d.txt', '0 B'],
    ]),
  )
  expect(api.inputs(mapOfFolder).at(-1)?.query.previousDate).toBe('2026-01-05')
  await person.choose('Since', 'Since 2026-01-01')
  await waitFor(() => expect(api.inputs(mapOfFolder).at(-1)?.query.previousDate).toBe('2026-01-01'))
})

test('growth starts about 30 days ago, even with a newer snapshot', async () => {
  const { person } = await openMap('/', dates('2026-02-28', '2026-01-28', '2025-12-01'))
  await person.choose('Color by', 'Color: Growth')
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Since').value).toBe('2026-01-28'))
})

test('growth is not shown without an earlier snapshot', async () => {
  const { person } = await openMap()
  await person.choose('Color by', 'Color: Growth')
  await person.see('There is no earlier snapshot.')
})

test('an older date shows the map and the types of that date', async () => {
  const { api } = await open('/map?volumeId=1&path=/&date=2026-01-05', {
    answers: [dates('2026-01-05'), mapOn('/', films, { indexingDate: '2026-01-05' }), dominants, storages],
  })
  await map()
  const queries = [mapOfFolder, dominantBelow].map((endpoint) => () => api.inputs(endpoint).at(-1)?.query)
  for (const query of queries) await waitFor(() => expect(query()).toMatchObject({ indexingDate: '2026-01-05' }))
})

test('folders have no colour while their types are read, and a failure is read again on request', async () => {
  const { person, api } = await openMap('/', hold(dominantBelow))
  await person.choose('Color by', 'Color: Type')
  await seeLegend('mov400 MiB', 'wav300 MiB', 'pdf100 MiB', 'Folders, loading200 MiB')
  await person.press(/^Folders, loading/)
  await person.see('Show all')
  expect((await screen.findByRole('region', { name: 'Map' })).getAttribute('aria-busy')).toBe('true')
  api.answer(refuse(dominantBelow, { message: 'The store is away' }, 503))
  await person.choose('Color by', 'Color: Owner')
  await person.see('The store is away')
  await seeLegend('ana500 MiB', 'ben300 MiB', 'Folders, not loaded200 MiB')
  api.answer(hold(dominantBelow))
  await person.press('Retry')
  await person.seeNo('The store is away')
  api.answer(dominants)
  await person.choose('Color by', 'Color: Type')
  await seeLegend('mov400 MiB', 'wav300 MiB', 'r3d200 MiB', 'pdf100 MiB')
  // The selected category no longer exists.
  await person.seeNo('Show all')
})

test('the content of folders is only requested if colours need it', async () => {
  const { person, api } = await openMap('/flat', mapOn('/flat', { name: 'flat', in: [file('a.mov', 400)] }))
  await person.choose('Color by', 'Color: Depth')
  await seeLegend('Level 1400 MiB')
  await person.choose('Color by', 'Color: Type')
  await seeLegend('mov400 MiB')
  // Ages are requested first, since their legend covers the whole folder.
  expect(api.inputs(dominantBelow).map(({ query }) => query.by)).toEqual(['age'])
})

test('a folder without bytes, a missing one and none at all say so', async () => {
  const { person } = await openMap('/nothing', mapOn('/nothing', { name: 'nothing', in: [] }))
  await person.see('Nothing in this folder takes up space.')
  await person.press('Go to the parent folder')
  await waitFor(() => expect(query()['path']).toBe('/'))
  const refused = refuse(mapOfFolder, { message: 'There is no folder /nowhere' }, 404)
  const missing = await openMap('/nowhere', refused)
  await missing.person.see('There is no folder /nowhere')
  const none = await open('/map?volumeId=films')
  await none.person.see('No folder found')
})

test('without a folder, the map lists all storages, largest first, and opens theirs', async () => {
  const all = volumePage([
    volume(1, { name: 'Films', sizeOfFiles: 1_024 }),
    volume(2, { name: 'Music', sizeOfFiles: 3_072 }),
  ])
  const { person } = await open('/map', { answers: [answer(volumes, all), mapOn('/', { name: '', in: [] })] })
  await person.see(/Music3\.00 KiB75\.0 %Films1\.00 KiB25\.0 %/)
  await person.press(/^Music/)
  await waitFor(() => expect(query()).toMatchObject({ volumeId: '2', path: '/' }))
})
