/** Page sizes of most lists. */
export const pageSizes = [10, 25, 50, 100, 500] as const
/** Page sizes of secondary lists. */
export const relatedSizes = [5, 10, 15, 20, 25] as const
