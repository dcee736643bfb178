import { useState } from 'react'
import type { Sort } from '../../ui/column.ts'
import { relatedSizes } from '../pagination/Pagination.tsx'

const key = 'numberOfElementsRelatedFiles'

function keptSize(): number {
  const size = Number(localStorage.getItem(key))
  return relatedSizes.find((each) => each === size) ?? 10
}

/** The page, the size and the sort of a list of related entries; this browser remembers the size. */
export function useRelatedOrder() {
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(keptSize)
  const [sort, setSort] = useState<Sort>({ field: 'name', direction: 'asc' })
  return {
    sort,
    asked: { page, size, sort: sort.field, direction: sort.direction },
    goTo: setPage,
    resize(size: number) {
      localStorage.setItem(key, String(size))
      setSize(size)
      setPage(1)
    },
    sortBy(sort: Sort) {
      setSort(sort)
      setPage(1)
    },
  }
}
export type RelatedOrder = ReturnType<typeof useRelatedOrder>
