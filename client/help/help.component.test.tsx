import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { snapshotDates } from '#events/snapshots.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { searchHelp } from './helpPages.ts'

const title = () => screen.getByRole('heading', { level: 1 }).textContent
const contents = () => within(screen.getByRole('navigation', { name: 'Help' }))
const searchField = () => screen.findByRole('searchbox', { name: 'Search the help' })
const address = () => location.pathname + location.search

test('the help lists its pages in groups, and opens them', async () => {
  const { person } = await open('/help')
  await person.see('Get started')
  expect(contents().getAllByRole('link').length).toBeGreaterThanOrEqual(15)
  await person.press('Find duplicates', 'link')
  await waitFor(() => expect(address()).toBe('/help/find-duplicates'))
  expect(title()).toBe('Find duplicates')
  expect(document.title).toBe('Find duplicates · DataIntell')
  expect(contents().getByRole('link', { current: 'page' }).textContent).toBe('Find duplicates')
})

test('the help of a screen opens its page, and keeps the snapshot', async () => {
  await open('/help?screen=/settings/schedules&date=2026-02-20')
  await waitFor(() => expect(address()).toBe('/help/schedule-scans?date=2026-02-20'))
  expect(title()).toBe('Schedule scans')
})

test('a screen without a page of its own shows the table of contents', async () => {
  await open('/help?screen=/nowhere')
  await waitFor(() => expect(title()).toBe('Help'))
})

test('the search finds words in pages, those with the word in their title first', async () => {
  const { person } = await open('/help')
  await person.fill(await searchField(), 'hard links')
  await person.see(/Hard links once in a folder/)
  expect(searchHelp('duplicates')[0]?.name).toBe('find-duplicates')
  expect(searchHelp('webhook slack').map(({ name }) => name)).toEqual(['alerts-and-mail'])
  await person.fill(await searchField(), 'blockchain')
  await person.see('No help page contains these words.')
})

test('Enter opens the first page that was found', async () => {
  const { person } = await open('/help')
  await person.fill(await searchField(), 'noatime')
  await person.keys('{Enter}')
  await waitFor(() => expect(address()).toBe('/help/find-large-and-old-files'))
})

test('a link in a page opens the screen without loading the product again', async () => {
  const { person } = await open('/help/schedule-scans?date=2026-02-20')
  await person.press('When a scan fails', 'link')
  await waitFor(() => expect(address()).toBe('/help/when-a-scan-fails?date=2026-02-20'))
})

test('an unknown page says so, next to the table of contents', async () => {
  const { person } = await open('/help/nowhere')
  await person.see('There is no help page at this address.')
  expect(title()).toBe('Help')
})

test('everyone can read the help, before the first scan too', async () => {
  const { person } = await open('/help/add-a-storage', {
    hasShell: true,
    roles: [],
    answers: [answer(snapshotDates, [])],
  })
  await person.see('Add a new storage type')
})

test('the help leads to the list of keys and to the API reference', async () => {
  const { person } = await open('/help', { hasShell: true })
  expect((await screen.findByRole('link', { name: 'API reference' })).getAttribute('href')).toBe('/api/docs')
  await person.press('Keyboard shortcuts')
  await person.see('Single-key shortcuts are off while you type in a field.')
})
