import { type CostInterval, costOfClasses } from '#events/price-books.ts'
import type { FileTotals, ProjectShare } from '#events/projects/calls.ts'
import { moneyText } from '#client/ui/text/money.ts'

/** An amount for each currency, largest first. */
export type Amounts = Map<string, number>

/** What some files of each storage cost in an interval, each storage class at its price; a storage without a price book costs nothing that is known. */
export function costsOf(
  shares: readonly ProjectShare[],
  found: (share: ProjectShare) => FileTotals = (share) => share,
  interval: CostInterval = 'Monthly',
): Amounts {
  const amounts: Amounts = new Map()
  for (const share of shares) {
    if (!share.storagePrice) continue
    const { currencySymbol } = share.storagePrice
    const cost = costOfClasses(found(share), share.storagePrice, interval)
    amounts.set(currencySymbol, (amounts.get(currencySymbol) ?? 0) + cost)
  }
  return new Map([...amounts].toSorted(([, a], [, b]) => b - a))
}

/** `$ 18.04 + € 2.00` */
export const amountsText = (amounts: Amounts): string =>
  [...amounts].map(([symbol, amount]) => moneyText(amount, symbol)).join(' + ')
