import type { FolderAtDate } from '#events/folders/calls.ts'

/** What a snapshot says of a folder, in the order in which it is shown. */
export const timelineFields = [
  'size',
  'numberOfFolders',
  'numberOfFiles',
  'creationDate',
  'lastModified',
  'lastAccess',
  'indexingDate',
  'group',
  'owner',
  'inode',
] as const
export type TimelineField = (typeof timelineFields)[number]

/** What a snapshot says otherwise than the one before it; of the first, nothing. Every snapshot has a date of its own. */
export function changedFields(history: readonly FolderAtDate[], index: number): TimelineField[] {
  const [before, now] = [history[index - 1], history[index]]
  if (!before || !now) return []
  return timelineFields.filter((field) => field !== 'indexingDate' && now[field] !== before[field])
}

/** The place of the newest snapshot on or before a day; that of the oldest where none is. */
export function shownAt(history: readonly FolderAtDate[], day: string): number {
  return Math.max(
    0,
    history.findLastIndex(({ indexingDate }) => indexingDate <= day),
  )
}
