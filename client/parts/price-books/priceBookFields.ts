import { type PriceBook, PriceBookDraft } from '#events/price-books.ts'
import { checkedBy } from '../../app/form.ts'

/** A price book as its forms have it; a number that is not written to its end is a text. */
export type PriceBookFields = { description: string; currencySymbol: string; price: number | string }

export const noPriceBook: PriceBookFields = { description: '', currencySymbol: '', price: '' }

export const fieldsOf = ({ description, currencySymbol, price }: PriceBook): PriceBookFields => ({
  description,
  currencySymbol,
  price,
})

/** What is sent; without a price where none was written, which no check lets pass. */
export const draftOf = ({ description, currencySymbol, price }: PriceBookFields): PriceBookDraft => ({
  description: description.trim(),
  currencySymbol: currencySymbol.trim(),
  price: price === '' ? Number.NaN : Number(price),
})

const check = checkedBy(PriceBookDraft)

/** What is wrong with the fields of a row of the settings, by field. */
export const rowErrors = (fields: PriceBookFields): Record<string, string> => check(draftOf(fields))

/** What is wrong with the fields of a price book that is made in a wizard, by field; `taken` are the names of all others. */
export function wizardErrors(fields: PriceBookFields, taken: readonly string[]): Record<string, string> {
  const { description, currencySymbol, price } = draftOf(fields)
  const isTaken = taken.some((name) => name.toLowerCase() === description.toLowerCase())
  return {
    ...check({ description, currencySymbol, price }),
    ...(isTaken && { description: 'Name must be unique' }),
    ...(!isBetween(description, 25) && { description: 'Name must be between 1 and 25 characters' }),
    ...(!isBetween(currencySymbol, 20) && { currencySymbol: 'Currency symbol must be between 1 and 20 characters' }),
    ...(Number.isNaN(price) && { price: "Price can't be empty" }),
    ...(price < 0 && { price: "Price can't be a negative number" }),
  }
}

const isBetween = ({ length }: string, most: number) => length >= 1 && length <= most
