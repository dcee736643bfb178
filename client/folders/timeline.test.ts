import { expect, test } from 'vitest'
import type { FolderAtDate } from '#events/folders/calls.ts'
import { changedFields, indexAt } from './timeline.ts'

const at = (indexingDate: string, changes: Partial<FolderAtDate> = {}): FolderAtDate => ({
  indexingDate,
  size: 10,
  lastAccess: '2026-01-01T00:00:00Z',
  lastModified: '2026-01-01T00:00:00Z',
  creationDate: null,
  group: 'staff',
  owner: 'ana',
  inode: '7',
  numberOfFiles: 1,
  numberOfFolders: 0,
  unreadable: false,
  notEntered: null,
  ...changes,
})
const history = [
  at('2026-01-01'),
  at('2026-01-03', { size: 12, owner: 'bo' }),
  at('2026-01-09', { size: 12, owner: 'bo' }),
]

test('a snapshot is marked with what it says otherwise than the one before, its date apart', () => {
  expect(history.map((_, index) => changedFields(history, index))).toEqual([[], ['size', 'owner'], []])
})

test('the timeline begins at the snapshot of the active date, or the last one before it', () => {
  expect(['2025-12-31', '2026-01-01', '2026-01-08', '2026-02-01'].map((day) => indexAt(history, day))).toEqual([
    0, 0, 1, 2,
  ])
})
