import type { StoragePrice } from '#events/price-books.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Cost } from './Cost.tsx'

/** The price book of a storage; null where it has none. */
export type Price = Loadable<StoragePrice | null>

type CostCellProps = {
  /** -1 is unknown. */
  bytes: number
  price: Price
  /** Whether they are not all of the storage. */
  isPart?: boolean
  tabIndex?: number | undefined
}

/** A cost in a column whose title names the period: nothing while the price is read, and the way to try again when that failed. */
export function CostCell({ bytes, price: { data, error, loading, retry }, isPart = false, tabIndex }: CostCellProps) {
  if (data !== undefined) return <Cost bytes={bytes} price={data} part={isPart ? {} : undefined} inColumn />
  return error && !loading ? <InlineFailure error={error} retry={retry} isShort tabIndex={tabIndex} /> : null
}
