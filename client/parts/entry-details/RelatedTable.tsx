import type { Entry, EntryPage } from '#events/entries.ts'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { parentOf } from '#client/ui/text/path.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { contentColumn } from '#client/parts/contents/contentColumn.tsx'
import type { Contents } from '#client/parts/contents/useContents.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { relatedSizes } from '#client/parts/pagination/pageSizes.ts'
import { entryKey } from '#client/parts/selection/selection.ts'
import { openEntryDetails } from './entryDetails.state.ts'
import type { RelatedOrder } from './relatedOrder.ts'

const columns: Column<Entry>[] = [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    cell: (entry) => (
      <button type="button" className="accent" onClick={() => openEntryDetails(entry, 'search')}>
        <EntryName name={entry.name} />
      </button>
    ),
  },
  { key: 'volumeName', title: 'Storage', sortable: true, wideOnly: true, cell: ({ volumeName }) => volumeName },
  {
    key: 'path',
    title: 'Folder',
    sortable: true,
    wideOnly: true,
    grows: true,
    cell: ({ fullPath }) => <EntryPath path={parentOf(fullPath)} />,
  },
  { key: 'size', title: 'Size', sortable: true, align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  {
    key: 'lastModified',
    title: 'Last Modified',
    sortable: true,
    wideOnly: true,
    cell: ({ lastModified }) => <Moment at={lastModified} />,
  },
]

type RelatedTableProps = {
  found: EntryPage
  order: RelatedOrder
  entry: Entry
  none: string
  /** Results of comparing contents, shown in a column of their own. */
  contents?: Contents | undefined
}

/** Paged list of similar entries. */
export function RelatedTable({ found, order, entry, none, contents }: RelatedTableProps) {
  const nouns: [string, string] = entry.isDirectory ? ['folder', 'folders'] : ['file', 'files']
  return (
    <DataTable
      label={`Related ${nouns[1]}`}
      columns={contents ? [...columns, contentColumn(contents)] : columns}
      rows={found.elements}
      rowKey={entryKey}
      sort={order.sort}
      onSort={order.changeSort}
      empty={<Notice>{none}</Notice>}
      footer={
        <Pagination
          nouns={nouns}
          listName={`related ${nouns[1]}`}
          page={order.query.page}
          size={order.query.size}
          total={found.total}
          sizes={relatedSizes}
          onPage={order.changePage}
          onSize={order.changeSize}
        />
      }
    />
  )
}
