import { proxy, useSnapshot } from 'valtio'
import { type RememberedKey, oneOf, remembered } from '#client/ui/remembered.ts'

export const pageSizes = [10, 25, 50, 100, 500] as const

/** How many rows a page of each table has, as this browser remembers it. */
const sizes = proxy<Record<string, number>>({})

/** How many rows a page has, and how that is changed; a table without pages has as many as one page may hold. */
export function usePageSize(key: RememberedKey | undefined): number {
  const chosen = useSnapshot(sizes)
  return key === undefined ? 500 : (chosen[key] ?? kept(key).read())
}

export function choosePageSize(key: RememberedKey, size: number): void {
  sizes[key] = size
  kept(key).write(size)
}

const kept = (key: RememberedKey) => remembered(key, oneOf<number>(pageSizes), 10)
