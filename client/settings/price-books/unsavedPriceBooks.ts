import { type PriceBookDraft, priceBooks } from '#events/price-books.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { priceBookCreated } from './priceBookForm.ts'

/** A price book that a wizard creates on save. Its id is negative until then. */
export type UnsavedPriceBook = PriceBookDraft & { id: number }

/** Adds an unsaved price book with a new id. */
export const withUnsaved = (unsaved: readonly UnsavedPriceBook[], draft: PriceBookDraft): UnsavedPriceBook[] => [
  ...unsaved,
  { ...draft, id: Math.min(0, ...unsaved.map(({ id }) => id)) - 1 },
]

/**
 * Creates the unsaved price books one after another, and returns the value of the `PriceBookPicker`. After each one,
 * `onCreated` receives the current value and the remaining ones, so that a retry after a failure doesn't create
 * duplicates.
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
