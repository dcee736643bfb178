import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { folderByPath, folderSuggestions, partOfFolder } from '#events/folders/browse.ts'
import { EntrySummary } from '#events/entries.ts'
import { type ListedProject, mostActiveProjects, projects } from '#events/projects/calls.ts'
import { statements } from '#events/projects/statements.ts'
import { storages } from '#events/storages.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import type { Person } from '#client/testing/person.ts'
import { open } from '#client/testing/render.tsx'
import { gold, KiB, listedProject, projectAnswers } from '#client/testing/exampleProject.ts'

const alpine = listedProject(1, 'Alpine')
const boreal = listedProject(2, 'Boreal', { sizeOfFiles: 20 * KiB, allocatedSize: 10 * KiB, costs: [] })
const cobalt = listedProject(3, 'Cobalt', { sizeOfFiles: 20 * KiB, allocatedSize: 30 * KiB })

/** Filters projects by description and sorts them by a column. */
const listOf = (...all: ListedProject[]) =>
  answer(projects.list, ({ query: { filter, sort = 'name', direction } }) => {
    const way = direction === 'desc' ? -1 : 1
    const found = all.filter(({ description }) => description.toLowerCase().includes(filter.toLowerCase()))
    const value = (project: ListedProject) => project[sort as 'allocatedSize' | 'name']
    return pageWith(found.toSorted((a, b) => (value(a) < value(b) ? -way : way)))
  })
const openList = (...answers: FakeAnswer[]) =>
  open('/projects', { answers: [listOf(alpine, boreal, cobalt), answer(statements.months, []), ...answers] })

const address = () => decodeURIComponent(location.pathname + location.search)
const seeAddress = (expected: string) => waitFor(() => expect(address()).toBe(expected))
const rows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent),
  )
const seeNames = (...names: string[]) => waitFor(() => expect(rows().map(([name]) => name)).toEqual(names))
const tracked = () =>
  [...document.querySelectorAll('ul[aria-label="Tracked folders"] li')].map(({ textContent }) => textContent)
const seeTracked = (...folders: string[]) => waitFor(() => expect(tracked()).toEqual(folders))

