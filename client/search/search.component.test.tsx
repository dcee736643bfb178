import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import { searchFiles, searchFolders } from '#events/search/calls.ts'
import { downloadLimit, filesCsv, foldersSpreadsheet } from '#events/search/exports.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { changeTags, tagResults } from '#events/tags.ts'
import { entry, entryPage, today } from '#client/testing/examples.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

import {
  box,
  defaultAnswers,
  files,
  search,
  openSearch,
  query,
  rowsNow,
  searchField,
  seeNames,
} from './testing/openSearch.ts'
test('the screen shows all files with their number, size and columns', async () => {
  await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  expect(screen.getByLabelText('Found').textContent).toBe('4 files5.00 KiB')
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(titles).toEqual(expect.arrayContaining(['Name', 'Storage', 'Folder', 'Size', 'Extension', 'Last Modified']))
  const cells = [...rowsNow()[0]!.querySelectorAll('td')].map(({ textContent }) => textContent?.trim())
  expect(cells).toEqual(expect.arrayContaining(['b.mov', 'Films', '/mnt/films/films', '2.00 KiB', 'mov']))
})

test('folders have no total size, as those in other folders would count twice', async () => {
  await openSearch(
    '/search?activeTab=1',
    answer(searchFolders, entryPage([entry('/raw', { isDirectory: true }), entry('/raw/a', { isDirectory: true })])),
  )
  await seeNames('raw', 'a')
  expect(screen.getByLabelText('Found').textContent).toBe('2 folders')
  expect(screen.getByText(/folders found/).textContent).toBe('2 folders found')
})

test('duplicate folders are called possible, with the rule by which they match', async () => {
  const folders = answer(searchFolders, entryPage([entry('/raw', { isDirectory: true })]))
  const { person } = await openSearch('/search?activeTab=1&onlyDuplicates=true', folders)
  await person.see(/Possible duplicates are folders whose size, creation date/)
})

test('typed text is searched for after a pause, or at once with Enter, and back and forward return to it', async () => {
  const { person } = await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  await person.fill(searchField(), 'mov')
  expect(query()).toBe('')
  await waitFor(() => expect(query()).toBe('?search=mov'))
  await person.fill(searchField(), '*README*{Enter}')
  expect(query()).toBe('?search=*README*')
  await seeNames('README')
  history.back()
  await waitFor(() => expect(searchField().value).toBe('mov'))
  history.forward()
  await seeNames('README')
})

test('new results keep the focus at a row only while it is there', async () => {
  let shown: Entry[] = files
  const { person, live } = await openSearch(
    '/search',
    answer(searchFiles, () => entryPage(shown)),
  )
  const [b, a, readme, odd] = files as [Entry, Entry, Entry, Entry]
  const change = (...changed: Entry[]) => {
    shown = changed
    live.send('changed', { type: 'changed', topics: ['snapshots'] })
    return seeNames(...changed.map(({ name }) => name))
  }
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  await waitFor(() => expect(live.topics).toContain('changed'))
  rowsNow()[0]?.focus()
  await person.keys('{ArrowDown}')
  expect(document.activeElement).toBe(rowsNow()[1])
  await change(readme, b, a, odd)
  expect(document.activeElement).toBe(rowsNow()[2])
  searchField().focus()
  await change(a, readme, b, odd)
  expect(document.activeElement).toBe(searchField())
})

test.each(['a&b=c #1.mov', '100%25 +1.mov', 'naïve “x”.mov', '日本.mov'])(
  'the odd words %s are in the address as they were typed, and in the field after a reload',
  async (words) => {
    const { person, api } = await openSearch()
    await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
    await person.fill(searchField(), `${words}{Enter}`)
    await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query.search).toBe(words))
    expect(new URLSearchParams(location.search).get('search')).toBe(words)
    const reloaded = await openSearch(location.pathname + location.search)
    await waitFor(() => expect(reloaded.api.inputs(searchFiles).at(-1)?.query.search).toBe(words))
    expect(searchField().value).toBe(words)
  },
)

