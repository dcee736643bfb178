import type { StoragePrice } from '#events/price-books.ts'
import { priceText } from '#client/ui/text/money.ts'

/** Explains why a cost reads `about`. */
export const estimateRule = 'Storage classes have different prices, so this is an estimate from the average.'

/** `$2.00`, or `about $2.00` for an estimate. */
export const estimateText = (cost: string, isEstimate: boolean): string => (isEstimate ? `about ${cost}` : cost)

/** `$0.30 per GiB per year`. Storages whose classes have different prices show the average with four digits. */
export function storagePriceText({ price, currencySymbol, classes }: Omit<StoragePrice, 'id' | 'description'>): string {
  if (classes.length === 0) return priceText(price, currencySymbol)
  return `${priceText(Number(price.toPrecision(4)), currencySymbol)}, averaged across storage classes`
}
