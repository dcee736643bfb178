import { type PriceBookDraft, priceBooks } from '#events/price-books.ts'
import { call } from '../../app/call.ts'
import { toast } from '../../app/toasts.ts'

/** A price book that was made in a wizard and is created when that saves; until then its number is negative. */
export type MadePriceBook = PriceBookDraft & { id: number }

/** Adds one to those that were made, with a number of its own. */
export const withMade = (made: readonly MadePriceBook[], draft: PriceBookDraft): MadePriceBook[] => [
  ...made,
  { ...draft, id: Math.min(0, ...made.map(({ id }) => id)) - 1 },
]

/**
 * Creates the price books that were made, one after another, and gives back which price book is chosen then: the value of a
 * `PriceBookPicker`. `onCreated` is told after each what is chosen and what is left, so that nothing is created twice when a
 * later step fails.
 */
export async function createMade(
  value: string,
  made: readonly MadePriceBook[],
  onCreated: (value: string, left: MadePriceBook[]) => void,
): Promise<string> {
  let chosen = value
  for (const [place, { id, ...body }] of made.entries()) {
    const created = await call(priceBooks.create, { body })
    if (chosen === String(id)) chosen = String(created.id)
    onCreated(chosen, made.slice(place + 1))
    toast({ kind: 'success', message: priceBookCreated })
  }
  return chosen
}

export const priceBookCreated = 'Storage price was created successfully'
