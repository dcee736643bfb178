import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfFolder, filesSince, folderByPath, foldersSince, partOfFolder } from '#events/folders/browse.ts'
import { EntrySummary } from '#events/entries.ts'
import { folderDetails } from '#events/folders/calls.ts'
import { mapOfFolder } from '#events/folders/map.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { entry, today } from '#client/testing/examples.ts'
import { answer, fail, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import type { Person } from '#client/testing/person.ts'
import { open } from '#client/testing/render.tsx'
import { visible } from '#client/ui/text/visible.ts'
import { oddFolder, oddNames } from './testing/folders.ts'
import { films, folder, foldersWith, openFiles } from '#client/testing/fakeFolders.ts'
import { cellsOf, nameOf, names, query, rowOf, rowsNow, seeNames } from './testing/treeRows.ts'

const manyFiles = Array.from({ length: 1_200 }, (_, index) =>
  entry(`/many/frame_${String(index).padStart(4, '0')}.dpx`, { size: 2_000 - index }),
)

const tree = () => screen.getByRole('treegrid', { name: 'Folders and files' })
const focused = () => nameOf(document.activeElement as HTMLElement)
const selected = () =>
  rowsNow()
    .filter((row) => row.getAttribute('aria-selected') === 'true')
    .map(nameOf)
async function openTwoFolders(person: Person) {
  await person.press('Open projects')
  await person.press('Open alpha')
  await seeNames('projects', 'alpha', 'shots', 'notes.txt', 'beta', 'nothing', 'odd', 'loose.mov')
}

test('folders open in place, the largest first and before files, and an empty one says so', async () => {
  const { person, api } = await openFiles()
  await seeNames('projects', 'odd', 'loose.mov')
  await openTwoFolders(person)
  await person.press('Open nothing')
  await person.see('No folder found')
  const [shots] = rowsNow().filter((row) => row.getAttribute('aria-level') === '3')
  const place = ['aria-setsize', 'aria-posinset', 'aria-expanded'].map((name) => shots?.getAttribute(name))
  expect(place).toEqual(['2', '1', 'false'])
  expect(cellsOf(rowOf('alpha'))[1]).toBe('2.93 KiB')
  const sent = { path: '/projects/alpha', sort: 'size', direction: 'desc', showHiddenDirectories: false }
  expect(api.inputs(contentsOfFolder).map(({ query }) => query)).toContainEqual(expect.objectContaining(sent))
  await person.press('Close projects')
  await seeNames('projects', 'odd', 'loose.mov')
})

test('a row shows its path when the pointer rests on it', async () => {
  const { person } = await openFiles({ path: '/projects/alpha' })
  await seeNames('shots', 'notes.txt')
  await person.hoverAt(rowOf('shots'))
  const tooltip = await screen.findByRole('tooltip')
  expect(tooltip.textContent).toContain('/mnt/films/projects/alpha/shots')
})

test('hidden folders are shown on request, and what is open stays open', async () => {
  const { person } = await openFiles()
  await person.press('Open projects')
  await seeNames('projects', 'alpha', 'beta', 'nothing', 'odd', 'loose.mov')
  await person.press('Show hidden folders')
  await seeNames('projects', 'alpha', 'beta', 'nothing', '.hidden', 'odd', 'loose.mov')
  await person.press('Hide hidden folders')
  await seeNames('projects', 'alpha', 'beta', 'nothing', 'odd', 'loose.mov')
})

test('the tree is sorted by its titles, and this browser remembers it', async () => {
  const { person, api } = await openFiles()
  await seeNames('projects', 'odd', 'loose.mov')
  await person.press('NAME')
  await seeNames('odd', 'projects', 'loose.mov')
  expect(api.inputs(contentsOfFolder).at(-1)?.query).toMatchObject({ sort: 'name', direction: 'asc' })
  expect({ ...localStorage }).toMatchObject({ folderTreeSort: 'name', folderTreeDirection: 'asc' })
})

test.each([
  ['Monthly Cost', 'cost'],
  ['Tags', 'customTag'],
])('the tree is sorted by its column %s', async (title, sort) => {
  const { person, api } = await openFiles()
  await seeNames('projects', 'odd', 'loose.mov')
  await person.choose('Last column', title)
  await person.press(title)
  await waitFor(() => expect(api.inputs(contentsOfFolder).at(-1)?.query).toMatchObject({ sort }))
})

test('a folder of many files loads page after page while it is scrolled, without a click', async () => {
  const { person, api } = await openFiles({ path: '/many' }, manyFiles)
  await waitFor(() => expect(names()[0]).toBe('frame_0000.dpx'))
  expect(tree().getAttribute('aria-rowcount')).toBe('502')
  rowsNow()[0]!.focus()
  for (const count of ['1002', '1201']) {
    await person.keys('{End}')
    await waitFor(() => expect(tree().getAttribute('aria-rowcount')).toBe(count))
  }
  await person.keys('{End}')
  await waitFor(() => expect(focused()).toBe('frame_1199.dpx'))
  await person.seeNo('Load more...')
  expect(api.inputs(partOfFolder)).toHaveLength(2)
})

test('of a hundred thousand files only those in sight are drawn', async () => {
  const { person } = await openFiles(
    { path: '/many' },
    films(),
    answer(contentsOfFolder, () => ({
      folders: { ...pageWith([]), indexingDate: today, cursor: null },
      files: {
        ...pageWith(
          manyFiles.slice(0, 500).map((file) => EntrySummary.parse(file)),
          100_000,
        ),
        indexingDate: today,
        cursor: 'next',
      },
    })),
    hold(partOfFolder),
  )
  await waitFor(() => expect(names().length).toBeGreaterThan(20))
  expect(names().length).toBeLessThan(100)
  expect(tree().getAttribute('aria-rowcount')).toBe('502')
  rowsNow()[0]!.focus()
  await person.keys('{End}')
  await person.see('Loading files')
})

test.each(oddNames)('the address finds a file named %j, and its path is copied unchanged', async (name) => {
  const { person } = await openFiles(
    { path: '/odd', fileName: name },
    oddNames.map((name) => entry(`/odd/${name}`)),
  )
  await waitFor(() =>
    expect(
      rowsNow()
        .filter((row) => row.matches('[data-shown]'))
        .map(nameOf),
    ).toEqual([visible(name)]),
  )
  await person.pressAt(within(rowOf(visible(name))).getByRole('button', { name: /^Copy the path of/ }))
  await person.see('File path copied to clipboard')
  expect(await navigator.clipboard.readText()).toBe(`/mnt/films/odd/${name}`)
})

test('the folders above an odd folder are links', async () => {
  const { person } = await openFiles({ path: `/odd/${oddFolder}` }, [
    folder('/odd'),
    folder(`/odd/${oddFolder}`),
    entry(`/odd/${oddFolder}/a.txt`),
  ])
  await seeNames('a.txt')
  const steps = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('link')
  expect(steps.map(({ textContent }) => textContent)).toEqual(['', 'Films', 'odd', visible(oddFolder)])
  await person.pressAt(steps[2]!)
  await waitFor(() => expect(query()).toEqual({ volumeId: '1', path: '/odd' }))
  await seeNames(visible(oddFolder))
})

test('keys move, open, select, find by letters and lead into a folder', async () => {
  const { person } = await openFiles({}, [...films(), folder('/reel 10', { size: 2 }), folder('/reel 49', { size: 1 })])
  await seeNames('projects', 'odd', 'reel 10', 'reel 49', 'loose.mov')
  rowsNow()[0]!.focus()
  await person.keys('{ArrowRight}')
  await waitFor(() => expect(names()).toContain('alpha'))
  await person.keys('{ArrowRight}')
  expect(focused()).toBe('alpha')
  await person.keys(' ')
  await person.see('1 item selected')
  await person.keys('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await person.see('3 items selected')
  expect(selected()).toEqual(['alpha', 'beta', 'nothing'])
  await person.keys('{ArrowLeft}')
  expect(focused()).toBe('projects')
  await person.keys('{Escape}')
  await person.seeNo('items selected')
  await person.keys('reel 49')
  expect(focused()).toBe('reel 49')
  await person.keys('{Home}{ArrowDown}{Enter}')
  await waitFor(() => expect(query()['path']).toBe('/projects/alpha'))
})

test('the delta shows how sizes changed since an earlier date', async () => {
  const dates = [today, '2026-01-10', '2026-01-01'].map((indexingDate) => ({
    indexingDate,
    volumes: 1,
    isPartial: false,
  }))
  const same = { delta: 0, isCreated: false, isRemoved: false }
  const compared = { indexingDate: today, previousIndexingDate: '2026-01-10' }
  const { person, api } = await openFiles(
    { path: '/projects' },
    films(),
    answer(snapshotDates, dates),
    answer(foldersSince, ({ params }) => ({
      ...pageWith([
        {
          ...folder('/projects/alpha', { size: 3_000 }),
          ...same,
          delta: params.previousDate === '2026-01-01' ? 1 : 5_007,
        },
        { ...folder('/projects/nothing', { size: 0 }), ...same },
        { ...folder('/projects/beta', { size: -1, deleted: true }), delta: -30_000, isCreated: false, isRemoved: true },
      ]),
      ...compared,
    })),
    answer(filesSince, {
      ...pageWith([{ ...entry('/projects/new.mov'), delta: 1_024, isCreated: true, isRemoved: false }]),
      ...compared,
    }),
  )
  const delta = await screen.findByRole<HTMLOptionElement>('option', { name: 'Delta' })
  await waitFor(() => expect(delta.disabled).toBe(false))
  await person.choose('Last column', 'Delta')
  const deltas = () => rowsNow().map((row) => `${nameOf(row)}: ${cellsOf(row)[2]}`)
  await waitFor(() =>
    expect(deltas()).toEqual(['alpha: +4.89 KiB', 'nothing: 0 B', 'beta: Removed−29.3 KiB', 'new.mov: New+1.00 KiB']),
  )
  expect(within(rowOf('beta')).getByRole<HTMLInputElement>('checkbox').disabled).toBe(true)
  await person.choose('Previous date', 'since 2026-01-01')
  await waitFor(() => expect(deltas()[0]).toBe('alpha: +1 B'))
  expect(api.inputs(filesSince).at(-1)?.params).toEqual({ previousDate: '2026-01-01' })
  expect(query()['previousDate']).toBe('2026-01-01')
})

test('without an earlier snapshot the delta cannot be chosen', async () => {
  await openFiles()
  await seeNames('projects', 'odd', 'loose.mov')
  const delta = await screen.findByRole<HTMLOptionElement>('option', { name: 'Delta' })
  expect(delta.disabled).toBe(true)
})

test('the key m shows and hides the map of the folder, and this browser remembers it', async () => {
  const { person } = await openFiles({}, films(), hold(mapOfFolder))
  await seeNames('projects', 'odd', 'loose.mov')
  rowsNow()[0]!.focus()
  await person.keys('m')
  await screen.findByRole('region', { name: 'Map' })
  expect(localStorage.getItem('isFolderMapOpen')).toBe('true')
  await person.press('Hide the map')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Map' })).toBeNull())
})

test('a branch that fails says so in its place, and is read again on request', async () => {
  const { person, api } = await openFiles({ path: '/projects' })
  await seeNames('alpha', 'beta', 'nothing')
  api.answer(fail(contentsOfFolder))
  await person.press('Open alpha')
  await person.see('Unable to get the files of the folder')
  await person.see('Unable to get the folders of the folder')
  for (const _ of ['folders', 'files']) await person.pressAt(screen.getAllByRole('button', { name: 'Retry' })[0]!)
  await seeNames('alpha', 'shots', 'notes.txt', 'beta', 'nothing')
})

test('a folder that does not exist has no rows', async () => {
  const { person } = await openFiles({ path: '/nowhere' })
  await person.see('No folder found')
})

test('a full path in the address, as lists show it, leads to the folder', async () => {
  const lookup = answer(folderByPath, { exists: true, folder: { volumeId: 1, path: '/projects' } })
  const unknown = refuse(folderDetails, { message: 'No such folder' }, 404)
  for (const [address, found] of [
    ['path=/mnt/films/projects', { path: '/mnt/films/projects' }],
    ['path=%5C%5Cnas%5Cfilms%5Cprojects&volumeId=1', { path: '\\\\nas\\films\\projects', storages: [1] }],
  ] as const) {
    const { api } = await open(`/filemanagement?${address}`, { answers: [...foldersWith(films()), lookup, unknown] })
    await waitFor(() => expect(query()).toEqual({ path: '/projects', volumeId: '1' }))
    await seeNames('alpha', 'beta', 'nothing')
    expect(api.inputs(folderByPath)[0]?.query).toMatchObject(found)
  }
})

test('a scan that ends elsewhere renews the tree, and what is open stays open', async () => {
  const entries = films()
  const { person, live } = await openFiles({ path: '/projects' }, entries)
  await person.press('Open alpha')
  await seeNames('alpha', 'shots', 'notes.txt', 'beta', 'nothing')
  entries.splice(
    entries.findIndex(({ name }) => name === 'beta'),
    1,
  )
  entries.push(entry('/projects/alpha/new.mov', { size: 5_000 }))
  live.send('changed', { type: 'changed', topics: ['snapshots'] })
  await seeNames('alpha', 'shots', 'new.mov', 'notes.txt', 'nothing')
})
