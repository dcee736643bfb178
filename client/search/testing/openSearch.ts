import { screen, waitFor } from '@testing-library/dom'
import { expect } from 'vitest'
import { searchFiles, searchFolders, searchSizes } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { volumes } from '#events/snapshots.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { entry, entryPage, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const archive = { volumeId: 2, volumeName: 'Archive' }
export const files = [
  entry('/films/b.mov', { size: 2_048 }),
  entry('/films/a.mov'),
  entry('/README', archive),
  entry('/odd/a&b=c #1.mov', archive),
]

/** Filters by text, extension and storage; sorts by name on request. */
export const search = answer(searchFiles, ({ query }) => {
  const { search = '', extension, volumeId, ignorePattern, sort, direction } = query
  const found = files.filter(
    (file) =>
      file.name.includes(search.replaceAll('*', '')) &&
      (extension.length === 0 || extension.includes(file.extension)) &&
      (volumeId.length === 0 || volumeId.includes(file.volumeId)) &&
      !(ignorePattern.includes('*.*') && file.extension !== '') &&
      !ignorePattern.includes('READ*') &&
      !query.lastModifiedAfter &&
      !query.showOnlyDeletedFiles,
  )
  const way = direction === 'desc' ? -1 : 1
  const shown = sort === 'name' ? found.toSorted((a, b) => way * a.name.localeCompare(b.name)) : found
  return { ...entryPage(shown), ...(query.totals && { totals: { count: 4, size: 5_120 } }) }
})

export const defaultAnswers: FakeAnswer[] = [
  search,
  answer(searchFolders, entryPage([entry('/odd', { isDirectory: true, numberOfFiles: 1, numberOfFolders: 0 })])),
  answer(searchSizes, { count: 4, size: 5_120 }),
  answer(volumes, volumePage([volume(1, { name: 'Films' }), volume(2, { name: 'Archive' })])),
  answer(downloadLimit, { entries: 1_000 }),
  answer(knownTags, ['old']),
  answer(knownReports, []),
]
export const openSearch = (address = '/search', ...answers: FakeAnswer[]) =>
  open(address, { answers: [...defaultAnswers, ...answers] })

export const rowsNow = () => [...document.querySelectorAll<HTMLElement>('tr[data-index]')]
const names = () => rowsNow().map((row) => row.querySelector('td:nth-child(2)')?.textContent?.trim())
export const seeNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
export const query = () => decodeURIComponent(location.search)
export const searchField = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' })
export const box = (row: number) => rowsNow()[row]!.querySelector('input')!
