import { type CostInterval, costOfClasses } from '#events/price-books.ts'
import type { FileTotals, ProjectShare } from '#events/projects/calls.ts'
import { moneyText } from '#events/money.ts'

/** Amounts by currency, largest first. */
export type Amounts = Map<string, number>

/** Cost of files per interval, by storage class. Storages without a price book add nothing. */
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

export const amountsText = (amounts: Amounts): string =>
  [...amounts].map(([symbol, amount]) => moneyText(amount, symbol)).join(' + ')
