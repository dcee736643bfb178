const cent = 0.01
const grouped = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `$12.00`; `CHF 12.00` with a space that doesn't break, because this symbol ends with a letter. */
export const withSymbol = (amount: string, symbol: string): string =>
  `${symbol}${/\p{L}$/u.test(symbol) ? '\u{A0}' : ''}${amount}`

/** `$1,234.56`. Amounts above zero never read as zero: `< $0.01`. The same on screens, in emails and in files. */
export function moneyText(amount: number, symbol: string): string {
  const isTiny = amount > 0 && amount < cent / 2
  return `${isTiny ? '< ' : ''}${withSymbol(grouped.format(isTiny ? cent : amount), symbol)}`
}

/** A cost in a currency; without a price book, both are null. */
type Cost = { cost: number | null; currencySymbol: string | null }

/**
 * The costs of a table in whole cents, so that those of each currency add up to its rounded total: all are rounded down, and the
 * missing cents go to the largest remainders.
 */
export function roundedCosts(lines: readonly Cost[]): (number | null)[] {
  const rounded = new Map<number, number>()
  const known = lines.flatMap(({ cost, currencySymbol }, place) =>
    cost === null || currencySymbol === null ? [] : [{ place, currencySymbol, cents: cost * 100 }],
  )
  for (const group of Map.groupBy(known, ({ currencySymbol }) => currencySymbol).values()) {
    const whole = Math.round(group.reduce((sum, { cents }) => sum + cents, 0))
    const missing = whole - group.reduce((sum, { cents }) => sum + floorOf(cents), 0)
    const byRest = group.toSorted((a, b) => b.cents - floorOf(b.cents) - (a.cents - floorOf(a.cents)))
    for (const [rank, { place, cents }] of byRest.entries())
      rounded.set(place, (floorOf(cents) + (rank < missing ? 1 : 0)) / 100)
  }
  return lines.map((_, place) => rounded.get(place) ?? null)
}

/** 2.01 × 100 is 200.99999999999997. */
const floorOf = (cents: number): number => Math.floor(cents + 1e-6)

/** The costs of a table as texts; undefined without a price. */
export function costTexts(lines: readonly Cost[]): (string | undefined)[] {
  return roundedCosts(lines).map((rounded, at) => {
    const { cost = 0, currencySymbol = '' } = lines[at] ?? {}
    return rounded === null ? undefined : moneyText(rounded || Math.min(cost ?? 0, cent / 3), currencySymbol ?? '')
  })
}
