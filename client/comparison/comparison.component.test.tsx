import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { changedFiles, changedFolders, comparison, growth } from '#events/comparison.ts'
import { today } from '#client/testing/examples.ts'
import { answer, fail, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import {
  KiB,
  weekAgo,
  monthAgo,
  dates,
  snapshots,
  kinds,
  totals,
  noTotals,
  difference,
  files,
  folders,
  part,
  groups,
  listOf,
  defaultAnswers,
} from './testing/differences.ts'

const compare = (query = 'volumeId=1', answers: FakeAnswer[] = []) =>
  open(`/comparison?${query}`, { answers: [...defaultAnswers, ...answers] })

const texts = (selector: string) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent)
const tiles = () => texts('fieldset[aria-label="Kinds of change to list"] button')
const tabs = () => texts('[role="tab"]')
const grown = () => texts('section ol > li')
/** Errors in their place on the page; toasts don't count. */
const alerts = () => texts('[role="alert"]:has(button)').filter((text) => text.endsWith('Retry'))
const names = () => texts('tr[data-index] td:first-child')
const rowsNow = () => [...document.querySelectorAll('tr[data-index]')]
const cells = () => rowsNow().map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent))
const seeNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const requested = (name: string) => new URLSearchParams(location.search).get(name)
const seeRequested = (expected: Record<string, string | null>) =>
  waitFor(() =>
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, requested(name)]))).toEqual(expected),
  )
const linkTo = async (name: string | RegExp) => {
  const [link] = await screen.findAllByRole('link', { name })
  return link?.getAttribute('href')
}
const allNames = ['reel two.mov', 'interview 2025.mxf', 'credits.pdf', 'notes.txt', 'preview.tmp']

test('a folder is compared with the snapshot of a week ago: totals, growth by folder, and each file', async () => {
  const { person, api } = await compare()
  await seeNames(...allNames)
  await person.see(`${weekAgo} to ${today}`)
  await person.seeNo('Partial')
  expect(tiles()).toEqual([
    'Created71 files16 folders, 533 KiB+533 KiB ',
    'Changed2 files2 folders, 65.0 KiB+50.0 KiB −75.0 KiB',
    'Moved1 file0 folders, 40.0 KiB ',
    'Removed2 files1 folder, 24.0 KiB −24.0 KiB',
    'No longer indexed0 files0 folders, 0 B ',
  ])
  expect(await person.isDisabled(/No longer indexed/)).toBe(true)
  await person.see('Total growth+472 KiB176 KiB before, 648 KiB nowIncludes +5.00 KiB not recorded file by file')
  expect(grown()).toEqual([
    'days+525 KiB+70 files',
    'Files directly in it+8.00 KiB+1 file',
    'trash−24.0 KiB−2 files',
    'cuts−25.0 KiBas many files',
  ])
  expect(cells()).toEqual([
    ['reel two.mov', '/mnt/films/cuts', 'Changed', '80.0 KiB', '5.00 KiB', '−75.0 KiB'],
    [
      'interview 2025.mxf',
      '/mnt/films/raw/interview.mxf→/mnt/films/archive/interview 2025.mxf',
      'Moved',
      '40.0 KiB',
      '40.0 KiB',
      '0 B',
    ],
    ['credits.pdf', '/mnt/films', 'Created', '', '8.00 KiB', '+8.00 KiB'],
    ['notes.txt', '/mnt/films/trash', 'Removed', '4.00 KiB', '', '−4.00 KiB'],
    ['preview.tmp', '/mnt/films/cache', 'No longer indexed', '12.0 KiB', '', '−12.0 KiB'],
  ])
  expect(tabs()).toEqual(['Files76', 'Folders19'])
  const sent = { params: { previousDate: weekAgo }, query: { path: '/', storages: [1] } }
  for (const call of [comparison, growth, changedFiles]) expect(api.inputs(call)).toMatchObject([sent])
  expect(api.inputs(changedFolders)).toEqual([])
  expect(await linkTo('Folder analytics')).toBe('/folders?volumeId=1&path=%2F')
  expect(await linkTo('File Management')).toBe('/filemanagement?volumeId=1&path=%2F')
})

test('the list shows the chosen kinds only, the address keeps them, and a step back undoes a choice', async () => {
  const { person, api } = await compare()
  await person.press(/^Moved/)
  await seeNames('interview 2025.mxf')
  await person.press(/^Removed/)
  await seeNames('interview 2025.mxf', 'notes.txt')
  expect(requested('kind')).toBe('MOVED,REMOVED')
  expect(api.inputs(changedFiles).at(-1)?.query.kind).toEqual(['MOVED', 'REMOVED'])
  await person.see('Moved or Removed only')
  expect(tabs()).toEqual(['Files3', 'Folders1'])
  globalThis.history.back()
  await seeNames('interview 2025.mxf')
  await person.press(/^Folders/, 'tab')
  await person.see('No folders under Moved.')
  await person.pressAt(screen.getAllByRole('button', { name: 'Show all kinds' }).at(-1)!)
  await seeNames('raw', 'trash')
  expect([requested('kind'), requested('tab')]).toEqual([null, 'folders'])
  expect(cells()[0]).toEqual(['raw', '/mnt/films', 'Changed', '40.0 KiB', '0 B', '−40.0 KiB'])
})

