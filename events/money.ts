const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `$ 1,234.56`. Amounts above zero never read as zero: `< $ 0.01`. */
export function moneyText(amount: number, symbol: string): string {
  const isTiny = amount > 0 && amount < 0.005
  return `${isTiny ? '< ' : ''}${symbol} ${grouped.format(isTiny ? 0.01 : amount)}`
}

/** An amount in a currency; null without a price. */
type Cost = { currencySymbol: string | null; cost: number | null }

/**
 * Texts of the amounts of a table. Those of a currency add up to its total: each is rounded down to cents, and the
 * cents that are missing go to the largest remainders.
 */
export function costTexts(costs: readonly Cost[]): string[] {
  const cents = new Map<Cost, number>()
  for (const ofCurrency of Map.groupBy(costs, ({ currencySymbol }) => currencySymbol).values()) {
    const exact = ofCurrency.map((each) => ({ each, cents: (each.cost ?? 0) * 100 }))
    const rest = ({ cents }: { cents: number }) => cents - Math.floor(cents + 1e-9)
    const down = exact.reduce((sum, { cents }) => sum + Math.floor(cents + 1e-9), 0)
    const missing = Math.round(exact.reduce((sum, { cents }) => sum + cents, 0)) - down
    for (const [place, one] of exact.toSorted((a, b) => rest(b) - rest(a)).entries())
      cents.set(one.each, Math.floor(one.cents + 1e-9) + (place < missing ? 1 : 0))
  }
  return costs.map((each) => {
    if (each.currencySymbol === null || each.cost === null) return '-'
    const rounded = (cents.get(each) ?? 0) / 100
    return moneyText(rounded === 0 ? Math.min(each.cost, 0.004) : rounded, each.currencySymbol)
  })
}
