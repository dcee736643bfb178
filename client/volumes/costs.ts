import { type CostInterval, costOf } from '#events/price-books.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { moneyText } from '../ui/text/money.ts'

/** What a storage costs in an interval, by what is paid for; nothing without a price. */
export function costsOf(
  { storagePrice, sizeOfFiles, used, total }: DetailedVolume,
  interval: CostInterval,
): { name: string; text: string }[] {
  if (storagePrice === null) return []
  const { price, currencySymbol } = storagePrice
  const bytes = [
    ['Files', sizeOfFiles],
    ['Used capacity', used],
    ['Whole capacity', total],
  ] as const
  return bytes.flatMap(([name, size]) =>
    size === null ? [] : [{ name, text: moneyText(costOf(size, price, interval), currencySymbol) }],
  )
}
