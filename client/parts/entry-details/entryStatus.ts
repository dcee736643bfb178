import type { KindOfChange } from '#events/comparison.ts'

/** Presence of an entry in the active snapshot. */
export type EntryStatus = {
  deleted: boolean
  /** Exists only in the previous snapshot. */
  isRemoved?: boolean | undefined
  /** Kind of change, in a comparison. */
  kind?: KindOfChange | undefined
}

/** Reason why an entry is missing from the active snapshot; undefined if it exists there. */
export function removalText({ deleted, isRemoved, kind }: EntryStatus): string | undefined {
  if (deleted) return 'Deleted'
  if (kind === 'NO_LONGER_INDEXED') return 'No longer indexed'
  return isRemoved ? 'Moved or no longer indexed' : undefined
}

/** True if the entry is shown from an earlier snapshot. The active one may not have it, not even as deleted. */
export const isOfEarlierDate = ({ isRemoved, kind }: EntryStatus): boolean =>
  isRemoved === true || kind === 'REMOVED' || kind === 'NO_LONGER_INDEXED'
