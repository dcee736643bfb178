import { expect, test } from 'vitest'
import { isOfEarlierDate, lossOf } from './gone.ts'

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
  expect([lossOf(fate), isOfEarlierDate(fate)]).toEqual([loss, isEarlier])
})