test('filters are chosen in menus, checked, shown in chips and taken away', async () => {
  const { person, api } = await openSearch()
  await person.press('Size')
  await person.press('Custom')
  await person.write('Minimum size', '2{Enter}')
  await person.see('Minimum size: 2 MiB')
  await person.choose('Unit of the minimum size', 'KiB')
  await person.press('More')
  await person.write('Starting path', 'odd')
  await person.see('Starting path must begin with /')
  await person.write('Starting path', '/odd{Enter}')
  await person.write('Extension', '.mov, .m p4{Enter}')
  await person.see('Extension: mov,mp4')
  await person.see('Minimum size: 2 KiB')
  const filters = { extension: 'mov,mp4', startingPath: '/odd', minimumSize: '2', minimumSizeUnit: 'KB' }
  await waitFor(() => expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual(filters))
  const sent = { startingPath: '/odd', minimumSize: 2, minimumSizeUnit: 'KB', extension: ['mov', 'mp4'] }
  await waitFor(() => expect(api.inputs(searchFiles).at(-1)?.query).toMatchObject(sent))
  await person.press('Remove Minimum size: 2 KiB')
  await person.seeNo('Minimum size: 2 KiB')
  await person.press('Clear filters')
  await waitFor(() => expect(query()).toBe('?size=25'))
})

test('storages, dates, patterns and flags are filters too, and without an extension is one', async () => {
  const { person } = await openSearch()
  await person.press('Storage')
  await person.press('Archive')
  await person.see('Storage: Archive')
  await person.press('More')
  await person.press('No extension', 'checkbox')
  await seeNames('README')
  const analytics = screen.getByRole('link', { name: 'See analytics of storage' })
  expect(analytics.getAttribute('href')).toBe('/volumes/2')
  await person.press('Add another')
  await person.write('Ignore pattern 2', 'READ*{Enter}')
  await person.see('No On-Premises files found.')
  await person.press('Remove ignore pattern 2')
  await seeNames('README')
  const steps = history.length
  await person.choose('Last modified', 'Custom')
  await person.write('Last modified after', '2030-01-01')
  expect([query().includes('lastModifiedAfter'), history.length]).toEqual([false, steps])
  await person.keys('{Enter}')
  await waitFor(() => expect(query()).toContain('lastModifiedAfter=2030-01-01'))
  expect(history.length).toBe(steps + 1)
  await person.see('Last modified after: 2030-01-01')
  await person.choose('Show only deleted files', 'Yes')
  await person.see('No deleted files found.')
})

test('unsearchable parts are left out with a note', async () => {
  const { person } = await openSearch('/search?search=README&minimumSize=big&volumeId=7&activeTab=9')
  await person.see('Left out of the search: Minimum size must be a number; activeTab must be 0, 1, 2 or 3.')
  await person.see('Storage: Invalid')
  await person.press('Remove from the URL')
  await waitFor(() => expect(query()).toBe('?search=README&volumeId=7'))
})

test('a column sorts upwards first, then downwards, and this browser remembers it for each list', async () => {
  const { person, api } = await openSearch('/search?volumeId=2')
  await person.press('Name')
  await seeNames('a&b=c #1.mov', 'README')
  await person.press('Name')
  await seeNames('README', 'a&b=c #1.mov')
  expect({ ...localStorage }).toMatchObject({ fileSort: 'name', fileDirection: 'desc' })
  await person.press('Folders', 'tab')
  await person.see('1 folder found')
  expect(query()).toBe('?volumeId=2&activeTab=1')
  expect(api.inputs(searchFolders).at(-1)?.query).toMatchObject({ sort: 'size' })
})

test('pages have the chosen size, and beyond ten thousand results a cursor continues', async () => {
  const pages = answer(searchFiles, ({ query: { page, size, cursor } }) =>
    entryPage([entry(cursor === undefined ? `/page-${page}` : '/beyond')], {
      page,
      size,
      total: 12_000,
      cursor: 'next',
    }),
  )
  const { person, api } = await openSearch('/search', pages)
  await person.choose('files per page', '100')
  await waitFor(() => expect(query()).toBe('?size=100'))
  await person.press('Next page')
  await seeNames('page-2')
  expect(query()).toBe('?page=2&size=100')
  await person.choose('files per page', '500')
  await person.write('Page', '25{Enter}')
  await seeNames('page-20')
  await person.see('Only the first 10,000 results have page numbers. Use Next to continue.')
  await person.press('Next page')
  await seeNames('beyond')
  expect(api.inputs(searchFiles).at(-1)?.query).toMatchObject({ cursor: 'next', page: 1 })
  expect(query()).toBe('?page=20&size=500')
})

const tagsOf = (window: HTMLElement) => within(window).getByRole('button', { name: 'Add tags' })

