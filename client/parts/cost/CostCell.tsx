import type { StoragePrice } from '#events/price-books.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { Cost } from './Cost.tsx'

/** Price book of a storage, or null. */
export type Price = Loadable<StoragePrice | null>

type CostCellProps = {
  /** -1 means unknown. */
  bytes: number
  price: Price
  /** The bytes are only part of the storage. */
  isPart?: boolean
  tabIndex?: number | undefined
}

/** A cost in a column whose title names the period. Empty while the price loads; offers a retry after an error. */
export function CostCell({ bytes, price: { data, error, loading, retry }, isPart = false, tabIndex }: CostCellProps) {
  if (data !== undefined) return <Cost bytes={bytes} price={data} part={isPart ? {} : undefined} inColumn />
  return error && !loading ? <InlineFailure error={error} retry={retry} isShort tabIndex={tabIndex} /> : null
}
