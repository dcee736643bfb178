import { type ClassPrice, type PriceBook, PriceBookDraft } from '#events/price-books.ts'
import { exactMoneyText } from '#client/ui/text/money.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { typedNumber } from '#client/app/form.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { ClassPricesInput, type ClassPriceFields } from './ClassPricesInput.tsx'

/** Labels of columns and inputs. */
export const priceBookLabels = {
  description: 'Name',
  currencySymbol: 'Currency Symbol',
  price: 'Storage Price (GB/Year)',
}

/** `GLACIER $0.04, DEEP_ARCHIVE $ 0.01` */
export const classPricesText = (prices: readonly ClassPrice[], currencySymbol: string): string =>
  prices.map(({ storageClass, price }) => `${storageClass} ${exactMoneyText(price, currencySymbol)}`).join(', ')

export const priceBookCreated = 'Storage price was created successfully'

/** Form of a price book. Incomplete numbers are strings. */
export const priceBookForm = describeForm<PriceBook, PriceBookDraft>()({
  schema: PriceBookDraft,
  fields: {
    description: {
      label: priceBookLabels.description,
      errorLabel: 'Description',
      initial: '',
      write: (description) => description.trim(),
    },
    currencySymbol: {
      label: priceBookLabels.currencySymbol,
      errorLabel: 'Currency symbol',
      initial: '',
      write: (symbol) => symbol.trim(),
    },
    price: {
      label: priceBookLabels.price,
      errorLabel: 'Price',
      kind: 'number',
      step: 0.1,
      initial: '' as number | string,
      write: typedNumber,
    },
    classPrices: {
      label: 'Storage Class Prices',
      errorLabel: 'Storage classes',
      kind: 'own',
      Input: ClassPricesInput,
      initial: [] as ClassPriceFields[],
      write: (lines) =>
        written(lines).map(({ storageClass, price }) => ({
          storageClass: storageClass.trim(),
          price: typedNumber(price),
        })),
    },
    /** First day of the prices, yyyy-MM-dd. The first prices apply to all days. */
    since: {
      label: 'First day (today if empty)',
      errorLabel: 'First day',
      type: 'date',
      prefix: 'From',
      isShown: (_, edited) => edited !== 'new',
      initial: '',
      read: () => '',
      write: (day) => (day === '' ? undefined : day),
    },
  },
  labels: ({ classPrices }) =>
    Object.fromEntries(
      written(classPrices).flatMap(({ storageClass }, place) => [
        [`classPrices.${place}.storageClass`, `Storage class ${place + 1}`],
        [`classPrices.${place}.price`, `Price of ${storageClass.trim() || `storage class ${place + 1}`}`],
      ]),
    ),
  saved: (_, edited) =>
    edited === 'new' ? priceBookCreated : `Storage price with id [${edited.id}] was updated successfully`,
})

export type PriceBookFields = typeof priceBookForm.fields

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
