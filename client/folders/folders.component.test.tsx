import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type ComparedEntry, contentsOfFolder, filesSince, foldersSince } from '#events/folders/browse.ts'
import { type FolderAtDate, folderHistory, folderStatistics } from '#events/folders/calls.ts'
import { searchFiles, searchFolders, searchSizes } from '#events/search/calls.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { knownReports, knownTags } from '#events/tags.ts'
import { entry, entryPage, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const KiB = 1_024
const weekAgo = '2026-02-22'
const at = (indexingDate: string, changes: Partial<FolderAtDate> = {}): FolderAtDate => ({
  indexingDate,
  size: 78 * KiB,
  lastAccess: `${weekAgo}T10:00:00.000Z`,
  lastModified: `${weekAgo}T10:00:00.000Z`,
  creationDate: null,
  group: 'editors',
  owner: 'ana',
  inode: '12',
  numberOfFiles: 5,
  numberOfFolders: 4,
  unreadable: false,
  notEntered: null,
  ...changes,
})
const compared = (path: string, delta: number, changes: Partial<ComparedEntry> = {}): ComparedEntry => ({
  ...entry(path, { isDirectory: !path.includes('.') }),
  delta,
  isCreated: false,
  isRemoved: false,
  ...changes,
})
const comparedPage = (elements: ComparedEntry[]) => ({
  ...pageWith(elements),
  indexingDate: today,
  previousIndexingDate: weekAgo,
})
const statistics = {
  numberOfDifferentLastAccessDates: 1,
  numberOfDifferentCreationDates: 0,
  numberOfDifferentModifiedDates: 2,
  oldestLastAccessDate: `${weekAgo}T10:00:00.000Z`,
  oldestCreationDate: null,
  oldestModifiedDate: `${weekAgo}T10:00:00.000Z`,
  numberOfDifferentSizes: 2,
  smallestSize: 65 * KiB,
  biggestSize: 78 * KiB,
  numberOfDifferentOwners: 1,
  numberOfDifferentGroups: 1,
}
const defaultAnswers = [
  answer(
    snapshotDates,
    [today, weekAgo].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false })),
  ),
  answer(volumes, volumePage([volume(1, { name: 'Films' })])),
  answer(folderStatistics, statistics),
  answer(folderHistory, [at(weekAgo, { size: 65 * KiB, numberOfFiles: 4 }), at(today)]),
  answer(foldersSince, ({ query: { path } }) =>
    comparedPage(
      path === '/'
        ? [
            compared('/grown', 50 * KiB),
            compared('/shrunk', -25 * KiB),
            compared('/gone', -20 * KiB, { isRemoved: true, size: -1 }),
            compared('/same', 0),
          ]
        : [compared('/grown/later', 50 * KiB, { isCreated: true })],
    ),
  ),
  answer(filesSince, ({ query: { path } }) =>
    comparedPage(path === '/' ? [compared('/fresh.mov', 8 * KiB, { isCreated: true })] : []),
  ),
]
/** The shell renders no screen before the snapshots have loaded. */
const show = (address: string, ...answers: FakeAnswer[]) =>
  open(address, { hasShell: true, answers: [...defaultAnswers, ...answers] })
const root = '/folders?volumeId=1&path=/'
const rows = () =>
  [...document.querySelectorAll('table[role="treegrid"] tr[data-index]')].map((row) => {
    const [name, , change] = [...row.querySelectorAll('td')].map(({ textContent }) => textContent?.trim())
    return `${name}: ${change}`
  })
const facts = () =>
  Object.fromEntries(
    [...document.querySelectorAll('section dl div[data-changed]')].map((fact) => [
      fact.querySelector('dt')?.textContent,
      fact.querySelector('dd')?.textContent,
    ]),
  )
const seeFacts = (expected: Record<string, unknown>) => waitFor(() => expect(facts()).toMatchObject(expected))
const query = () => Object.fromEntries(new URLSearchParams(location.search))

test('a folder is compared with a week ago, the largest changes first', async () => {
  const { api } = await show(root)
  await waitFor(() =>
    expect(rows()).toEqual([
      'grown: +50.0 KiB',
      'shrunk: −25.0 KiB',
      'gone: Removed−20.0 KiB',
      'same: 0 B',
      'fresh.mov: New+8.00 KiB',
    ]),
  )
  expect(api.inputs(foldersSince)).toMatchObject([
    { params: { previousDate: weekAgo }, query: { path: '/', sort: 'absoluteDelta', direction: 'desc' } },
  ])
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Previous date' })
  expect(choice.selectedOptions[0]?.text).toBe(`7 days ago, ${weekAgo}`)
  const main = within(screen.getByRole('main'))
  const link = (name: string) => main.getByRole('link', { name }).getAttribute('href')
  expect(link('Compare')).toBe(`/comparison?volumeId=1&path=%2F&previousDate=${weekAgo}`)
  expect(link('File Management')).toBe('/filemanagement?volumeId=1&path=%2F')
})

test('a folder is opened from the tree, and the breadcrumb leads back', async () => {
  const { person } = await show(root)
  await waitFor(() => expect(rows()).toHaveLength(5))
  document.querySelector<HTMLElement>('tr[data-index="0"]')?.focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(query()).toEqual({ volumeId: '1', path: '/grown' }))
  await waitFor(() => expect(rows()).toEqual(['later: New+50.0 KiB']))
  await person.pressAt(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Films'))
  await waitFor(() => expect(query()).toEqual({ volumeId: '1', path: '/' }))
})

