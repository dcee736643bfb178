import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { mediaOfFile, searchEntriesMedia, searchMedia } from '#events/media/found.ts'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import { searchDates, searchFiles, searchFields } from '#events/search/calls.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { entry, entryPage } from '#client/testing/examples.ts'
import { answer, hold } from '#client/testing/fakeApi.ts'
import { openSearch, query, rowsNow, seeNames } from './testing/openSearch.ts'

const film = entry('/long.mov', { metadata: { 'video.codec': 'prores', 'media.duration': 5400.25, camera: 'A7' } })
const media = { files: 1_200, read: 1_092, duration: 1_123_200 }
const withMedia = [
  answer(searchFiles, entryPage([film, entry('/notes.txt')])),
  answer(searchEntries, entryPage([film])),
  answer(searchMedia, media),
  hold(storageManagerFile),
  hold(searchDates),
  answer(searchEntriesMedia, { files: 1, read: 1, duration: 5400 }),
]

test('the total duration is next to the share of media files that were read, and conditions are one press away', async () => {
  const { person } = await openSearch('/search?search=mov', ...withMedia)
  const bar = within(await screen.findByRole('region', { name: 'Media' }))
  expect(bar.getByRole('status', { name: 'Duration' }).textContent).toBe('312 hours 91.0 % of 1,200 media files read')
  await person.press('Longer than an hour')
  await waitFor(() => expect(query()).toContain('"metadata.media.duration":{"min":3600.001}'))
  expect(query()).toContain('"name":{"wildcard":"*mov*"}')
  await waitFor(() => expect(screen.getByRole('status', { name: 'Duration' }).textContent).toContain('90 min'))
  await person.press('Longer than an hour')
  await waitFor(() => expect(query()).not.toContain('duration'))
})

test('a search of storages whose files were not read shows nothing about media', async () => {
  await openSearch()
  await seeNames('b.mov', 'a.mov', 'README', 'a&b=c #1.mov')
  expect(screen.queryByRole('region', { name: 'Media' })).toBeNull()
})

test('columns of fields that were read can be shown and sorted by', async () => {
  const { person } = await openSearch('/search', ...withMedia)
  await seeNames('long.mov', 'notes.txt')
  await person.press('Columns')
  expect(screen.queryByRole('checkbox', { name: 'Image lens' })).toBeNull()
  await person.press('Media duration', 'checkbox')
  await waitFor(() => expect(rowsNow()[0]!.textContent).toContain('1:30:00'))
  await person.press('Media duration')
  await waitFor(() => expect(query()).toContain('sort=metadata.media.duration'))
})

test('the details of a file have its values, tracks and chapters', async () => {
  const tracks = [{ kind: 'audio' as const, facts: { Language: 'German' } }]
  const chapters = [{ start: 3_725, title: 'Credits' }]
  const { person } = await openSearch('/search', ...withMedia, answer(mediaOfFile, { failure: '', tracks, chapters }))
  await seeNames('long.mov', 'notes.txt')
  rowsNow()[0]!.focus()
  await person.keys('{Enter}')
  const details = within(await screen.findByRole('dialog', { name: 'File Details' }))
  const valueOf = (label: string) => details.getByText(label).nextElementSibling?.textContent
  await waitFor(() => expect(valueOf('Media duration')).toBe('1:30:00'))
  expect([valueOf('Video codec'), valueOf('camera')]).toEqual(['prores', 'A7'])
  const list = await details.findByRole('region', { name: 'Tracks' })
  expect(list.textContent).toBe('TracksTrack1, AudioLanguageGerman')
  expect(details.getByRole('region', { name: 'Chapters' }).textContent).toBe('Chapters1:02:05 Credits')
})

test('charts of media are shown with the share of files that they are about', async () => {
  const fields = answer(searchFields, ({ query: { fieldName } }) =>
    fieldName === 'videoCodec' ? [{ field: 'prores', size: 2_048, count: 2 }] : [],
  )
  await openSearch('/search?activeTab=2', ...withMedia, fields)
  const card = await screen.findByRole('region', { name: 'Video Codec' })
  await waitFor(() => expect(card.textContent).toContain('prores'))
  expect(card.textContent).toContain('91.0 % of 1,200 media files read')
})
