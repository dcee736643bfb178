import { type PriceBookDraft, priceBooks } from '#events/price-books.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts.ts'
import { priceBookCreated } from './priceBookForm.ts'

/** A price book that was added in a wizard and is created when that saves; until then its number is negative. */
export type UnsavedPriceBook = PriceBookDraft & { id: number }

/** Adds one to those that are not saved yet, with a number of its own. */
export const withUnsaved = (unsaved: readonly UnsavedPriceBook[], draft: PriceBookDraft): UnsavedPriceBook[] => [
  ...unsaved,
  { ...draft, id: Math.min(0, ...unsaved.map(({ id }) => id)) - 1 },
]

/**
 * Creates the price books that are not saved yet, one after another, and returns which price book is selected then: the value
 * of a `PriceBookPicker`. `onCreated` is told after each what is selected and which are not saved yet, so that nothing is created twice
 * when a later step fails.
 */
export async function createUnsaved(
  value: string,
  unsaved: readonly UnsavedPriceBook[],
  onCreated: (value: string, rest: UnsavedPriceBook[]) => void,
): Promise<string> {
  let selected = value
  for (const [place, { id, ...body }] of unsaved.entries()) {
    const created = await call(priceBooks.create, { body })
    if (selected === String(id)) selected = String(created.id)
    onCreated(selected, unsaved.slice(place + 1))
    toast({ kind: 'success', message: priceBookCreated })
  }
  return selected
}
