import { type CostInterval, costOf } from '#events/price-books.ts'
import type { ProjectShare } from '#events/projects/calls.ts'
import { moneyText } from '#client/ui/text/money.ts'

/** An amount for each currency, largest first. */
export type Amounts = Map<string, number>

/** What bytes of each storage cost in an interval; a storage without a price book costs nothing that is known. */
export function costsOf(
  shares: readonly ProjectShare[],
  bytesOf: (share: ProjectShare) => number,
  interval: CostInterval = 'Monthly',
): Amounts {
  const amounts: Amounts = new Map()
  for (const share of shares) {
    if (!share.storagePrice) continue
    const { price, currencySymbol } = share.storagePrice
    amounts.set(currencySymbol, (amounts.get(currencySymbol) ?? 0) + costOf(bytesOf(share), price, interval))
  }
  return new Map([...amounts].toSorted(([, a], [, b]) => b - a))
}

/** `$ 18.04 + € 2.00` */
export const amountsText = (amounts: Amounts): string =>
  [...amounts].map(([symbol, amount]) => moneyText(amount, symbol)).join(' + ')
