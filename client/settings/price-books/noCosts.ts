/** Name of the choice of no price book. */
export const noCosts = 'No costs'

/** Property of a storage's draft for the value of a `PriceBookPicker`. Without a price book, no costs are shown. */
export const storagePriceOf = (value: string) => (value === '' ? null : { id: Number(value) })
