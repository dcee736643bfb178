import { VirtualTable, type VirtualTableProps } from '#client/ui/table/VirtualTable.tsx'
import { Pagination, type PaginationProps } from './Pagination.tsx'

type PagedTableProps<T> = Omit<VirtualTableProps<T>, 'before' | 'total'> &
  Pick<PaginationProps, 'nouns' | 'page' | 'size' | 'total' | 'onPage' | 'onSize'>

/** A page of a list with pagination below. */
export function PagedTable<T>({ nouns, page, size, total, onPage, onSize, ...table }: PagedTableProps<T>) {
  return (
    <>
      <VirtualTable {...table} before={(page - 1) * size} total={total} />
      <Pagination {...{ nouns, page, size, total, onPage, onSize }} isWhole isAlone />
    </>
  )
}
