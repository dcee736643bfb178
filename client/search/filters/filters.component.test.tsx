import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFiles } from '#events/search/calls.ts'
import { volumes } from '#events/snapshots.ts'
import { volume, volumePage } from '#client/testing/examples.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { openSearch, query } from '#client/search/testing/openSearch.ts'

const openFilters = async (menu: string, address?: string) => {
  const opened = await openSearch(address)
  await opened.person.press(menu)
  return opened
}

test('a preset of a date stays relative in the address, in the call and in its chip', async () => {
  const { person, api } = await openFilters('Last access')
  await person.press('More than 6 months ago')
  await waitFor(() => expect(query()).toBe('?lastAccessBefore=now-6M'))
  await person.see('Last access before: 6 months ago')
  await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query).toMatchObject({ lastAccessBefore: 'now-6M' }))
  await person.press('Last access before: 6 months ago')
  await person.press('In the last 7 days')
  await waitFor(() => expect(query()).toBe('?lastAccessAfter=now-7d'))
  await person.press('Last access after: 7 days ago')
  await person.press('Any time')
  await waitFor(() => expect(query()).toBe(''))
})

test('other relative days of an address are offered, and ranges can be edited', async () => {
  const { person } = await openFilters(
    'More',
    '/search?lastModifiedBefore=now-45d&creationAfter=now-2y&creationBefore=now-1y',
  )
  const modified = await screen.findByLabelText<HTMLSelectElement>('Last modified')
  expect(modified.selectedOptions[0]?.text).toBe('More than 45 days ago')
  expect(screen.getByLabelText<HTMLInputElement>('Created after').value).toBe('2')
  await person.choose('Unit of Created after', 'Months ago')
  await waitFor(() => expect(query()).toContain('creationAfter=now-2M'))
  await person.write('Created after', '18{Enter}')
  await waitFor(() => expect(query()).toContain('creationAfter=now-18M'))
  await person.write('Created after', 'many')
  await person.see('Must be a whole number up to 9999')
})

test('a preset of a size has its unit, and a new size is in MB', async () => {
  const { person } = await openFilters('Size')
  await person.press('At least 10 GiB')
  await waitFor(() => expect(query()).toBe('?minimumSize=10&minimumSizeUnit=GB'))
  await person.press('Minimum size: 10 GiB')
  await person.press('Custom')
  await person.write('Maximum size', '500{Enter}')
  await person.see('Maximum size: 500 MiB')
  await person.press('Any size')
  await waitFor(() => expect(query()).toBe(''))
})

test('the size on disk has presets and bounds of its own, and both sizes have one base', async () => {
  const { person } = await openFilters('More')
  await person.choose('Size on disk', 'At most 100 MiB')
  await waitFor(() => expect(query()).toBe('?maximumAllocatedSize=100&maximumAllocatedSizeUnit=MB'))
  await person.see('Maximum size on disk: 100 MiB')
  await person.choose('Size on disk', 'Custom')
  await person.write('Minimum size on disk', '5{Enter}')
  await person.see('Minimum size on disk: 5 MiB')
  await person.choose('Size on disk', 'Any size')
  await waitFor(() => expect(query()).toBe(''))
})

test('sizes of a URL with decimal units keep their base next to a new size on disk', async () => {
  const { person } = await openFilters('More', '/search?minimumSize=2&minimumSizeUnit=GB&sizeBase=10')
  await person.choose('Size on disk', 'At least 1 GB')
  await person.see('Minimum size on disk: 1 GB')
  await person.see('Minimum size: 2 GB')
  await person.choose('Size on disk', 'Any size')
  await waitFor(() => expect(query()).toBe('?minimumSize=2&minimumSizeUnit=GB&sizeBase=10'))
})

test('files are found by type, and several types and archive states survive a reload', async () => {
  const { person } = await openFilters('More')
  await person.pick('Type', 'Video')
  await waitFor(() => expect(query()).toBe('?fileType=video'))
  await person.see('Type: Video')
  const reloaded = await openSearch('/search?fileType=video&fileType=other&archived=archived&archived=changed')
  await waitFor(() =>
    expect(reloaded.api.inputs(searchFiles).at(-1)?.query).toMatchObject({
      fileType: ['video', 'other'],
      archived: ['archived', 'changed'],
    }),
  )
})

test('filters that match nothing here are not offered, unless they are set', async () => {
  const { person } = await openFilters('More')
  await screen.findByLabelText('Only duplicates')
  expect(screen.queryByLabelText('Backup')).toBeNull()
  expect(screen.queryByLabelText('Minimum files')).toBeNull()
  await person.press('Folders', 'tab')
  await person.press('More')
  await screen.findByLabelText('Minimum files')
  expect(screen.queryByLabelText('Type')).toBeNull()
  await openFilters('More', '/search?backupAfter=now-1y&minimumNumberOfFiles=3')
  await screen.findByLabelText('Backup')
  await screen.findByLabelText('Minimum files')
})

test('storages with archived files offer backup dates', async () => {
  const opened = await openSearch(
    '/search',
    answer(volumes, volumePage([volume(1, { name: 'LTO', type: 'Archiware' })])),
  )
  await opened.person.press('More')
  expect(await screen.findByLabelText('Backup')).toBeDefined()
})

test("the server's message about a filter is at its field", async () => {
  const subErrors = [{ field: 'owner', message: 'must have at most 1000 characters' }]
  const { person } = await openSearch('/search?owner=x', refuse(searchFiles, { message: 'Wrong', subErrors }, 400))
  await person.press('More')
  await person.see('Owner must have at most 1000 characters')
})
