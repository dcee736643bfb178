import { z } from 'zod'
import { crud } from './contract/endpoint.ts'

/** A price per GB (2^30 bytes) and year, in the currency of the symbol. */
const Price = z.object({
  currencySymbol: z.string().trim().min(1, 'must not be blank').max(20, 'must be between 1 and 20 characters'),
  price: z.number('must be a positive number').min(0, 'must be a positive number').max(1e12, 'must be at most 1e12'),
})

/** What a GB of one storage class costs; classes are told apart whatever their case. */
const ClassPrice = z.object({
  storageClass: z.string().trim().min(1, 'must not be blank').max(64, 'must be between 1 and 64 characters'),
  price: Price.shape.price,
})
export type ClassPrice = z.infer<typeof ClassPrice>

/** More classes than any provider has. */
const mostClasses = 30

const ClassPrices = z
  .array(ClassPrice)
  .max(mostClasses, `must be at most ${mostClasses}`)
  .superRefine((prices, { addIssue }) => {
    const names = prices.map(({ storageClass }) => storageClass.toLowerCase())
    for (const [place, name] of names.entries())
      if (names.indexOf(name) < place)
        addIssue({ code: 'custom', path: [place, 'storageClass'], message: 'must be unique' })
  })

/** A price, which holds for all bytes but those of the storage classes that have one of their own. */
const Prices = Price.extend({ classPrices: ClassPrices.default([]) })

/** What a price book is made or changed with. A change applies from its day on; dates before it keep their prices. */
export const PriceBookDraft = Prices.extend({
  description: z.string().trim().min(1, 'must not be blank').max(25, 'must be between 1 and 25 characters'),
})
export type PriceBookDraft = z.infer<typeof PriceBookDraft>

/** Prices as they applied from a day (yyyy-MM-dd) on. */
const PriceSince = Prices.extend({ since: z.iso.date() })

/** A price book with the price that applies today, and all that applied, newest first. */
export const PriceBook = PriceBookDraft.extend({ id: z.int(), history: z.array(PriceSince) })
export type PriceBook = z.infer<typeof PriceBook>

/**
 * What a volume costs at the date that is looked at, by the price book that applied then. Where its classes have different prices,
 * `price` is the average of its bytes, which holds for all of them together, and `classes` are its classes, the largest first, in
 * bytes; where all of its bytes cost the same there are none.
 */
export const StoragePrice = Price.extend({
  id: z.int(),
  description: PriceBookDraft.shape.description,
  classes: z.array(ClassPrice.extend({ storageClass: z.string(), sizeOfFiles: z.number() })),
})
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

/**
 * The price of some of the bytes of a volume: that of their class, where they have one alone. Else it is the average of the volume,
 * and what is worked out by it is an estimate.
 */
export function priceOfSome(
  { price, classes }: Pick<StoragePrice, 'price' | 'classes'>,
  storageClass?: string,
): { price: number; isEstimate: boolean } {
  const own = classes.find((each) => each.storageClass === storageClass)
  return own ? { price: own.price, isEstimate: false } : { price, isEstimate: classes.length > 0 }
}

/**
 * What some of the bytes of a volume cost in an interval, each of a storage class at its price. Bytes of none cost what such bytes of
 * the volume do, and where it has no such ones its average.
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