test('a list without entries offers the other list', async () => {
  const { person } = await compare('volumeId=1', listOf(folders))
  await person.see('No files differ.')
  await person.press('Show the folders')
  await seeNames('raw', 'trash')
})

test('the list is sorted by its columns, has pages, and leads back from a page beyond its end', async () => {
  const many = Array.from({ length: 25 }, (_, i) => difference(`/take ${i}.wav`, 'CREATED', { before: null, now: 1 }))
  const { person, api } = await compare('volumeId=1&size=10', listOf(many))
  const lastQuery = () => api.inputs(changedFiles).at(-1)?.query
  await waitFor(() => expect(names()).toHaveLength(10))
  expect(lastQuery()).toMatchObject({ sort: 'change', direction: 'desc', page: 1, size: 10 })
  await person.press('Next page')
  await waitFor(() => expect(names()[0]).toBe('take 10.wav'))
  await person.press('Growth')
  await seeRequested({ sort: 'delta', direction: 'asc', page: null })
  await waitFor(() => expect(lastQuery()).toMatchObject({ sort: 'delta', direction: 'asc', page: 1 }))
  await person.press('Name')
  await waitFor(() => expect(lastQuery()).toMatchObject({ sort: 'name', direction: 'asc' }))
  const beyond = await compare('volumeId=1&page=9999')
  await beyond.person.see('This page is beyond the last difference.')
  await beyond.person.press('First page')
  await seeNames(...allNames)
})

test('a subfolder leads into its own comparison, and the breadcrumb leads back with the same date', async () => {
  const { person, api } = await compare(`volumeId=1&previousDate=${weekAgo}`)
  await person.press(/^days/, 'link')
  await seeRequested({ volumeId: '1', path: '/days', previousDate: weekAgo })
  await waitFor(() => expect(api.inputs(comparison).at(-1)?.query.path).toBe('/days'))
  await person.press('Films', 'link')
  await seeRequested({ volumeId: '1', path: '/', previousDate: weekAgo })
  expect(await linkTo('All storages')).toBe(`/comparison?previousDate=${weekAgo}`)
})

test('more folders, and those that shrank most, are shown on request', async () => {
  const many = Array.from({ length: 14 }, (_, i) => part(`day ${14 - i}`, (14 - i) * 5 * KiB, 5))
  const { person, api } = await compare('volumeId=1', [
    answer(growth, ({ query: { size, direction } }) => {
      const sorted = direction === 'asc' ? many.toReversed() : many
      return { ...pageWith(sorted.slice(0, size), many.length), ...dates }
    }),
  ])
  await waitFor(() => expect(grown()).toHaveLength(10))
  await person.see('10 of 14')
  await person.press('Show 4 more')
  await waitFor(() => expect(grown()).toHaveLength(14))
  await person.press('Show what shrank most first')
  await waitFor(() => expect(grown()[0]).toBe('day 1+5.00 KiB+5 files'))
  expect(requested('growth')).toBe('asc')
  expect(api.inputs(growth).at(-1)?.query).toMatchObject({ sort: 'growth', direction: 'asc', size: 10 })
  await screen.findByRole('button', { name: 'Show what grew most first' })
})

test('growth is grouped by extension and by owner, and leads to the files that differ', async () => {
  const { person, api } = await compare('volumeId=1&path=/days')
  await person.press('Extension', 'radio')
  await waitFor(() => expect(grown()).toEqual(['wav+525 KiB+70 files', 'Not recorded file by file+5.00 KiB+1 file']))
  expect(await linkTo(/^wav/)).toMatch(
    /^\/comparison\?volumeId=1&path=%2Fdays&previousDate=[\d-]+&by=extension&extension=wav$/,
  )
  await person.press('Owner', 'radio')
  await waitFor(() => expect(grown()).toEqual(['ana+467 KiB+66 files']))
  expect(requested('by')).toBe('owner')
  await person.press(/^ana/, 'link')
  await person.see('Owner: ana')
  await waitFor(() => expect(api.inputs(changedFiles).at(-1)?.query).toMatchObject({ owner: 'ana', path: '/days' }))
  await person.press('Show all owners')
  await waitFor(() => expect(api.inputs(changedFiles).at(-1)?.query).not.toHaveProperty('owner'))
  globalThis.history.back()
  globalThis.history.back()
  globalThis.history.back()
  await waitFor(() => expect(grown()[0]).toBe('wav+525 KiB+70 files'))
})

test('all storages are compared at once, and each row names its storage', async () => {
  const rain = difference('/rain.wav', 'CREATED', { before: null, now: 30 }, { volumeId: 2, volumeName: 'Sounds' })
  const { person, api } = await compare('', [
    answer(growth, { ...pageWith([part('', 30 * KiB, 1, { volumeId: 2, path: '/' })]), ...dates }),
    ...listOf([rain]),
  ])
  await person.see('All storages')
  await waitFor(() => expect(grown()).toEqual(['Sounds / Files directly in it+30.0 KiB+1 file']))
  await waitFor(() =>
    expect(cells()).toEqual([['rain.wav', 'Sounds', '/mnt/films', 'Created', '', '30.0 KiB', '+30.0 KiB']]),
  )
  expect(api.inputs(comparison)).toMatchObject([{ query: { path: '/', storages: [] } }])
  expect(await linkTo(/^Sounds/)).toBe(`/comparison?volumeId=2&path=%2F&previousDate=${weekAgo}`)
  expect(await linkTo('File Management')).toBe('/filemanagement')
})

