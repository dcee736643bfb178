import type { KindOfChange } from '#events/comparison.ts'

/** What rows tell of whether the active date still has an entry; those beside an earlier date tell more than others. */
export type Fate = {
  deleted: boolean
  /** Beside an earlier date: only that one has it. */
  isRemoved?: boolean | undefined
  /** In a comparison: what became of it. */
  kind?: KindOfChange | undefined
}

/** What became of an entry that the active date has no more, as far as its row tells; nothing where it is there. */
export function lossOf({ deleted, isRemoved, kind }: Fate): string | undefined {
  if (deleted) return 'Deleted'
  if (kind === 'NO_LONGER_INDEXED') return 'No longer indexed'
  return isRemoved ? 'Moved or no longer indexed' : undefined
}

/** Whether an entry is shown as an earlier date has it: the active one may not know it, not even as deleted. */
export const isOfEarlierDate = ({ isRemoved, kind }: Fate): boolean =>
  isRemoved === true || kind === 'REMOVED' || kind === 'NO_LONGER_INDEXED'
