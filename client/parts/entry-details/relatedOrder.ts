import { useState } from 'react'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { relatedSizes } from '#client/parts/pagination/pageSizes.ts'

const storedSize = remembered('numberOfElementsRelatedFiles', oneOf<number>(relatedSizes), 10)

/** Page, page size and sort order of similar entries. This browser keeps the page size. */
export function useRelatedOrder() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(storedSize.read)
  const [sort, setSort] = useState<Sort>({ field: 'name', direction: 'asc' })
  return {
    sort,
    query: { page, size, sort: sort.field, direction: sort.direction },
    changePage: setPage,
    changeSize(size: number) {
      storedSize.write(size)
      setSize(size)
      setPage(1)
    },
    changeSort(sort: Sort) {
      setSort(sort)
      setPage(1)
    },
  }
}
export type RelatedOrder = ReturnType<typeof useRelatedOrder>
