/** Page sizes of most lists. */
export const pageSizes = [10, 25, 50, 100, 500] as const
/** Page sizes of secondary lists. */
export const relatedSizes = [5, 10, 15, 20, 25] as const

/** Query for all rows of a short list, by name. Users set up fewer by hand than one page has. */
export const allByName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const
