/** What stands in place of the price book, or the cost, of what has none. */
export const NoPriceBook = () => <span title="No price book">-</span>