test('a selection is made by boxes, ranges and all at once, and is tagged', async () => {
  const { person, api } = await openSearch(
    '/search',
    answer(changeTags, { changed: 3 }),
    answer(tagResults, { jobId: 9 }),
  )
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  await person.pressAt(box(3))
  await person.see('1 file selected')
  await person.keys('{Shift>}')
  await person.pressAt(box(1))
  await person.keys('{/Shift}')
  await person.see('3 files selected')
  await person.press('Add tags')
  await person.write('Find or create a tag', 'seen live{Enter}')
  await person.pressAt(tagsOf(await screen.findByRole('dialog', { name: 'Add tags' })))
  await person.see('Applying the tags to the selected files')
  await waitFor(() => expect(api.inputs(changeTags)).toMatchObject([{ body: { add: ['seen live'], remove: [] } }]))
  expect(
    api
      .inputs(changeTags)[0]
      ?.body.entries.map(({ path }: { path: string }) => path)
      .toSorted(),
  ).toEqual(['/README', '/films/a.mov', '/odd/a&b=c #1.mov'])
  await person.press('Select: Some are selected')
  await person.press('Select all', 'menuitem')
  await person.see('4 files selected')
  await person.press('Add tags')
  await person.press('old', 'checkbox')
  await person.pressAt(tagsOf(await screen.findByRole('dialog', { name: 'Add tags' })))
  await person.see('The tag job is running and may take a couple of minutes.')
  expect(api.inputs(tagResults)).toMatchObject([{ query: { tagToApply: ['old'], everything: true } }])
})

test('changes made elsewhere are read again, such as a tag', async () => {
  let tagged: Entry[] = files
  const { person, live } = await openSearch(
    '/search',
    answer(searchFiles, () => entryPage(tagged)),
  )
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  tagged = files.map((file) => ({ ...file, customTag: ['seen live'] }))
  await waitFor(() => expect(live.topics).toContain('changed'))
  live.send('changed', { type: 'changed', topics: ['tags'] })
  await person.see('seen live')
})

test('users who may not tag see no tags to add, and a past date is read-only', async () => {
  const dates = [today, '2026-01-10'].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false }))
  await open('/search', { roles: ['ROLE_ICONIK_UPLOAD'], answers: defaultAnswers })
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  expect(screen.queryByRole('button', { name: 'Add tags' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'New report' })).toBeNull()
  const { person } = await openSearch('/search?date=2026-01-10', answer(snapshotDates, dates))
  await person.press('Select: Nothing is selected')
  await person.press('Select all', 'menuitem')
  for (const name of ['Add tags', 'Remove tags']) {
    const button = await screen.findByRole<HTMLButtonElement>('button', { name })
    expect([button.disabled, button.title]).toEqual([true, 'Older snapshots are read-only'])
  }
})

test('the address is shared, and results are downloaded as they are listed', async () => {
  const { person, api, saved } = await openSearch(
    '/search?search=mov&volumeId=1&sort=name&page=1',
    answer(filesCsv, { name: 'searchFileResult-1.csv', text: 'Name' }),
    answer(foldersSpreadsheet, { name: 'searchFolderResult-1.xlsx', text: 'Name' }),
    answer(downloadLimit, { entries: 1 }),
  )
  await person.press('Share')
  await person.see(`${location.origin}/search?search=mov&volumeId=1`)
  await person.keys('{Escape}')
  await person.closed()
  await person.press('Download')
  await person.press('Files as CSV', 'menuitem')
  await person.see('Only the first 1 item will be in the file')
  await waitFor(() => expect(saved).toEqual([{ name: 'searchFileResult-1.csv', text: 'Name' }]))
  const sent = { search: 'mov', volumeId: [1], sort: 'name', direction: 'asc' }
  expect(api.inputs(filesCsv)).toMatchObject([{ query: sent }])
  await person.press('Download')
  await person.press('Folders as spreadsheet (XLSX)', 'menuitem')
  await person.see('XLSX file downloaded successfully')
  expect(api.inputs(foldersSpreadsheet)).toMatchObject([{ query: { search: 'mov', sort: 'size' } }])
})

test('a failing search shows one error, keeps the address and continues when it works again', async () => {
  const { person, api } = await openSearch(
    '/search?search=README',
    refuse(searchFiles, { message: 'The engine is away' }, 503),
  )
  await person.see('The engine is away')
  await waitFor(() => expect(document.querySelectorAll('.mantine-Notification-root')).toHaveLength(1))
  expect(query()).toBe('?search=README')
  api.answer(search)
  await person.press('Retry')
  await seeNames('README')
})
