import type { ReactNode } from 'react'
import type { Entry, EntryPage } from '#events/entries.ts'
import { parentOf } from '#client/ui/text/path.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { entryColumn } from '#client/parts/entry-text/entryColumn.tsx'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { contentColumn } from '#client/parts/contents/contentColumn.tsx'
import type { Contents } from '#client/parts/contents/useContents.ts'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { relatedSizes } from '#client/parts/pagination/pageSizes.ts'
import { entryKey } from '#client/parts/selection/selection.ts'
import { openEntryDetails } from './entryDetails.state.ts'
import type { RelatedOrder } from './relatedOrder.ts'

const opening = (text: (entry: Entry) => ReactNode) => (entry: Entry) => (
  <button type="button" className="accent shrink left full" onClick={() => openEntryDetails(entry, 'search')}>
    {text(entry)}
  </button>
)
const storage = entryColumn<Entry>('volumeName', { cell: ({ volumeName }) => volumeName })
/** Copies have the same name, size and date. */
const copyColumns = [
  entryColumn<Entry>('path', { grows: true, cell: opening(({ fullPath }) => <EntryPath path={parentOf(fullPath)} />) }),
  storage,
]
const columns = [
  entryColumn<Entry>('name', { grows: true, cell: opening(({ name }) => <EntryName name={name} />) }),
  entryColumn<Entry>('path', { wideOnly: true, grows: true }),
  entryColumn<Entry>('size'),
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
      columns={contents ? [...copyColumns, contentColumn(contents)] : columns}
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
