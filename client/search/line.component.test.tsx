import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import { searchFiles } from '#events/search/calls.ts'
import { searchEntries, searchEntriesSizes, searchFieldTypes } from '#events/search/criteria.ts'
import { entryPage } from '#client/testing/examples.ts'
import { answer, hold, refuse } from '#client/testing/fakeApi.ts'
import { openSearch, query, rowsNow, search, searchField, seeNames } from './testing/openSearch.ts'

test('a term of the line becomes a chip, is completed by keyboard, and one that can not be read says so', async () => {
  const { person } = await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  await person.pressAt(searchField())
  await person.keys('stor')
  await person.see('Name of a storage')
  await person.keys('{ArrowDown}{Enter}')
  expect(searchField().value).toBe('storage:')
  await person.keys('arch{ArrowDown}{Enter}')
  await person.see('Storage: Archive')
  await seeNames('README', 'a&b=c #1.mov')
  expect([query(), searchField().value]).toEqual(['?volumeId=2', ''])
  await person.fill(searchField(), 'accessed>1x{Enter}')
  await person.see("accessed>1x isn't a filter.")
  expect(query()).toBe('?volumeId=2')
})

test('without files, the folders that match are a link, and there is nothing to download', async () => {
  const { person } = await openSearch('/search?search=conform', answer(searchFiles, entryPage([])))
  await person.see('No files found')
  expect((await screen.findByRole('button', { name: 'Download' })).getAttribute('aria-disabled')).toBe('true')
  await person.press('1 folder matches')
  await person.see('1 folder found')
  expect(query()).toBe('?search=conform&activeTab=1')
})

test('when a search fails, the rows before stay, with a way to search again', async () => {
  const { person, api } = await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  api.answer(refuse(searchFiles, { message: 'The engine is away' }, 503))
  await person.fill(searchField(), 'README{Enter}')
  await person.see('Not up to date: The engine is away')
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  api.answer(search)
  await person.press('Retry')
  await seeNames('README')
})

test('with conditions, the number of matches is shown once', async () => {
  const criteria = encodeURIComponent(JSON.stringify([{ name: { wildcard: '*' } }]))
  const { person } = await openSearch(
    `/search?criteria=${criteria}`,
    answer(searchEntries, entryPage([])),
    answer(searchEntriesSizes, { count: 126, size: 0 }),
    answer(searchFieldTypes, {}),
  )
  await person.see('126 files and folders')
  expect(screen.queryByLabelText('Found')).toBeNull()
})

test('details are next to the list, and j and k lead to the next and the previous file', async () => {
  const { person } = await openSearch('/search', answer(searchEntries, entryPage([])), hold(storageManagerFile))
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  const named = () => screen.getByRole('dialog', { name: 'File Details' }).querySelector('dd')?.textContent
  rowsNow()[0]?.focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(named()).toBe('b.mov'))
  await person.keys('jj')
  expect(named()).toBe('README')
  await person.press('Previous')
  expect(named()).toBe('a.mov')
  expect(rowsNow()[1]?.hasAttribute('data-opened')).toBe(true)
  await person.keys('{Escape}')
  await person.closed()
  await waitFor(() => expect(document.activeElement).toBe(rowsNow()[1]))
})
