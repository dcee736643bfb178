/** ISO 4217 currencies that don't have two decimals, and their symbols. `¥` alone is the yen; the yuan is also written `CN¥` or `元`. */
const currenciesByDecimals = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF ¥ ￥ JP¥ 円 YEN ₩ ￦ 원 WON ₫ Đ ₲ FCFA CFA CFPF',
  3: 'BHD IQD JOD KWD LYD OMR TND د.ب د.ع د.أ د.ك ل.د ر.ع. د.ت',
  4: 'CLF UYW',
}
const decimalsOfCurrency = new Map(
  Object.entries(currenciesByDecimals).flatMap(([decimals, all]) =>
    all.split(' ').map((one) => [one, Number(decimals)]),
  ),
)

/** Decimals of amounts in a currency: two, unless its symbol or code says otherwise. Also for `JPY ¥` and `kwd`. */
export function decimalsOf(symbol: string): number {
  const words = symbol.toUpperCase().split(/[\s()/]+/)
  const word = words.find((one) => /^[A-Z]{3}$/.test(one)) ?? words.find((one) => decimalsOfCurrency.has(one))
  return decimalsOfCurrency.get(word ?? '') ?? 2
}

/** Smallest amount of a currency: a cent, a yen, a fils. */
const unitOf = (symbol: string): number => 10 ** -decimalsOf(symbol)

/** `1,234.56`, with the decimals of the currency, and more of them up to `max`. */
export function amountText(amount: number, symbol: string, max = 0): string {
  const minimumFractionDigits = decimalsOf(symbol)
  const maximumFractionDigits = Math.max(minimumFractionDigits, max)
  return new Intl.NumberFormat('en', { minimumFractionDigits, maximumFractionDigits }).format(amount)
}

/** `$12.00`; `CHF 12.00` with a space that doesn't break, because this symbol ends with a letter. */
export const withSymbol = (amount: string, symbol: string): string =>
  `${symbol}${/\p{L}$/u.test(symbol) ? '\u{A0}' : ''}${amount}`

/** `$1,234.56` or `¥1,235`. Amounts above zero never read as zero: `< $0.01`. The same on screens, in emails and in files. */
export function moneyText(amount: number, symbol: string): string {
  const unit = unitOf(symbol)
  const isTiny = amount > 0 && amount < unit / 2
  return `${isTiny ? '< ' : ''}${withSymbol(amountText(isTiny ? unit : amount, symbol), symbol)}`
}

/** A cost in a currency; without a price book, both are null. */
type Cost = { cost: number | null; currencySymbol: string | null }

/**
 * The costs of a table in whole cents (or the currency's unit), so that those of each currency add up to its rounded total: all are
 * rounded down, and the missing cents go to the largest remainders.
 */
export function roundedCosts(lines: readonly Cost[]): (number | null)[] {
  const rounded = new Map<number, number>()
  const known = lines.flatMap(({ cost, currencySymbol }, place) =>
    cost === null || currencySymbol === null
      ? []
      : [{ place, currencySymbol, cents: cost * 10 ** decimalsOf(currencySymbol) }],
  )
  for (const [symbol, group] of Map.groupBy(known, ({ currencySymbol }) => currencySymbol)) {
    const whole = Math.round(group.reduce((sum, { cents }) => sum + cents, 0))
    const missing = whole - group.reduce((sum, { cents }) => sum + floorOf(cents), 0)
    const byRest = group.toSorted((a, b) => b.cents - floorOf(b.cents) - (a.cents - floorOf(a.cents)))
    for (const [rank, { place, cents }] of byRest.entries())
      rounded.set(place, (floorOf(cents) + (rank < missing ? 1 : 0)) / 10 ** decimalsOf(symbol))
  }
  return lines.map((_, place) => rounded.get(place) ?? null)
}

/** 2.01 × 100 is 200.99999999999997. */
const floorOf = (cents: number): number => Math.floor(cents + 1e-6)

/** The costs of a table as texts; undefined without a price. */
export function costTexts(lines: readonly Cost[]): (string | undefined)[] {
  return roundedCosts(lines).map((rounded, at) => {
    const symbol = lines[at]?.currencySymbol ?? ''
    return rounded === null
      ? undefined
      : moneyText(rounded || Math.min(lines[at]?.cost ?? 0, unitOf(symbol) / 3), symbol)
  })
}