test('without differences the screen says so, and offers an older snapshot or all storages', async () => {
  const { person } = await compare('volumeId=1', [noTotals])
  await person.see(`Nothing differs between ${weekAgo} and ${today}.`)
  await person.press(`Compare with ${monthAgo}`)
  await seeRequested({ previousDate: monthAgo })
  await person.see(`Nothing differs between ${monthAgo} and ${today}.`)
  expect(await linkTo('Compare all storages')).toBe(`/comparison?previousDate=${monthAgo}`)
})

test.each(['garbage', today, '2099-01-01', ''])(
  'a previous date %j without an earlier snapshot is replaced by the date a week ago',
  async (previousDate) => {
    const { person, api } = await compare(`volumeId=1&previousDate=${previousDate}`)
    const requested = previousDate || 'this date'
    await person.see(`There is no snapshot of ${requested} before ${today}. Comparing with ${weekAgo} instead.`)
    await seeNames(...allNames)
    expect(api.inputs(comparison)).toMatchObject([{ params: { previousDate: weekAgo } }])
    await person.press(`Keep ${weekAgo}`)
    await seeRequested({ previousDate: weekAgo })
    await person.seeNo('There is no snapshot of')
  },
)

test('the previous date is chosen from the snapshots before', async () => {
  const { person, api } = await compare()
  await person.choose('Previous date', '30 days ago')
  await seeRequested({ previousDate: monthAgo })
  await person.see(`${monthAgo} to ${today}`)
  expect(api.inputs(comparison).at(-1)?.params).toEqual({ previousDate: monthAgo })
})

test('the first snapshot has none to compare with, and offers the newest or the schedules', async () => {
  const { person } = await compare(`volumeId=1&date=${monthAgo}`)
  await person.see(`There is no snapshot before ${monthAgo} to compare with.`)
  await person.press('Newest snapshot')
  await seeNames(...allNames)
  const first = await compare('volumeId=1', [snapshots([today])])
  await first.person.see(`There is no snapshot before ${today} to compare with.`)
  expect(await linkTo('See when scans run')).toBe('/settings/schedules')
})

test.each(['volumeId=x', 'volumeId=999', 'path=/films', 'volumeId=1&path=/nowhere'])(
  'the address %s names no folder, and the screen says so',
  async (query) => {
    const { person } = await compare(query, [noTotals])
    await person.see('No folder found')
  },
)

test('unknown words in the address are ignored', async () => {
  const { api } = await compare('volumeId=1&kind=burnt&by=moon&sort=colour&page=-1&size=7&tab=9')
  await seeNames(...allNames)
  const usualList = { kind: [], page: 1, size: 50, sort: 'change', direction: 'desc' }
  expect(api.inputs(changedFiles)).toMatchObject([{ query: usualList }])
  expect(api.inputs(growth)).toMatchObject([{ query: { by: 'folder' } }])
})

test('each part that fails says so in its place and can be retried, and one message pops up', async () => {
  const { person, api } = await compare(
    'volumeId=1',
    [comparison, growth, changedFiles].map((call) => fail(call)),
  )
  await waitFor(() =>
    expect(alerts()).toEqual([
      'Unable to compare the snapshotsRetry',
      'Unable to compare the groups of the snapshotsRetry',
      'Unable to compare the files of the snapshotsRetry',
    ]),
  )
  await waitFor(() => expect(document.querySelectorAll('.mantine-Notification-root')).toHaveLength(1))
  api.answer(totals, groups, ...listOf(files))
  for (const left of [2, 1, 0]) {
    await person.pressAt(screen.getAllByRole('button', { name: 'Retry' })[0]!)
    await waitFor(() => expect(alerts()).toHaveLength(left))
  }
  await seeNames(...allNames)
})

test('a snapshot that is not complete is marked as partial', async () => {
  const { person } = await compare('volumeId=1', [snapshots([today, weekAgo], true)])
  await person.see(`Partial: ${weekAgo}`)
  await person.see(`Partial: ${today}`)
})

test('results of a scan appear on the open screen', async () => {
  const { live, api } = await compare()
  await seeNames(...allNames)
  const late = difference('/late.mov', 'CREATED', { before: null, now: 200 })
  api.answer(...listOf([late, ...files]))
  api.answer(
    answer(comparison, { ...dates, growth: 672 * KiB, unrecordedGrowth: 0, kinds: [{ ...kinds[0]!, files: 72 }] }),
  )
  live.send('changed', { type: 'changed', topics: ['snapshots'] })
  await seeNames('late.mov', ...allNames)
  await waitFor(() => expect(tiles()[0]).toMatch('72 files'))
})
