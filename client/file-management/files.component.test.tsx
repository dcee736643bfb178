import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfFolder, folderByPath, partOfFolder } from '#events/folders/browse.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { changeTags } from '#events/tags.ts'
import { entry, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, hold, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { films, folder, foldersWith, openFiles } from '#client/testing/fakeFolders.ts'
import { cellsOf, nameOf, names, query, rowOf, rowsNow, seeNames } from './testing/treeRows.ts'

const toolbar = () => within(screen.getByRole('toolbar', { name: 'Selection' }))
const panel = () => screen.getByRole('complementary', { name: 'Details' }).textContent
const seePanel = (what: RegExp) => waitFor(() => expect(panel()).toMatch(what))
test('volumes are listed with their sizes, are filtered, and lead to their content', async () => {
  const disk = { fileSystem: 'south:1', total: 2 ** 40, used: 2 ** 38 }
  const { person } = await open('/filemanagement', {
    answers: [
      ...foldersWith(films()),
      answer(volumes, volumePage([volume(1, { name: 'Films' }), volume(2, { name: 'Archive', ...disk })])),
    ],
  })
  await person.see('2 storages')
  await person.see(/FilmsFile storage50\.0 %[^]*1\.00 GiB in 10 files/)
  await person.write('Filter the storages', 'nothing like it')
  await person.see('No storages found')
  await person.write('Filter the storages', ' FILM')
  await person.seeNo('Archive')
  await person.write('Filter the storages', '')
  const cards = () => [...document.querySelectorAll<HTMLElement>('[data-card]')]
  await waitFor(() => expect(cards().map(({ tabIndex }) => tabIndex)).toEqual([0, -1]))
  cards()[0]?.focus()
  await person.keys('{ArrowDown}')
  expect(document.activeElement).toBe(cards()[1])
  await person.choose('Order', 'Largest first')
  await person.press(/Films/, 'link')
  await waitFor(() => expect(query()).toEqual({ path: '/', volumeId: '1' }))
  await seeNames('projects', 'odd', 'loose.mov')
})

test('selected entries are tagged, and their tags appear without anything being closed', async () => {
  const entries = films()
  const tag = answer(changeTags, ({ body }) => {
    for (const each of entries) if (body.entries.some(({ path }) => path === each.path)) each.customTag = body.add
    return { changed: body.entries.length }
  })
  const { person, api, live } = await openFiles({}, entries, tag)
  await person.choose('Last column', 'Tags')
  await person.press('Open projects')
  await person.press('Open alpha')
  await seeNames('projects', 'alpha', 'shots', 'notes.txt', 'beta', 'nothing', 'odd', 'loose.mov')
  await person.press('Select beta', 'checkbox')
  await person.press('Select notes.txt', 'checkbox')
  await person.pressAt(toolbar().getByRole('button', { name: 'Add tags' }))
  await person.write('Find or create a tag', 'keep{Enter}')
  await person.pressAt(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Add tags' }))
  await waitFor(() => expect(api.inputs(changeTags)).toMatchObject([{ body: { add: ['keep'], remove: [] } }]))
  live.send('changed', { type: 'changed', topics: ['tags'] })
  const isTagged = (row: HTMLElement) => cellsOf(row)[2] === 'keep'
  await waitFor(() => expect(rowsNow().filter(isTagged).map(nameOf)).toEqual(['notes.txt', 'beta']))
  expect(names()).toContain('shots')
  await person.see('2 items selected')
  await person.press('Manage the tags of projects')
  await person.see('Tags of projects')
  await person.keys('{Escape}')
  await person.closed()
})

test('all rows are selected at once', async () => {
  const { person } = await openFiles()
  await person.press('Open projects')
  await seeNames('projects', 'alpha', 'beta', 'nothing', 'odd', 'loose.mov')
  await person.press('Select: Nothing is selected')
  await person.press('Select all visible', 'menuitem')
  await person.see('6 items selected')
})

test('tags need a role and the newest snapshot', async () => {
  const dates = [today, '2026-01-10'].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  const answers = [...foldersWith(films()), answer(snapshotDates, dates)]
  const tagButtons = () => document.querySelectorAll('[data-do="tags"]').length
  await open('/filemanagement?volumeId=1', { roles: ['ROLE_ICONIK_UPLOAD'], answers })
  await seeNames('projects', 'odd', 'loose.mov')
  expect(tagButtons()).toBe(0)
  const { api } = await open('/filemanagement?volumeId=1&date=2026-01-10', { answers })
  await seeNames('projects', 'odd', 'loose.mov')
  expect(tagButtons()).toBe(0)
  expect(api.inputs(contentsOfFolder).map(({ query }) => query.indexingDate)).toContain('2026-01-10')
  await open('/filemanagement?volumeId=1', { answers })
  await seeNames('projects', 'odd', 'loose.mov')
  expect(tagButtons()).toBe(3)
})

test('the details show the active row, else the folder, else the storage', async () => {
  const { person } = await openFiles()
  await seePanel(/Films[^]*KindFile storage[^]*Number of Files10[^]*Snapshot2026-03-01/)
  // Charts that are not in view don't load, so nothing says so.
  expect(document.querySelector('aside [aria-hidden][data-inset]')).toBeNull()
  await person.pressAt(rowOf('projects'))
  await seePanel(/projects[^]*Size4\.88 KiB[^]*Folder DetailsFolder analyticsCompare/)
  await person.pressAt(rowOf('loose.mov'))
  await seePanel(/loose\.mov[^]*Extensionmov[^]*DuplicateNo[^]*Permissions0644[^]*File Details/)
  await openFiles({ path: '/projects/beta' })
  await seePanel(/beta[^]*Number of Files1/)
})

test('a file opens in a dialog with its related files', async () => {
  const { person } = await openFiles({ path: '/projects/beta' })
  await seeNames('beta.mov')
  await person.pressAt(rowOf('beta.mov'))
  await person.keys('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'File Details' })
  expect(within(dialog).getByRole('button', { name: 'Related Files' })).toBeTruthy()
  await person.keys('{Escape}')
  await person.closed()
})

test('the details are hidden, and this browser remembers it', async () => {
  const { person } = await openFiles()
  await seeNames('projects', 'odd', 'loose.mov')
  await person.press('Hide the details')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
  expect(localStorage.getItem('isDetailsPanelOpen')).toBe('false')
  await person.press('Show the details')
  await seePanel(/File storage/)
})

test('a folder is also shown as two lists with pages', async () => {
  const entries = Array.from({ length: 60 }, (_, index) => entry(`/many/${index}.dpx`, { size: 1_000 - index }))
  const { person, api } = await openFiles({ path: '/many' }, [...entries, folder('/many/below', { numberOfFiles: 7 })])
  await person.press('Lists', 'radio')
  const lists = await screen.findAllByRole('tab')
  await waitFor(() => expect(lists.map(({ textContent }) => textContent)).toEqual(['Folders1', 'Files60']))
  const rows = () => [...document.querySelectorAll<HTMLElement>('table[role="grid"] tr[data-index]')]
  await waitFor(() => expect(cellsOf(rows()[0]!).slice(1, 5)).toEqual(['below', '1.00 KiB', '7', '0']))
  await person.press(/^Files/, 'tab')
  await person.see('60 files')
  await waitFor(() => expect(rows()).toHaveLength(25))
  expect(cellsOf(rows()[0]!)).toEqual(expect.arrayContaining(['0.dpx', '1,000 B', 'dpx', 'ana', 'editors']))
  await person.press('Next page')
  await waitFor(() => expect(cellsOf(rows()[0]!)[1]).toBe('25.dpx'))
  expect(query()).toMatchObject({ tab: 'files', page: '2' })
  await person.press('Name')
  await waitFor(() => expect(cellsOf(rows()[0]!)[1]).toBe('0.dpx'))
  expect(api.inputs(partOfFolder).at(-1)).toMatchObject({ params: { part: 'files' }, query: { sort: 'name', page: 1 } })
  await person.press('Tree', 'radio')
  await waitFor(() => expect(names()[1]).toBe('0.dpx'))
})

test('an empty folder has no folders and no files in its lists', async () => {
  const { person } = await openFiles({ path: '/nowhere' })
  await person.press('Lists', 'radio')
  await person.see('No folder found')
  await person.press(/^Files/, 'tab')
  await person.see('No files found')
})

test('a folder leads to a search in it', async () => {
  await openFiles({ path: '/projects' })
  const link = await screen.findByRole('link', { name: 'Show content as Search result' })
  expect(link.getAttribute('href')).toBe('/search?startingPath=%2Fprojects&volumeId=1')
})

test.each(['volumeId=big', 'volumeId=-1', 'path=/nowhere'])('the address ?%s lists the volumes', async (address) => {
  const unknown = answer(folderByPath, { exists: false, folder: null })
  const { person } = await open(`/filemanagement?${address}`, { answers: [...foldersWith(films()), unknown] })
  await person.see('1 storage')
})

test('a path without its first slash is the same folder', async () => {
  await openFiles({ path: 'projects' })
  await seeNames('alpha', 'beta', 'nothing')
})

const gold = { id: 1, description: 'Gold', currencySymbol: '$', price: 1e10, classes: [] }

test('a cost that cannot be read is read again from its cell or from the details', async () => {
  const { person, api } = await openFiles({}, films(), refuse(volumes, { message: 'The store is away' }))
  await seeNames('projects', 'odd', 'loose.mov')
  await person.choose('Last column', 'Monthly Cost')
  const costs = () => rowsNow().map((row) => cellsOf(row)[2])
  await waitFor(() => expect(costs()).toEqual(['Retry', 'Retry', 'Retry']))
  await seePanel(/The store is away\s*Retry/)
  api.answer(answer(volumes, volumePage([volume(1, { name: 'Films', storagePrice: gold })])))
  await person.pressAt(within(rowOf('projects')).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(costs()).toEqual(Array.from({ length: 3 }, () => expect.stringMatching(/^\$\d/))))
  await seePanel(/Films[^]*Cost\$\d/)
})

test('details that the row does not have are waited for, and are read again after a failure', async () => {
  const { person, api } = await openFiles({ path: '/projects/beta' }, films(), hold(searchEntries))
  await seeNames('beta.mov')
  await person.pressAt(rowOf('beta.mov'))
  await seePanel(/Namebeta\.mov[^]*Extensionmov\s*Duplicate…[^]*Permissions…/)
  api.answer(refuse(searchEntries, { message: 'The store is away' }))
  await person.pressAt(rowOf('beta.mov'))
  await seePanel(/Namebeta\.mov[^]*Size1,000 B[^]*Other details\s*Retry\s*The store is away/)
  expect(panel()).not.toMatch(/Duplicate|…/)
  api.answer(...foldersWith(films()))
  await person.press('Retry')
  await seePanel(/Extensionmov\s*DuplicateNo[^]*Permissions0644/)
  expect(panel()).not.toMatch('Other details')
})
