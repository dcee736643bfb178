import { proxy } from 'valtio'
import { oneOf, remembered, rememberedSort } from '#client/ui/remembered.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'
import type { Sort } from '#client/ui/table/column.ts'

const sortFields = ['name', 'type', 'lastExecutionDate']
const byName: Sort = { field: 'name', direction: 'asc' }
const stored = {
  sort: rememberedSort('reportSort', 'reportDirection', byName),
  size: remembered('numberOfElementsReports', oneOf<number>(pageSizes), 25),
}

/** Sort order and page size of the report list, kept in this browser. */
export const listOrder = proxy<{ sort: Sort; size: number }>({ sort: storedSort(), size: stored.size.read() })

export function saveSort(sort: Sort): void {
  listOrder.sort = sort
  stored.sort.write(sort)
}

export function savePageSize(size: number): void {
  listOrder.size = size
  stored.size.write(size)
}

function storedSort(): Sort {
  const sort = stored.sort.read()
  return sortFields.includes(sort.field) ? sort : byName
}
