import { useQuery } from '../app/address.ts'
import { type Change, type ComparisonAddress, readComparisonAddress, withChange } from './comparisonAddress.ts'

export type Go = (change: Change) => void

/** What of the comparison the address shows, and how to look at something else: a step back undoes it. */
export function useComparisonAddress(): [ComparisonAddress, Go] {
  const [query, changeQuery] = useQuery()
  return [readComparisonAddress(query), (change) => changeQuery((query) => withChange(query, change))]
}
