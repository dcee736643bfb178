import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { answer, fail } from '#client/testing/fakeApi.ts'
import { openSearch } from '#client/search/testing/openSearch.ts'

const place = (volumeName: string, path: string, volumeId = 1) => ({
  volumeId,
  volumeName,
  path,
  fullPath: `/mnt/${volumeName.toLowerCase()}${path}`,
})
const GiB = 1_024 ** 3
const pair = {
  folders: [place('Films', '/projects/a'), place('Archive', '/backup/a', 2)],
  folderCount: 2,
  files: 1_204,
  size: 42 * GiB,
  reclaimable: 42 * GiB,
}
const many = {
  folders: ['/a', '/b', '/c', '/d'].map((path) => place('Films', path)),
  folderCount: 40,
  files: 1,
  size: GiB,
  reclaimable: 39 * GiB,
}
const within = { folders: [place('Films', '/one')], folderCount: 1, files: 2, size: 5, reclaimable: 5 }
const found = answer(searchDuplicateFolders, {
  elements: [pair, many, within],
  reclaimable: 81 * GiB,
  isPartial: false,
})

const rows = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({ textContent }) => textContent))

test('folders that contain the same files are listed, and lead to their files', async () => {
  const { api } = await openSearch('/search?activeTab=3&owner=ana&startingPath=/projects', found)
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(rows().map((cells) => cells.slice(1, 4))).toEqual([
    ['1,204', '42.0 GiB', '42.0 GiB'],
    ['1', '1.00 GiB', '39.0 GiB'],
    ['2', '5 B', '5 B'],
  ])
  // Contents were never compared.
  expect(screen.getByRole('columnheader', { name: 'Same name, size and date' })).toBeDefined()
  expect(rows()[0]?.[0]).toBe('Films: /mnt/films/projects/aArchive: /mnt/archive/backup/a')
  expect(rows()[1]?.[0]).toContain('and 37 more')
  expect(rows()[2]?.[0]).toContain('Copies within this folder')
  expect(api.inputs(searchDuplicateFolders)[0]?.query).toMatchObject({ owner: 'ana', startingPath: '/projects' })
  const [files] = screen.getAllByRole('link', { name: 'Show files' })
  const query = new URLSearchParams(files?.getAttribute('href')?.split('?')[1])
  expect(query.getAll('storageAndPath')).toEqual(['1:/projects/a', '2:/backup/a'])
  expect([query.get('owner'), query.get('onlyDuplicates'), query.get('sort')]).toEqual(['ana', 'true', 'duplicateSet'])
  expect([query.has('startingPath'), query.has('activeTab')]).toEqual([false, false])
  expect(document.body.textContent).toContain('81.0 GiB reclaimable')
})

test('no duplicates, and a failure, say so', async () => {
  const none = answer(searchDuplicateFolders, { elements: [], reclaimable: 0, isPartial: false })
  const { person } = await openSearch('/search?activeTab=3', none)
  await person.see('No folders contain the same files.')
  const failing = await openSearch('/search?activeTab=3', fail(searchDuplicateFolders))
  await failing.person.see('Unable to get the duplicates by folder')
})
