import type { PriceBook } from '#events/price-books.ts'
import { priceBookWords } from '../../parts/price-books/PriceBookInputs.tsx'
import type { Column } from '../../ui/column.ts'
import { focus } from '../../ui/focus.ts'
import { EditAction, RemoveAction, RowActions } from '../../ui/RowActions.tsx'
import { exactMoneyText } from '../../ui/text/money.ts'
import { PriceHistory } from './PriceHistory.tsx'
import classes from './PriceBookSection.module.css'

type Actions = Record<'edit' | 'remove', (priceBook: PriceBook) => void> & {
  /** The one that was edited last: there the focus goes on. */
  left: PriceBook | undefined
}

export const priceBookColumns = (actions: Actions): Column<PriceBook>[] => [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  {
    key: 'description',
    title: priceBookWords.name,
    sortable: true,
    grows: true,
    cell: ({ description }) => <span className={classes.name}>{description}</span>,
  },
  {
    key: 'currencySymbol',
    title: priceBookWords.symbol,
    sortable: true,
    wideOnly: true,
    cell: ({ currencySymbol }) => currencySymbol,
  },
  {
    key: 'price',
    title: priceBookWords.price,
    sortable: true,
    align: 'right',
    cell: ({ price, currencySymbol }) => exactMoneyText(price, currencySymbol),
  },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (priceBook) => <Deeds priceBook={priceBook} {...actions} />,
  },
]

function Deeds({ priceBook, left, edit, remove }: Actions & { priceBook: PriceBook }) {
  const { id, description } = priceBook
  return (
    <RowActions>
      <PriceHistory priceBook={priceBook} />
      <EditAction ref={left?.id === id ? focus : null} label={`Edit ${description}`} onClick={() => edit(priceBook)} />
      <RemoveAction label={`Delete ${description}`} onClick={() => remove(priceBook)} />
    </RowActions>
  )
}
