import { expect, test } from 'vitest'
import { searchWithin } from './EntryDetails.tsx'
import { isOfEarlierDate, removalText } from './entryStatus.ts'

test.each([
  ['what is there', { deleted: false }, undefined, false],
  ['what is there beside an earlier date', { deleted: false, isRemoved: false }, undefined, false],
  ['what was moved, where it is now', { deleted: false, kind: 'MOVED' }, undefined, false],
  ['a deleted result of a search', { deleted: true }, 'Deleted', false],
  ['what was deleted since an earlier date', { deleted: true, isRemoved: true }, 'Deleted', true],
  ['what a comparison says was removed', { deleted: true, kind: 'REMOVED' }, 'Deleted', true],
  ['what is gone otherwise', { deleted: false, isRemoved: true }, 'Moved or no longer indexed', true],
  ['what scans left out', { deleted: false, kind: 'NO_LONGER_INDEXED' }, 'No longer indexed', true],
] as const)('%s', (_, fate, loss, isEarlier) => {
  expect([removalText(fate), isOfEarlierDate(fate)]).toEqual([loss, isEarlier])
})

test('a search within a folder keeps the text and the filters, and begins at its first page', () => {
  const search = '?search=raw&tag=a&tag=b&volumeId=1&volumeId=2&page=4&date=2026-01-01&activeTab=1'
  expect(searchWithin(search, { volumeId: 7, path: '/films' })).toEqual({
    search: ['raw'],
    tag: ['a', 'b'],
    volumeId: '7',
    activeTab: ['1'],
    startingPath: '/films',
  })
  expect(searchWithin('', { volumeId: 7, path: '/films' })).toEqual({ volumeId: '7', startingPath: '/films' })
})
