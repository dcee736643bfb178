import type { KindOfChange } from '#events/comparison.ts'

/** What a row says about whether the active snapshot has an entry; rows of a comparison say more. */
export type EntryStatus = {
  deleted: boolean
  /** Beside an earlier date: only that one has it. */
  isRemoved?: boolean | undefined
  /** In a comparison: what became of it. */
  kind?: KindOfChange | undefined
}

/** What became of an entry that the active snapshot does not have, as far as its row says; undefined where it is there. */
export function removalText({ deleted, isRemoved, kind }: EntryStatus): string | undefined {
  if (deleted) return 'Deleted'
  if (kind === 'NO_LONGER_INDEXED') return 'No longer indexed'
  return isRemoved ? 'Moved or no longer indexed' : undefined
}

/** Whether an entry is shown as an earlier date has it: the active one may not know it, not even as deleted. */
export const isOfEarlierDate = ({ isRemoved, kind }: EntryStatus): boolean =>
  isRemoved === true || kind === 'REMOVED' || kind === 'NO_LONGER_INDEXED'
