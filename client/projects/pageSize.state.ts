import { proxy } from 'valtio'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'

const kept = remembered<number>('numberOfElementsProjects', oneOf<number>(pageSizes), 25)

/** Page size of the project list, kept in this browser. */
export const pageSize = proxy({ size: kept.read() })

export function choosePageSize(size: number): void {
  pageSize.size = size
  kept.write(size)
}
