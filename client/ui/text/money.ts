import type { CostInterval } from '#events/price-books.ts'

const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `$ 1,234.56`. Amounts above zero never read as zero: `< $ 0.01`. */
export function moneyText(amount: number, symbol: string): string {
  const isTiny = amount > 0 && amount < 0.005
  return `${isTiny ? '< ' : ''}${symbol} ${grouped.format(isTiny ? 0.01 : amount)}`
}

/** `per month` */
export const perInterval: Record<CostInterval, string> = {
  Daily: 'per day',
  Weekly: 'per week',
  Monthly: 'per month',
  Quarterly: 'per quarter',
  Yearly: 'per year',
}

const exact = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 10 })

/** `$ 0.0012`: a price as entered, with at least two decimals. */
export const exactMoneyText = (price: number, symbol: string): string => `${symbol} ${exact.format(price)}`

/** `$ 0.30 per GB and year` */
export const priceText = (price: number, symbol: string): string => `${exactMoneyText(price, symbol)} per GB and year`
