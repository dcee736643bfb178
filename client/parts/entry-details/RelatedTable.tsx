import type { Entry, EntryPage } from '#events/entries.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Moment } from '../../ui/Moment.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Size } from '../../ui/Size.tsx'
import { EntryName } from '../entry-text/EntryName.tsx'
import { EntryPath } from '../entry-text/EntryPath.tsx'
import { Pagination, relatedSizes } from '../pagination/Pagination.tsx'
import { entryKey } from '../selection/selection.ts'
import { openEntryDetails } from './entryDetails.state.ts'
import type { RelatedOrder } from './relatedOrder.ts'
import classes from './EntryDetails.module.css'

const columns: Column<Entry>[] = [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    cell: (entry) => (
      <button type="button" className={classes.open} onClick={() => openEntryDetails(entry, 'search')}>
        <EntryName name={entry.name} />
      </button>
    ),
  },
  { key: 'volumeName', title: 'Storage', sortable: true, wideOnly: true, cell: ({ volumeName }) => volumeName },
  {
    key: 'path',
    title: 'Path',
    sortable: true,
    wideOnly: true,
    grows: true,
    cell: ({ path }) => <EntryPath path={path} />,
  },
  { key: 'size', title: 'Size', sortable: true, align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  {
    key: 'lastModified',
    title: 'Last Modified',
    sortable: true,
    wideOnly: true,
    cell: ({ lastModified }) => lastModified && <Moment at={lastModified} />,
  },
]

type RelatedTableProps = { found: EntryPage; order: RelatedOrder; entry: Entry; none: string }

/** Entries that are like another one, by pages. */
export function RelatedTable({ found, order, entry, none }: RelatedTableProps) {
  const words: [string, string] = entry.isDirectory ? ['folder', 'folders'] : ['file', 'files']
  return (
    <DataTable
      label={`Related ${words[1]}`}
      columns={columns}
      rows={found.elements}
      rowKey={entryKey}
      sort={order.sort}
      onSort={order.sortBy}
      empty={<Notice>{none}</Notice>}
      footer={
        <Pagination
          words={words}
          page={order.asked.page}
          size={order.asked.size}
          total={found.total}
          sizes={relatedSizes}
          onPage={order.goTo}
          onSize={order.resize}
        />
      }
    />
  )
}
