import { type CostInterval, costOf, type StoragePrice } from '#events/price-books.ts'
import { moneyText, perInterval, priceText } from '../../ui/text/money.ts'
import { NoPriceBook } from './NoPriceBook.tsx'
import classes from './Cost.module.css'

type CostProps = {
  /** -1 is unknown. */
  bytes: number
  price: StoragePrice | null
  interval?: CostInterval
  /** The title of its column names the period already. */
  inColumn?: boolean
}

/** What bytes cost in an interval; what has no price book costs nothing that is known. */
export function Cost({ bytes, price, interval = 'Monthly', inColumn = false }: CostProps) {
  if (!price) return <NoPriceBook />
  if (bytes < 0) return <span title="Unknown size">-</span>
  const cost = moneyText(costOf(bytes, price.price, interval), price.currencySymbol)
  const why = `${cost} ${perInterval[interval]}, by ${price.description}: ${priceText(price.price, price.currencySymbol)}`
  return (
    <span className={classes.cost} title={why}>
      {cost}
      {!inColumn && <span className={classes.period}> {perInterval[interval]}</span>}
    </span>
  )
}
