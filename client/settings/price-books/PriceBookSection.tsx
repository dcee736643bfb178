import { IconCoins } from '@tabler/icons-react'
import { type PriceBook, type PriceBookDraft, priceBooks } from '#events/price-books.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { counted } from '#client/ui/text/count.ts'
import { exactMoneyText } from '#client/ui/text/money.ts'
import { classPricesText, priceBookForm, priceBookLabels } from './priceBookForm.ts'
import { PriceHistory } from './PriceHistory.tsx'
import classes from './PriceBookSection.module.css'

/** Price books: price per GB and year, with history. */
export const PriceBookSection = () => <SettingsSection title="Price Book" folds="open" table={priceBookTable} />

const priceBookTable: SettingsTable<PriceBook, PriceBookDraft> = {
  label: 'Files',
  rows: rowsOf(priceBooks.list, 'priceBooks'),
  sort: { field: 'id', direction: 'asc' },
  calls: callsOf(priceBooks),
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    {
      key: 'description',
      title: priceBookLabels.description,
      sortable: true,
      grows: true,
      cell: ({ description }) => <span className="strong">{description}</span>,
    },
    {
      key: 'currencySymbol',
      title: priceBookLabels.currencySymbol,
      sortable: true,
      wideOnly: true,
      cell: ({ currencySymbol }) => currencySymbol,
    },
    {
      key: 'price',
      title: priceBookLabels.price,
      sortable: true,
      align: 'right',
      cell: ({ price, currencySymbol, classPrices }) => (
        <>
          {exactMoneyText(price, currencySymbol)}
          {classPrices.length > 0 && (
            <span className={classes.more} title={classPricesText(classPrices, currencySymbol)}>
              {counted(classPrices.length, 'storage class', 'storage classes')} priced separately
            </span>
          )}
        </>
      ),
    },
  ],
  empty: { icon: IconCoins, text: 'No price book yet. Costs are shown once storages have one.' },
  adding: { label: 'Add new price book', link: 'price-book' },
  editing: { label: ({ description }) => `Edit ${description}` },
  opens: {
    at: 'row',
    words: (edited) =>
      edited === 'new'
        ? { save: 'Add price book', cancel: 'Cancel' }
        : { save: `Save ${edited.description}`, cancel: `Leave ${edited.description} as it was` },
    labelOf: (label, edited) => `${label} of ${edited === 'new' ? 'the new price book' : edited.description}`,
  },
  form: priceBookForm,
  deletion: {
    label: ({ description }) => `Delete ${description}`,
    verb: 'Delete price book',
    question: ({ description }) =>
      `Are you sure you want to delete price book ${description}? Past costs don't change.`,
    deleted: ({ id }) => `Storage price with id [${id}] was deleted successfully`,
  },
  actions: (priceBook, { edit, remove }) => (
    <>
      <PriceHistory priceBook={priceBook} />
      {edit}
      {remove}
    </>
  ),
}
