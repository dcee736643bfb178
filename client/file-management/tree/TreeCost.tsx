import { createContext, use } from 'react'
import { CostCell, type Price } from '#client/parts/cost/CostCell.tsx'

/** Price of the storage. A context, so that rows don't render again when it loads. */
const PriceContext = createContext<Price | undefined>(undefined)
export const PriceOfTree = PriceContext.Provider

/** Monthly cost of an entry. */
export function TreeCost({ bytes, tabIndex }: { bytes: number; tabIndex: number }) {
  const price = use(PriceContext)
  return price && <CostCell bytes={bytes} price={price} isPart tabIndex={tabIndex} />
}
