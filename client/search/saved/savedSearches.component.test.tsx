import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles, searchFolders, searchSizes } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { type SavedSearch, type SavedSearchDraft, savedSearches } from '#events/search/savedSearches.ts'
import { volumes } from '#events/snapshots.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { entryPage, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const openSearch = (saved: readonly FakeAnswer[]) =>
  open('/search?extension=mov&page=1', {
    answers: [
      answer(searchFiles, entryPage([])),
      answer(searchFolders, entryPage([])),
      answer(searchSizes, { count: 0, size: 0 }),
      answer(volumes, volumePage([])),
      answer(downloadLimit, { entries: 1_000 }),
      answer(knownTags, []),
      answer(knownReports, []),
      ...saved,
    ],
  })

test('a search is kept under a name, shared, opened, renamed and deleted', async () => {
  const kept: SavedSearch[] = []
  const rowOf = (draft: SavedSearchDraft, id: number) => ({ ...draft, id, owner: 'admin', mayChange: true })
  const { person } = await openSearch(tableOf(savedSearches, kept, { rowOf }))
  await person.press('Saved searches')
  await person.see('No saved searches yet.')
  await person.press('Save this search')
  await person.press('Save')
  await person.see('Name must not be blank')
  await person.write('Name', 'Old films')
  await person.press('Share with everyone', 'checkbox')
  await person.press('Save')
  await person.see('Search Old films was saved')
  await person.closed()
  expect(kept).toMatchObject([{ name: 'Old films', query: 'extension=mov', isShared: true }])
  await person.press('Saved searches')
  await person.see(/Old films\s*Shared(?! by)/)
  await person.press('Old films', 'link')
  expect(location.search).toBe('?extension=mov')
  await person.press('Saved searches')
  await person.press('Edit Old films')
  await person.write('Name', 'Older films')
  await person.press('Save')
  await person.closed()
  await person.press('Saved searches')
  await person.press('Delete Older films')
  await person.see('It is shared. No one will be able to use it anymore.')
  await person.press('Delete search')
  await person.see('Search Older films was deleted')
  expect(kept).toEqual([])
})

test('a search of someone else is opened, not changed, and a refused name is at its field', async () => {
  const films = { id: 4, name: 'Films', query: 'extension=mov', isShared: true, owner: 'ana', mayChange: false }
  const subErrors = [{ field: 'name', message: 'must be unique' }]
  const { person } = await openSearch([
    answer(savedSearches.list, pageWith([films])),
    refuse(savedSearches.create, { message: 'Validation errors', subErrors }, 400),
  ])
  await person.press('Saved searches')
  await person.see('Shared by ana')
  expect(screen.queryByRole('button', { name: 'Edit Films' })).toBeNull()
  await person.press('Save this search')
  await person.write('Name', 'Films')
  await person.press('Save')
  await person.see('Name must be unique')
})
