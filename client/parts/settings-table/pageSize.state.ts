import { proxy, useSnapshot } from 'valtio'
import { type RememberedKey, oneOf, remembered } from '#client/ui/remembered.ts'

export const pageSizes = [10, 25, 50, 100, 500] as const

/** Page size of each table, kept in this browser. */
const sizes = proxy<Record<string, number>>({})

/** Page size of a table. Tables without paging use the maximum. */
export function usePageSize(key: RememberedKey | undefined): number {
  const chosen = useSnapshot(sizes)
  return key === undefined ? 500 : (chosen[key] ?? kept(key).read())
}

export function choosePageSize(key: RememberedKey, size: number): void {
  sizes[key] = size
  kept(key).write(size)
}

const kept = (key: RememberedKey) => remembered(key, oneOf<number>(pageSizes), 10)
