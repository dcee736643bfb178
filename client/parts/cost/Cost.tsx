import { type CostInterval, costOf, priceOfSome, type StoragePrice } from '#events/price-books.ts'
import { moneyText, perInterval, priceText } from '#client/ui/text/money.ts'
import { estimateRule, estimateText, storagePriceText } from './costWords.ts'
import classes from './Cost.module.css'

type CostProps = {
  /** -1 is unknown. */
  bytes: number
  price: StoragePrice | null
  /** Of bytes that are not all of the storage: their class, where they have one alone. */
  part?: { storageClass?: string | undefined } | undefined
  interval?: CostInterval
  /** The title of its column names the period already. */
  inColumn?: boolean
}

/** What bytes cost in an interval; what has no price book costs nothing that is known. */
export function Cost({ bytes, price, part, interval = 'Monthly', inColumn = false }: CostProps) {
  if (!price) return <NoPriceBook />
  if (bytes < 0) return <span title="Unknown size">-</span>
  const some = part ? priceOfSome(price, part.storageClass) : { price: price.price, isEstimate: false }
  const cost = estimateText(moneyText(costOf(bytes, some.price, interval), price.currencySymbol), some.isEstimate)
  const perGb = some.price === price.price ? storagePriceText(price) : priceText(some.price, price.currencySymbol)
  const why = `${cost} ${perInterval[interval]}, by ${price.description}: ${perGb}.${some.isEstimate ? ` ${estimateRule}` : ''}`
  return (
    <span className={classes.cost} title={why}>
      {cost}
      {!inColumn && <span className={classes.period}> {perInterval[interval]}</span>}
    </span>
  )
}

/** What stands in place of the price book, or the cost, of what has none. */
export const NoPriceBook = () => <span title="No price book">-</span>
