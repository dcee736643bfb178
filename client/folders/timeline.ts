import type { FolderAtDate } from '#events/folders/calls.ts'

/** Attributes of a folder in display order. */
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

/**
 * Attributes that differ from the previous snapshot; none for the first. The date is ignored, since it always differs.
 */
export function changedFields(history: readonly FolderAtDate[], index: number): TimelineField[] {
  const [before, now] = [history[index - 1], history[index]]
  if (!before || !now) return []
  return timelineFields.filter((field) => field !== 'indexingDate' && now[field] !== before[field])
}

/** Index of the newest snapshot on or before a day, or of the oldest. */
export function indexAt(history: readonly FolderAtDate[], day: string): number {
  return Math.max(
    0,
    history.findLastIndex(({ indexingDate }) => indexingDate <= day),
  )
}
