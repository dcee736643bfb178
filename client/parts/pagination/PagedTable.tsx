import { VirtualTable, type VirtualTableProps } from '#client/ui/table/VirtualTable.tsx'
import { Pagination, type PaginationProps } from './Pagination.tsx'

type PagedTableProps<T> = Omit<VirtualTableProps<T>, 'before' | 'total'> &
  Pick<PaginationProps, 'words' | 'page' | 'size' | 'total' | 'onPage' | 'onSize'>

/** A page of a list with pagination below. */
export function PagedTable<T>({ words, page, size, total, onPage, onSize, ...table }: PagedTableProps<T>) {
  return (
    <>
      <VirtualTable {...table} before={(page - 1) * size} total={total} />
      <Pagination {...{ words, page, size, total, onPage, onSize }} isWhole isAlone />
    </>
  )
}
