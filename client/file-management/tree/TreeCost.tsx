import { createContext, use } from 'react'
import { CostCell, type Price } from '../../parts/cost/CostCell.tsx'

/** What the storage of a tree costs; rows need not be drawn anew when that is read. */
const PriceContext = createContext<Price | undefined>(undefined)
export const PriceOfTree = PriceContext.Provider

/** What the size of an entry costs per month. */
export function TreeCost({ bytes, tabIndex }: { bytes: number; tabIndex: number }) {
  const price = use(PriceContext)
  return price && <CostCell bytes={bytes} price={price} tabIndex={tabIndex} />
}
