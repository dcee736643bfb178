import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles } from '#events/search/calls.ts'
import { folderByPath } from '#events/folders/browse.ts'
import { entryPage } from '#client/testing/examples.ts'
import { chooseSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { openSearch, query, searchField } from './testing/openSearch.ts'

const nothing = answer(searchFiles, entryPage([]))

test('a folder that does not exist leads to the closest one', async () => {
  const closest = answer(folderByPath, ({ query: { path } }) => ({
    exists: path === '/films',
    folder: { volumeId: 1, path: '/films' },
  }))
  const { person } = await openSearch('/search?startingPath=/flims', nothing, closest)
  await person.see(/The folder \/flims does not exist/)
  await person.press('Search in Films:/films')
  await waitFor(() => expect(query()).toBe('?storageAndPath=1:/films'))
  await person.seeNo(/does not exist/)
})

test('the help of the search explains words and escapes', async () => {
  await openSearch()
  await waitFor(() => expect(searchField().title).toContain(String.raw`type \* or \?`))
})

test('with decimal units, a filter is in the units that lists show', async () => {
  const { person, api } = await openSearch()
  chooseSizeBase('10')
  await person.press('Size')
  await person.press('Custom')
  await person.write('Minimum size', '1{Enter}')
  await person.choose('Unit of the minimum size', 'GB')
  await person.see('Minimum size: 1 GB')
  const sent = { minimumSize: 1, minimumSizeUnit: 'GB', sizeBase: '10' }
  await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query).toMatchObject(sent))
  expect(screen.getByLabelText('Unit of the minimum size').textContent).toBe('BkBMBGBTBPB')
  chooseSizeBase('2')
})
