import type { StoragePrice } from '#events/price-books.ts'
import { priceText } from '#client/ui/text/money.ts'

/** Why a cost is `about` something. */
export const estimateRule =
  'The storage classes of the storage have different prices, so it is worked out by their average over all files.'

/** `$ 2.00`, or `about $ 2.00` of what is worked out by an average. */
export const estimateText = (cost: string, isEstimate: boolean): string => (isEstimate ? `about ${cost}` : cost)

/** `$ 0.30 per GB and year`; of a storage whose classes have different prices their average, in four digits. */
export function storagePriceText({ price, currencySymbol, classes }: Omit<StoragePrice, 'id' | 'description'>): string {
  if (classes.length === 0) return priceText(price, currencySymbol)
  return `${priceText(Number(price.toPrecision(4)), currencySymbol)} on average over its storage classes`
}
