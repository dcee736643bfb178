import { amountText, withSymbol } from '#events/money.ts'
import type { CostInterval } from '#events/price-books.ts'

/** `per month` */
export const perInterval: Record<CostInterval, string> = {
  Daily: 'per day',
  Weekly: 'per week',
  Monthly: 'per month',
  Quarterly: 'per quarter',
  Yearly: 'per year',
}

/** `$0.0012`: a price as entered, with at least the decimals of its currency. */
export const exactMoneyText = (price: number, symbol: string): string =>
  withSymbol(amountText(price, symbol, 10), symbol)

/** `$0.30 per GiB per year` */
export const priceText = (price: number, symbol: string): string => `${exactMoneyText(price, symbol)} per GiB per year`