test('without projects the list says so, and leads to the first one', async () => {
  const { person } = await openList(listOf())
  await person.see('No projects yet. A project groups folders so that you can bill them.')
  const links = await screen.findAllByRole('link', { name: 'New project' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/projects/new', '/projects/new'])
})

test('the list shows how each project changed in the last 30 days', async () => {
  const grown = { id: 1, name: 'Alpine', sizeOfFiles: 140 * KiB, previousSize: 40 * KiB, variation: 100 * KiB }
  const counting = listedProject(4, 'Delta', { loadingReport: true })
  const days = ['2026-03-01', '2026-02-01'].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  await openList(listOf(alpine, boreal, counting), answer(snapshotDates, days), answer(mostActiveProjects, [grown]))
  await waitFor(() => expect(rows().map((cells) => cells[6])).toEqual(['+100 KiB', 'No change', '-']))
  await openList(answer(snapshotDates, days.slice(0, 1)))
  await waitFor(() => expect(rows().map((cells) => cells[6])).toEqual(['-', '-', '-']))
})

test('the list shows sizes, usage and costs, and is sorted by its titles', async () => {
  const { person } = await openList()
  await seeNames('Alpine', 'Boreal', 'Cobalt')
  expect(rows().map((cells) => [...cells.slice(1, 6), cells.at(-1)])).toEqual([
    ['Films of Alpine', '140 KiB', '200 KiB', '70.0 %', '5', '$10.00'],
    ['Films of Boreal', '20.0 KiB', '10.0 KiB', '200.0 %', '5', '-'],
    ['Films of Cobalt', '20.0 KiB', '30.0 KiB', '66.6 %', '5', '$10.00'],
  ])
  await person.choose('Cost interval', 'Yearly')
  await person.see('$120.00')
  await person.press('Allocated')
  await seeNames('Boreal', 'Cobalt', 'Alpine')
  await seeAddress('/projects?sort=allocatedSize&direction=asc')
})

test('the statements of all projects for a month are downloaded in one file', async () => {
  const csv = { name: 'Statements-2026-02.csv', text: 'Project' }
  const months = answer(statements.months, ['2026-03', '2026-02'])
  const { person, api, saved } = await openList(months, answer(statements.allAsCsv, csv))
  await person.press('All statements')
  await person.press('February 2026 (CSV)', 'menuitem')
  await waitFor(() => expect(saved).toEqual([csv]))
  expect(api.inputs(statements.allAsCsv)).toMatchObject([{ params: { month: '2026-02' } }])
})

test('the list marks projects with moved folders', async () => {
  await openList(listOf(alpine, { ...boreal, movedFolders: 2 }, { ...cobalt, movedFolders: 1 }))
  await seeNames('Alpine', 'Boreal2 folders moved', 'Cobalt1 folder moved')
})

test('the list is searched by text, and the address keeps it', async () => {
  const { person } = await openList()
  await seeNames('Alpine', 'Boreal', 'Cobalt')
  await person.write('Search projects', ' of cob ')
  await seeNames('Cobalt')
  await seeAddress('/projects?filter=of+cob')
  await person.write('Search projects', 'nowhere')
  await person.see('There is no project with this name or description.')
  await person.pressAt(
    within(screen.getByRole('region', { name: /^All projects/ })).getByRole('button', { name: 'Clear the search' }),
  )
  await seeNames('Alpine', 'Boreal', 'Cobalt')
  await seeAddress('/projects')
})

test('a row opens its project', async () => {
  const { person } = await openList(...projectAnswers())
  await seeNames('Alpine', 'Boreal', 'Cobalt')
  document.querySelectorAll<HTMLElement>('tbody tr')[2]!.focus()
  await person.keys('{Enter}')
  await seeAddress('/project/3')
})

test('a list that cannot be read says why, and is read again', async () => {
  const { person, api } = await openList(refuse(projects.list, { message: 'The store is away' }))
  await person.see('The store is away')
  api.answer(listOf(cobalt))
  await person.press('Retry')
  await seeNames('Cobalt')
})

const folders = ['/raw/alpine', '/masters/alpine'].map((path) => entry(path, { isDirectory: true }))
const inArchive = { volumeId: 2, volumeName: 'Archive' }
const storage = (id: number, name: string) => ({
  id,
  name,
  account: null,
  type: 'crawl.files',
  createdAt: '2026-01-01T00:00:00.000Z',
  stats: { capacityUsed: null, capacityTotal: null, capacityFree: null, fileSystem: null },
})
const formAnswers = [
  answer(folderByPath, ({ query: { path } }) => ({
    exists: path !== '/masters/alpin',
    folder: { volumeId: 2, path: path === '/masters/alpin' ? '/masters/alpine' : path },
  })),
  answer(folderSuggestions, entryPage([...folders, entry('/alpine', { isDirectory: true, ...inArchive })])),
  answer(storages, {
    elements: [storage(1, 'Films'), storage(2, 'Archive')],
    size: 1_000,
    sort: 'NAME',
    direction: 'asc',
    indexingDate: null,
    startCursor: null,
    endCursor: null,
    hasNextPage: false,
    hasPreviousPage: false,
  }),
  answer(partOfFolder, ({ query: { path } }) => {
    const name = path === '/' ? '/masters' : `${path}/alpine`
    return entryPage([EntrySummary.parse(entry(name, { isDirectory: true })) as never])
  }),
  answer(volumes, volumePage([volume(1, { name: 'Films', storagePrice: gold })])),
  ...projectAnswers(),
]

const find = async (person: Person, text: string) =>
  person.fill(await screen.findByRole('combobox', { name: 'Find folders' }), text)

/** Presses a suggested folder. */
const choose = async (person: Person, path: string) => {
  const suggestion = () => document.querySelector(`[role=option]:has([title="${path}"])`)
  await waitFor(() => expect(suggestion()).not.toBeNull())
  await person.pressAt(suggestion()!)
}

test('a form without a name and a size is not saved', async () => {
  const { person, api } = await open('/projects/new', { answers: formAnswers })
  await person.press('Create project')
  await person.see('Name must not be blank')
  await person.see('Allocated Size must not be null')
  await person.write('Allocated Size', 'much')
  await person.press('Create project')
  await person.see('Allocated Size must be a number')
  expect(api.inputs(projects.create)).toEqual([])
})

test('folders are found by a part of their name, and chosen again they are removed', async () => {
  const { person, api } = await open('/projects/new', { answers: formAnswers })
  await find(person, 'alpine')
  await choose(person, '/masters/alpine')
  await choose(person, '/alpine')
  await seeTracked('Films/masters/alpine', 'Archive/alpine')
  await choose(person, '/masters/alpine')
  await seeTracked('Archive/alpine')
  expect(api.inputs(folderSuggestions).map(({ query }) => query.path)).toEqual(['alpine'])
  api.answer(answer(folderSuggestions, entryPage([])))
  await find(person, 'nothing')
  await person.see('No folder found')
})

test('the folder with the typed name is first, and arrow keys and Enter choose in the list', async () => {
  const { person } = await open('/projects/new', { answers: formAnswers })
  await find(person, 'alpine')
  await waitFor(() => expect(document.querySelectorAll('[role=option]')).toHaveLength(folders.length + 1))
  await person.keys('{ArrowDown}{Enter}')
  const input = screen.getByRole('combobox', { name: 'Find folders' })
  const active = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
  expect(active?.textContent).toContain('alpine')
  await waitFor(() => expect(tracked()).toHaveLength(1))
})

test('folders are added by hand, or picked from a storage, and are never listed twice', async () => {
  const { person } = await open('/projects/new', { answers: formAnswers })
  await person.press('Add a folder manually')
  await person.choose('Storage', 'Films')
  await person.write('Path', 'masters')
  await person.see('Path must begin with /')
  expect(await person.isDisabled('Add folder')).toBe(true)
  await person.press('Choose the path from folders')
  await person.press('masters')
  await person.press('Choose /masters/alpine')
  await person.press('Add folder')
  await seeTracked('Films/masters/alpine')
  await person.write('Path', '/masters/alpine/')
  await person.press('Remove folder')
  await seeTracked()
  await person.choose('Storage', 'Archive')
  await person.write('Path', '/alpine{Enter}')
  await seeTracked('Archive/alpine')
})

test('the form names the price of each storage, and where to set it', async () => {
  const { person } = await open('/projects/new', { answers: formAnswers })
  await find(person, 'alpine')
  await choose(person, '/raw/alpine')
  await choose(person, '/alpine')
  await person.see(/Films \$1,000,000\.00 per GiB per year \(Gold\), Archive has no price\. Set prices/)
  expect(screen.getByRole('link', { name: 'Set prices' }).getAttribute('href')).toBe('/settings/data')
})

test('a typed path that no folder has leads to the closest one', async () => {
  const { person } = await open('/projects/new', { answers: formAnswers })
  await person.press('Add a folder manually')
  await person.choose('Storage', 'Films')
  await person.write('Path', '/masters/alpin')
  await person.press('No folder has this path. Use /masters/alpine')
  await person.press('Add folder')
  await seeTracked('Films/masters/alpine')
})

test('a project is created, and opened', async () => {
  const { person, api } = await open('/projects/new', { answers: [...formAnswers, answer(projects.create, { id: 1 })] })
  await person.write('Name', ' Alpine ')
  await person.write('Description', 'The winter season')
  await person.write('Allocated Size', '200')
  await person.choose('Unit', 'KiB')
  await find(person, 'alpine')
  await choose(person, '/raw/alpine')
  await person.press('Create project')
  await person.see('Project created successfully, the full timeline of the project could take minutes to be available.')
  await seeAddress('/project/1')
  const paths = [{ path: '/raw/alpine', volumeId: 1, volumeName: 'Films' }]
  const body = { name: 'Alpine', description: 'The winter season', allocatedSize: 200 * KiB, paths }
  expect(api.inputs(projects.create)).toMatchObject([{ body }])
})

test('errors of the server are shown at their fields', async () => {
  const subErrors = [
    { field: 'name', message: 'is taken' },
    { field: 'paths[0].path', message: 'is not a folder' },
  ]
  const refused = refuse(projects.create, { message: 'Validation errors', subErrors }, 400)
  const { person } = await open('/projects/new', { answers: [...formAnswers, refused] })
  await person.write('Name', 'Alpine')
  await person.write('Allocated Size', '2')
  await person.press('Create project')
  await person.see('Name is taken')
  await person.see('is not a folder')
  expect(address()).toBe('/projects/new')
})

test('a project is edited', async () => {
  const { person, api } = await open('/project/edit/1', {
    answers: [...formAnswers, answer(projects.update, { id: 1 })],
  })
  await seeTracked('Films/raw/alpine', 'Archive/alpine')
  const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
  expect([field('Name'), field('Allocated Size')]).toEqual(['Alpine', '200'])
  await person.write('Allocated Size', '56')
  await person.press('Remove /alpine of Archive')
  await person.press('Save project')
  await person.see('Project updated successfully, the full timeline of the project could take minutes to be updated.')
  await seeAddress('/project/1')
  expect(api.inputs(projects.update)).toMatchObject([
    { body: { id: 1, allocatedSize: 56 * KiB, paths: [{ path: '/raw/alpine' }] } },
  ])
})

test('without the right to edit projects they are shown, but nothing changes them', async () => {
  const options = { roles: ['ROLE_SODA_TRANSFER'] as const, answers: [listOf(cobalt), ...projectAnswers()] }
  const texts = () => [...document.querySelectorAll('a, button')].map(({ textContent }) => textContent).join()
  const list = await open('/projects', options)
  await seeNames('Cobalt')
  await list.person.seeNo('New project')
  const { person } = await open('/project/1', options)
  await person.see('Excel report')
  expect(texts()).not.toMatch(/Edit|Delete|Save/)
  await person.press('Statements', 'tab')
  await person.see('CSV')
  expect(texts()).not.toMatch(/Edit|Delete|Save/)
  await person.seeNo('Email addresses')
  const form = await open('/project/edit/1', options)
  await form.person.see('Only project managers and administrators can create and edit projects.')
})

test.each(['/project/999', '/project/edit/999'])('%s, which does not exist, leads back to the list', async (to) => {
  const missing = refuse(projects.find, { message: 'There is no project 999' }, 404)
  const { person } = await open(to, { answers: [listOf(cobalt), missing] })
  await person.see('Error while fetching the project')
  await seeAddress('/projects')
  await seeNames('Cobalt')
})
