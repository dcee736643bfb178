import { IconCoins } from '@tabler/icons-react'
import { useState } from 'react'
import type { PriceBook } from '#events/price-books.ts'
import { usePriceBooks } from '../../parts/price-books/usePriceBooks.ts'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { OpensForm } from '../../ui/OpensForm.tsx'
import { countText } from '../../ui/text/count.ts'
import { DeletePriceBook } from './DeletePriceBook.tsx'
import { priceBookColumns } from './priceBookColumns.tsx'
import { PriceBookForm } from './PriceBookForm.tsx'
import classes from './PriceBookSection.module.css'

/** The price books: what a GB costs for a year, and did before. */
export function PriceBookSection() {
  const [sort, setSort] = useState<Sort>({ field: 'id', direction: 'asc' })
  const list = usePriceBooks(sort)
  const [edited, edit] = useState<PriceBook>()
  const [left, leave] = useState<PriceBook>()
  const [doomed, doom] = useState<PriceBook>()
  const onSaved = list.retry
  const onClose = () => {
    leave(edited)
    edit(undefined)
  }
  return (
    <>
      <Card title="Price Book" note={list.data && countText(list.data.total)} remote={list} folds="closed">
        {({ elements }) => (
          <>
            <DataTable
              label="Files"
              columns={priceBookColumns({ left, edit, remove: doom })}
              rows={elements}
              rowKey={({ id }) => id}
              sort={sort}
              onSort={setSort}
              instead={edited && { key: edited.id, content: <PriceBookForm {...{ edited, onSaved, onClose }} /> }}
              empty={<Notice icon={IconCoins}>No price book yet. Costs are shown once storages have one.</Notice>}
            />
            <div className={classes.add}>
              <OpensForm label="Add new price book">
                {(close) => <PriceBookForm edited="new" onSaved={onSaved} onClose={close} />}
              </OpensForm>
            </div>
          </>
        )}
      </Card>
      <DeletePriceBook doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
    </>
  )
}
