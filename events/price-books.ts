import { z } from 'zod'
import { crud } from './endpoint.ts'

/** A price per GB (2^30 bytes) and year, in the currency of the symbol. */
const Price = z.object({
  currencySymbol: z.string().trim().min(1, 'must not be blank').max(20, 'must be between 1 and 20 characters'),
  price: z.number('must be a positive number').min(0, 'must be a positive number').max(1e12, 'must be at most 1e12'),
})

/** What a price book is made or changed with. A change applies from its day on; dates before it keep their price. */
export const PriceBookDraft = Price.extend({
  description: z.string().trim().min(1, 'must not be blank').max(25, 'must be between 1 and 25 characters'),
})
export type PriceBookDraft = z.infer<typeof PriceBookDraft>

/** A price as it applied from a day (yyyy-MM-dd) on. */
const PriceSince = Price.extend({ since: z.iso.date() })

/** A price book with the price that applies today, and all that applied, newest first. */
export const PriceBook = PriceBookDraft.extend({ id: z.int(), history: z.array(PriceSince) })
export type PriceBook = z.infer<typeof PriceBook>

/** What a volume costs at the date that is looked at: the price that applied then. */
export const StoragePrice = PriceBookDraft.extend({ id: z.int() })
export type StoragePrice = z.infer<typeof StoragePrice>

/** A price book that storages use cannot be deleted: 409 that names them. */
export const priceBooks = crud('/v1/storage-prices', {
  entity: PriceBook,
  draft: PriceBookDraft,
  one: 'price book',
  many: 'price books',
  needs: 'settings.edit',
})

/** The intervals by which a cost is shown, and how many of each a year has (specification 2 §9). */
export const costIntervals = { Daily: 365, Weekly: 52, Monthly: 12, Quarterly: 4, Yearly: 1 } as const
export type CostInterval = keyof typeof costIntervals

/** What this many bytes cost in an interval: size / 2^30 × price per GB and year / intervals in a year (specification 2 §9). */
export const costOf = (bytes: number, pricePerYear: number, interval: CostInterval = 'Monthly'): number =>
  ((bytes / 2 ** 30) * pricePerYear) / costIntervals[interval]
