import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { crud } from './contract/endpoint.ts'

/** Price per GiB and year, in the currency of the symbol. */
const Price = z.object({
  currencySymbol: z.string().trim().min(1, 'must not be blank').max(255, 'must be between 1 and 255 characters'),
  price: z.number('must be a positive number').min(0, 'must be a positive number').max(1e12, 'must be at most 1e12'),
})

/** Price of one storage class. Classes are compared ignoring case. */
const ClassPrice = z.object({
  storageClass: z.string().trim().min(1, 'must not be blank').max(64, 'must be between 1 and 64 characters'),
  price: Price.shape.price,
})
export type ClassPrice = z.infer<typeof ClassPrice>

/** More classes than any provider has. */
const maxClasses = 30

const ClassPrices = z
  .array(ClassPrice)
  .max(maxClasses, `must be at most ${maxClasses}`)
  .superRefine((prices, { addIssue }) => {
    const names = prices.map(({ storageClass }) => storageClass.toLowerCase())
    for (const [place, name] of names.entries())
      if (names.indexOf(name) < place)
        addIssue({ code: 'custom', path: [place, 'storageClass'], message: 'must be unique' })
  })

/** The price for all bytes except those of storage classes with a price of their own. */
const Prices = Price.extend({ classPrices: ClassPrices.default([]) })

const description = nameText({ long: 'must be between 1 and 255 characters' })
const invalidDay = 'must be a day, yyyy-MM-dd'

/** First day of prices; without it, today. */
export const PriceDay = z.iso
  .date(invalidDay)
  .refine((day) => day >= '1970-01-01', invalidDay)
  .nullish()

/**
 * Fields to create or change a price book. The prices apply from `since` (yyyy-MM-dd, by default today) until the next ones of the
 * history; earlier days keep theirs. It may be a later day, or an earlier one whose month isn't closed for any project.
 */
export const PriceBookDraft = Prices.extend({
  description,
  since: PriceDay,
})
export type PriceBookDraft = z.infer<typeof PriceBookDraft>

/** Prices that apply from a day (yyyy-MM-dd) on, and who entered them; null if that isn't known. */
const PriceSince = Prices.extend({
  since: z.iso.date(),
  changedBy: z.string().nullable(),
  changedAt: z.iso.datetime().nullable(),
})

/** A price book with the current price and its price history, newest first, with prices of later days. */
export const PriceBook = Prices.extend({ description, id: z.int(), history: z.array(PriceSince) })
export type PriceBook = z.infer<typeof PriceBook>

/**
 * Cost of a volume on the selected date, by the price book that applied then. If its classes have different prices,
 * `price` is the average over its bytes, and `classes` lists the classes in bytes, largest first. If all bytes cost the
 * same, `classes` is empty.
 */
export const StoragePrice = Price.extend({
  id: z.int(),
  description,
  classes: z.array(ClassPrice.extend({ storageClass: z.string(), sizeOfFiles: z.number() })),
})
export type StoragePrice = z.infer<typeof StoragePrice>

/** A price book that storages use can't be deleted: 409 with their names. */
export const priceBooks = crud('/v1/storage-prices', {
  entity: PriceBook,
  draft: PriceBookDraft,
  one: 'price book',
  many: 'price books',
  needs: 'settings.edit',
})

/** Intervals of a cost, and the number of each in a year (specification 2 §9). */
export const costIntervals = { Daily: 365, Weekly: 52, Monthly: 12, Quarterly: 4, Yearly: 1 } as const
export type CostInterval = keyof typeof costIntervals

/**
 * Cost of this many bytes in an interval: size / 2^30 × price per GiB and year / intervals in a year (specification 2
 * §9).
 */
export const costOf = (bytes: number, pricePerYear: number, interval: CostInterval = 'Monthly'): number =>
  ((bytes / 2 ** 30) * pricePerYear) / costIntervals[interval]

/**
 * Price of some of a volume's bytes: the price of their class if it has one. Otherwise the average of the volume, which
 * makes the result an estimate.
 */
export function priceOfSome(
  { price, classes }: Pick<StoragePrice, 'price' | 'classes'>,
  storageClass?: string,
): { price: number; isEstimate: boolean } {
  const own = classes.find((each) => each.storageClass === storageClass)
  return own ? { price: own.price, isEstimate: false } : { price, isEstimate: classes.length > 0 }
}

/**
 * Cost of some of a volume's bytes in an interval, each storage class at its price. Bytes without a class cost as much
 * as such bytes of the volume, or its average if it has none.
 */
export function costOfClasses(
  { sizeOfFiles, classes = {} }: { sizeOfFiles: number; classes?: Record<string, number> | undefined },
  prices: Pick<StoragePrice, 'price' | 'classes'>,
  interval: CostInterval = 'Monthly',
): number {
  const own = Object.entries(classes).map(([name, bytes]) => costOf(bytes, priceOfSome(prices, name).price, interval))
  const rest = sizeOfFiles - Object.values(classes).reduce((sum, bytes) => sum + bytes, 0)
  return own.reduce((sum, cost) => sum + cost, costOf(rest, priceOfSome(prices, '').price, interval))
}
