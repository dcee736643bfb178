import { proxy } from 'valtio'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import { pageSizes } from '#client/parts/pagination/Pagination.tsx'

const kept = remembered<number>('numberOfElementsJobs', oneOf<number>(pageSizes), 25)

/** How many jobs a page has, as this browser remembers it. */
export const pageSize = proxy({ size: kept.read() })

export function choosePageSize(size: number): void {
  pageSize.size = size
  kept.write(size)
}
