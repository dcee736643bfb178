import { type CostInterval, costOf, priceOfSome, type StoragePrice } from '#events/price-books.ts'
import { moneyText } from '#events/money.ts'
import { perInterval, priceText } from '#client/ui/text/money.ts'
import { estimateRule, estimateText, storagePriceText } from './costWords.ts'

type CostProps = {
  /** -1 means unknown. */
  bytes: number
  price: StoragePrice | null
  /** Set if the bytes are part of a storage; with their storage class if they have only one. */
  part?: { storageClass?: string | undefined } | undefined
  interval?: CostInterval
  /** The column title already names the period. */
  inColumn?: boolean
}

/** Cost of bytes per interval; a dash without a price book. */
export function Cost({ bytes, price, part, interval = 'Monthly', inColumn = false }: CostProps) {
  if (!price) return <NoPriceBook />
  if (bytes < 0) return <span title="Unknown size">-</span>
  const some = part ? priceOfSome(price, part.storageClass) : { price: price.price, isEstimate: false }
  const cost = estimateText(moneyText(costOf(bytes, some.price, interval), price.currencySymbol), some.isEstimate)
  const perGb = some.price === price.price ? storagePriceText(price) : priceText(some.price, price.currencySymbol)
  const why = `${cost} ${perInterval[interval]}, by ${price.description}: ${perGb}.${some.isEstimate ? ` ${estimateRule}` : ''}`
  return (
    <span className="nowrap" title={why}>
      {cost}
      {!inColumn && <span className="muted"> {perInterval[interval]}</span>}
    </span>
  )
}

/** Placeholder for a price book or cost that doesn't exist. */
export const NoPriceBook = () => <span title="No price book">-</span>
