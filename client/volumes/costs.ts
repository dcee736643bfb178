import { type CostInterval, costOf } from '#events/price-books.ts'
import type { DetailedVolume } from '#events/storages.ts'
import { estimateText } from '#client/parts/cost/costWords.ts'
import { storageClassText } from '#client/parts/statistics/statistics.ts'
import { costTexts, moneyText } from '#events/money.ts'

/**
 * Costs of a storage per interval, by item, starting with its files; empty without a price. Files are priced by storage
 * class, so the cost of capacity is an estimate if classes have different prices.
 */
export function costsOf(
  { storagePrice, sizeOfFiles, billedSize = sizeOfFiles, used, total }: DetailedVolume,
  interval: CostInterval,
): { name: string; text: string }[] {
  if (storagePrice === null) return []
  const { price, currencySymbol, classes } = storagePrice
  const amount = (bytes: number, perYear = price) => ({ cost: costOf(bytes, perYear, interval), currencySymbol })
  const text = (bytes: number) => moneyText(amount(bytes).cost, currencySymbol)
  const ofClasses = costTexts(classes.map((each) => amount(each.sizeOfFiles, each.price)))
  const capacity = [
    ['Used capacity', used],
    ['Whole capacity', total],
  ] as const
  return [
    { name: 'Files', text: text(billedSize) },
    ...classes.map((each, place) => ({ name: storageClassText(each.storageClass), text: ofClasses[place] ?? '' })),
    ...capacity.flatMap(([name, size]) =>
      size === null ? [] : [{ name, text: estimateText(text(size), classes.length > 0) }],
    ),
  ]
}
