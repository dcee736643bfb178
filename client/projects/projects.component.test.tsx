import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type ListedProject, mostActiveProjects, projects } from '#events/projects/calls.ts'
import { statements } from '#events/projects/statements.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { answer, type FakeAnswer, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { KiB, listedProject, projectAnswers } from '#client/testing/exampleProject.ts'

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
