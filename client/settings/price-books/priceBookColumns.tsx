import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { PriceBook } from '#events/price-books.ts'
import { priceBookWords } from '../../parts/price-books/PriceBookInputs.tsx'
import type { Column } from '../../ui/column.ts'
import { focus } from '../../ui/focus.ts'
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
    cell: (priceBook) => <RowActions priceBook={priceBook} {...actions} />,
  },
]

function RowActions({ priceBook, left, edit, remove }: Actions & { priceBook: PriceBook }) {
  const { id, description } = priceBook
  return (
    <span className={classes.actions}>
      <PriceHistory priceBook={priceBook} />
      <ActionIcon
        ref={left?.id === id ? focus : null}
        aria-label={`Edit ${description}`}
        onClick={() => edit(priceBook)}
      >
        <IconPencil size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon className={classes.remove} aria-label={`Delete ${description}`} onClick={() => remove(priceBook)}>
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </span>
  )
}
