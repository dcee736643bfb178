import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles } from '#events/search/calls.ts'
import { tagResults } from '#events/tags.ts'
import { entry, entryPage } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { defaultAnswers, openSearch, query, rowsNow, searchField, seeNames } from '#client/search/testing/openSearch.ts'

const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)

test('columns stay in place with any values of a page', async () => {
  const pages = answer(searchFiles, ({ query: { search } }) =>
    entryPage(
      search === 'same'
        ? [entry('/same.mov', { owner: 'ana' }), entry('/same-2.mov', { owner: 'ana' })]
        : [entry('/one.mov', { owner: 'ana' }), entry('/two.wav', { owner: 'bo', volumeName: 'Archive' })],
    ),
  )
  const { person } = await openSearch('/search', pages)
  await seeNames('one.mov', 'two.wav')
  const before = titles()
  expect(before).toEqual(expect.arrayContaining(['Storage', 'Extension', 'Owner', 'Group', 'Tags']))
  await person.fill(searchField(), 'same{Enter}')
  await seeNames('same.mov', 'same-2.mov')
  expect(titles()).toEqual(before)
  await person.press('Columns')
  await person.press('Owner', 'checkbox')
  expect(titles()).toEqual(before.filter((title) => title !== 'Owner'))
  await person.press('Reset columns')
  expect(titles()).toEqual(before)
})

test('common orders are one choice away, and others are named custom', async () => {
  const { person } = await openSearch()
  const order = () => screen.getByLabelText<HTMLSelectElement>('Order').value
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  expect(order()).toBe('Largest')
  await person.choose('Order', 'Oldest')
  await waitFor(() => expect(query()).toBe('?sort=lastModified&direction=asc'))
  await person.press('Name')
  await waitFor(() => expect(order()).toBe('Custom'))
})

test('the first row is within ten presses of Tab from the search field, and arrows reach all titles', async () => {
  const { person } = await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  searchField().focus()
  let presses = 0
  for (; document.activeElement !== rowsNow()[0] && presses < 30; presses += 1) await person.keys('{Tab}')
  expect(presses).toBeLessThanOrEqual(10)
  await person.keys('{Shift>}{Tab}{/Shift}')
  expect(document.activeElement?.textContent).toBe('Size')
  await person.keys('{ArrowRight}')
  expect(document.activeElement?.textContent).toBe('Last Access')
  await person.keys('{Home}')
  expect(document.activeElement?.textContent).toBe('Name')
  await person.keys('{Enter}')
  await waitFor(() => expect(query()).toBe('?sort=name&direction=asc'))
})

test('an owner that is cut off has a tooltip', async () => {
  const long = answer(searchFiles, entryPage([entry('/a.mov', { owner: 'svc_backup_nightly' })]))
  await openSearch('/search', long)
  expect(await screen.findByTitle('svc_backup_nightly')).toBeDefined()
})

test('a manager of projects tags all results of the own projects, and reads that', async () => {
  const answers = [...defaultAnswers, answer(tagResults, { jobId: 9 })]
  const { person } = await open('/search', { roles: [], user: { isManager: true }, answers })
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  await person.press('Select: Nothing is selected')
  await person.press('Select all', 'menuitem')
  await person.press('Add tags')
  await person.see('Only results in projects that you manage change.')
  await person.press('old', 'checkbox')
  await person.pressAt(
    within(await screen.findByRole('dialog', { name: 'Add tags' })).getByRole('button', { name: 'Add tags' }),
  )
  await person.see('The tag job is running and may take a couple of minutes.')
  expect(screen.queryByRole('link', { name: 'See the job' })).toBeNull()
})