test('the timeline shows what changed in each snapshot, and the summary how often it changed', async () => {
  const { person } = await show(root)
  await person.see('2 snapshots, 1 change')
  await seeFacts({ Size: '78.0 KiBwas 65.0 KiB', Files: '5was 4', Folders: '4', Snapshot: today, Owner: 'ana' })
  const slider = screen.getByRole('slider', { name: 'Snapshot of the timeline' })
  expect(slider.getAttribute('aria-valuetext')).toBe(`${today}, changed`)
  fireEvent.input(slider, { target: { value: '0' } })
  await seeFacts({ Size: '65.0 KiB', Files: '4', Snapshot: weekAgo })
  expect(slider.getAttribute('aria-valuetext')).toBe(weekAgo)
  await person.see(`Grew from 65.0 KiB to 78.0 KiB between ${weekAgo} and ${today}.`)
  await person.see(
    `Modified on 2 different dates since ${weekAgo}, accessed on ${weekAgo}, created on an unknown date.`,
  )
  await person.see('Owner and group never changed.')
})

test('the sizes through time are a sentence and a table, whose dates lead to a search of the folder', async () => {
  const { person } = await show('/folders?volumeId=1&path=/grown')
  await person.see(`Size Variation: from 65.0 KiB on ${weekAgo} to 78.0 KiB on ${today}.`)
  await person.press('Show Size Variation as table')
  await person.see(`${today}78.0 KiB+13.0 KiB`)
  const table = screen.getByRole('table', { name: '' })
  expect(within(table).getAllByRole('button')).toHaveLength(2)
  await person.pressAt(within(table).getByRole('button', { name: weekAgo }))
  await waitFor(() => expect(location.pathname).toBe('/search'))
  expect(query()).toEqual({ startingPath: '/grown', volumeId: '1', date: weekAgo })
})

test('changes of the folder appear while it is open', async () => {
  const { person, api, live } = await show(root)
  await person.see('fresh.mov')
  api.answer(answer(filesSince, comparedPage([compared('/late.mov', 100 * KiB, { isCreated: true })])))
  live.send('changed', { type: 'changed', topics: ['snapshots'] })
  await waitFor(() => expect(rows().at(-1)).toBe('late.mov: New+100 KiB'))
})

test('a folder that is gone has its past, and parts that could not be read are named', async () => {
  const { person } = await show(
    '/folders?volumeId=1&path=/gone',
    answer(folderHistory, [at(weekAgo, { size: 20 * KiB, unreadable: true, inode: '0', group: '' })]),
  )
  await person.see('Not in this snapshot')
  await person.see('Partial: some paths in the folder could not be read')
  await seeFacts({ Size: '20.0 KiB', Snapshot: weekAgo, Inode: '-', Group: '-', Created: 'Unknown' })
})

test('without an earlier snapshot there is nothing to compare with', async () => {
  const { person } = await show(
    root,
    answer(snapshotDates, [{ indexingDate: today, volumes: 1, isPartial: false }]),
    answer(contentsOfFolder, { folders: summary([]), files: summary([]) }),
  )
  await person.see('No earlier snapshot to compare with')
})
const summary = (elements: []) => ({ ...pageWith(elements), indexingDate: today, cursor: null })

test.each(['/folders', '/folders?volumeId=films&path=/', '/folders?volumeId=1&path=/nowhere'])(
  'the address %s, of no folder, says so',
  async (address) => {
    const { person } = await show(address, answer(folderHistory, []))
    await person.see('No folder found')
    expect(screen.getByRole('link', { name: 'Choose a folder' }).getAttribute('href')).toBe('/filemanagement')
  },
)

test('a history that cannot be read says so once, and is read again', async () => {
  const { person, api } = await show(root, fail(folderHistory))
  await person.see('Unable to get the folder through time')
  await waitFor(() => expect(document.querySelectorAll('.toast-danger')).toHaveLength(1))
  api.answer(...defaultAnswers)
  await person.pressAt(screen.getAllByRole('button', { name: 'Retry' })[0]!)
  await seeFacts({ Snapshot: today })
})

test('the details of a folder in a search lead to its analytics, which closes them', async () => {
  const { person } = await show(
    '/search?activeTab=1',
    answer(searchFiles, entryPage([])),
    answer(searchFolders, entryPage([entry('/shrunk', { isDirectory: true, numberOfFiles: 1, numberOfFolders: 0 })])),
    answer(searchEntries, entryPage([entry('/shrunk', { isDirectory: true, numberOfFiles: 1, numberOfFolders: 0 })])),
    answer(searchSizes, { count: 1, size: KiB }),
    answer(downloadLimit, { entries: 1_000 }),
    answer(knownTags, []),
    answer(knownReports, []),
  )
  await waitFor(() => expect(document.querySelector('tr[data-index] td:nth-child(2)')).not.toBeNull())
  await person.pressAt(document.querySelector('tr[data-index] td:nth-child(2)')!)
  await person.see('Folder Details')
  await person.press('Folder analytics', 'link')
  await person.closed()
  await waitFor(() => expect(location.pathname).toBe('/folders'))
  expect(query()).toEqual({ volumeId: '1', path: '/shrunk' })
})
