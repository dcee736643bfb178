import type { Totals } from '#events/search/calls.ts'
import type { Reclaimable } from '#server/entries/reclaimable.ts'

/** Bytes of a search in the form of the wire: those that costs are for only where they differ. */
export const asSizes = (size: number, billed: number): Pick<Totals, 'size' | 'billedSize'> => ({
  size,
  ...(billed !== size && { billedSize: billed }),
})

/** The same for reclaimable bytes. */
export const asReclaimable = ({
  freed,
  billedFreed,
}: Reclaimable): Pick<Totals, 'reclaimable' | 'billedReclaimable'> => ({
  reclaimable: freed,
  ...(billedFreed !== freed && { billedReclaimable: billedFreed }),
})
