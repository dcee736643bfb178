import type { Column, Sort } from '../../ui/column.ts'
import { TableHeading } from '../../ui/TableHeading.tsx'
import type { TreeColumn } from './treeColumn.ts'
import type { TreeEntry } from './treeModel.ts'

const none = () => null
const name: Column<TreeEntry> = { key: 'name', title: 'NAME', sortable: true, cell: none }
const size: Column<TreeEntry> = { key: 'size', title: 'SIZE', sortable: true, align: 'right', cell: none }

type TreeHeadProps = { column: TreeColumn | undefined; sort: Sort; onSort: ((sort: Sort) => void) | undefined }

/** The titles of the tree; where it can be sorted, a click sorts by one, another the other way. */
export function TreeHead({ column, sort, onSort }: TreeHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <TableHeading column={name} sort={sort} onSort={onSort} />
        <TableHeading column={size} sort={sort} onSort={onSort} />
        {column && <TableHeading column={titleOf(column)} sort={sort} onSort={onSort} />}
      </tr>
    </thead>
  )
}

const titleOf = ({ key, title, hint, sortable }: TreeColumn): Column<TreeEntry> => ({
  key,
  title,
  ...(hint !== undefined && { hint }),
  sortable,
  cell: none,
})
