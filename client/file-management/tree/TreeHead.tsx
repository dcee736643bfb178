import { useSnapshot } from 'valtio'
import type { Column } from '../../ui/column.ts'
import { TableHeading } from '../../ui/TableHeading.tsx'
import { columnWords, type LastColumn, treeSort } from './lastColumns.ts'
import type { TreeEntry } from './treeModel.ts'
import { sortTree, treeSettings } from './treeSettings.state.ts'

const none = () => null
const name: Column<TreeEntry> = { key: 'name', title: 'NAME', sortable: true, cell: none }
const size: Column<TreeEntry> = { key: 'size', title: 'SIZE', sortable: true, align: 'right', cell: none }

/** The titles of the tree; a click sorts by one, another the other way. */
export function TreeHead({ column }: { column: LastColumn | undefined }) {
  const { sort } = useSnapshot(treeSettings)
  const shown = { ...sort, field: treeSort(sort.field, column === 'delta') }
  return (
    <thead>
      <tr aria-rowindex={1}>
        <TableHeading column={name} sort={shown} onSort={sortTree} />
        <TableHeading column={size} sort={shown} onSort={sortTree} />
        {column && <TableHeading column={lastTitle(column)} sort={shown} onSort={sortTree} />}
      </tr>
    </thead>
  )
}

const lastTitle = (column: LastColumn): Column<TreeEntry> => ({
  ...columnWords[column],
  key: column,
  sortable: column !== 'tags',
  cell: none,
})
