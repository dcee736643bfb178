import { liveOff } from '#events/feeds/liveState.ts'
import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { folderByPath, folderSuggestions, partOfFolder } from '#events/folders/browse.ts'
import { EntrySummary } from '#events/entries.ts'
import { projects } from '#events/projects/calls.ts'
import { storages } from '#events/storages.ts'
import { volumes } from '#events/snapshots.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import type { Person } from '#client/testing/person.ts'
import { open } from '#client/testing/render.tsx'
import { gold, KiB, projectAnswers } from '#client/testing/exampleProject.ts'

const address = () => decodeURIComponent(location.pathname + location.search)
const seeAddress = (expected: string) => waitFor(() => expect(address()).toBe(expected))
const tracked = () =>
  [...document.querySelectorAll('ul[aria-label="Tracked folders"] li')].map(({ textContent }) => textContent)
const seeTracked = (...folders: string[]) => waitFor(() => expect(tracked()).toEqual(folders))

const folders = ['/raw/alpine', '/masters/alpine'].map((path) => entry(path, { isDirectory: true }))
const inArchive = { volumeId: 2, volumeName: 'Archive' }
const storage = (id: number, name: string) => ({
  id,
  name,
  account: null,
  type: 'crawl.files',
  createdAt: '2026-01-01T00:00:00.000Z',
  stats: { capacityUsed: null, capacityTotal: null, capacityFree: null, fileSystem: null },
  live: liveOff,
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
