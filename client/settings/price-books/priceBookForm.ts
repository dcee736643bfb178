import { type ClassPrice, type PriceBook, PriceBookDraft } from '#events/price-books.ts'
import { exactMoneyText } from '#client/ui/text/money.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { typedNumber } from '#client/app/form.ts'
import type { TableForm } from '#client/parts/settings-table/form.ts'
import { ClassPricesInput, type ClassPriceFields } from './ClassPricesInput.tsx'

/** Form of a price book. Incomplete numbers are strings. */
export type PriceBookFields = {
  description: string
  currencySymbol: string
  price: number | string
  classPrices: ClassPriceFields[]
  /** First day of the prices, yyyy-MM-dd; empty for today. */
  since: string
}

/** Labels of columns and inputs. */
export const priceBookLabels = {
  description: 'Name',
  currencySymbol: 'Currency Symbol',
  price: 'Storage Price (GB/Year)',
  classPrices: 'Storage Class Prices',
  since: 'First day (today if empty)',
}

/** `GLACIER $0.04, DEEP_ARCHIVE $ 0.01` */
export const classPricesText = (prices: readonly ClassPrice[], currencySymbol: string): string =>
  prices.map(({ storageClass, price }) => `${storageClass} ${exactMoneyText(price, currencySymbol)}`).join(', ')

export const priceBookCreated = 'Storage price was created successfully'

/** Inline form in a row; in a wizard, a vertical form. */
export const priceBookForm: TableForm<PriceBook, PriceBookFields, PriceBookDraft> = {
  opens: {
    at: 'row',
    words: (edited) =>
      edited === 'new'
        ? { save: 'Add price book', cancel: 'Cancel' }
        : { save: `Save ${edited.description}`, cancel: `Leave ${edited.description} as it was` },
    labelOf: (label, edited) => `${label} of ${edited === 'new' ? 'the new price book' : edited.description}`,
  },
  inputs: [
    { name: 'description', label: priceBookLabels.description },
    { name: 'currencySymbol', label: priceBookLabels.currencySymbol },
    { name: 'price', label: priceBookLabels.price, kind: 'number', step: 0.1 },
    { name: 'classPrices', label: priceBookLabels.classPrices, kind: 'own', Input: ClassPricesInput },
    {
      name: 'since',
      label: priceBookLabels.since,
      type: 'date',
      prefix: 'From',
      // The first prices apply to all days.
      isShown: (_, edited) => edited !== 'new',
    },
  ],
  schema: PriceBookDraft,
  fields: { description: '', currencySymbol: '', price: '', classPrices: [], since: '' },
  fromRow: ({ description, currencySymbol, price, classPrices }) => ({
    description,
    currencySymbol,
    price,
    classPrices,
    since: '',
  }),
  toDraft: ({ description, currencySymbol, price, classPrices, since }) => ({
    description: description.trim(),
    currencySymbol: currencySymbol.trim(),
    price: typedNumber(price),
    classPrices: written(classPrices).map((each) => ({
      storageClass: each.storageClass.trim(),
      price: typedNumber(each.price),
    })),
    ...(since !== '' && { since }),
  }),
  labels: ({ classPrices }) => ({
    classPrices: 'Storage classes',
    since: 'First day',
    ...Object.fromEntries(
      written(classPrices).flatMap(({ storageClass }, place) => [
        [`classPrices.${place}.storageClass`, `Storage class ${place + 1}`],
        [`classPrices.${place}.price`, `Price of ${storageClass.trim() || `storage class ${place + 1}`}`],
      ]),
    ),
  }),
  saved: (_, edited) =>
    edited === 'new' ? priceBookCreated : `Storage price with id [${edited.id}] was updated successfully`,
}

/** Drops empty lines. */
const written = (lines: ClassPriceFields[]) =>
  lines.filter(({ storageClass, price }) => storageClass.trim() !== '' || price !== '')

/** Form of a price book in a wizard, which words some errors differently. `taken` are the names of all others. */
export const newPriceBookForm = (taken: readonly string[]) =>
  defineForm<PriceBookFields, PriceBookDraft, PriceBook>({
    ...priceBookForm,
    check(fields) {
      const { description, currencySymbol, price } = priceBookForm.toDraft(fields, 'new')
      const isTaken = taken.some((name) => name.toLowerCase() === description.toLowerCase())
      return {
        ...(isTaken && { description: 'Name must be unique' }),
        ...(!isBetween(description, 25) && { description: 'Name must be between 1 and 25 characters' }),
        ...(!isBetween(currencySymbol, 20) && {
          currencySymbol: 'Currency symbol must be between 1 and 20 characters',
        }),
        ...(Number.isNaN(price) && { price: "Price can't be empty" }),
        ...(price < 0 && { price: "Price can't be a negative number" }),
      }
    },
  })

const isBetween = ({ length }: string, max: number) => length >= 1 && length <= max
