import { createContext, use } from 'react'
import { CostCell, type Price } from '#client/parts/cost/CostCell.tsx'

/** The price of the storage. A context, so that rows are not rendered again when it is loaded. */
const PriceContext = createContext<Price | undefined>(undefined)
export const PriceOfTree = PriceContext.Provider

/** What the size of an entry costs per month. */
export function TreeCost({ bytes, tabIndex }: { bytes: number; tabIndex: number }) {
  const price = use(PriceContext)
  return price && <CostCell bytes={bytes} price={price} isPart tabIndex={tabIndex} />
}
