const grouped = new Intl.NumberFormat('en')

/** `1,284,003` */
export const countText = (count: number): string => grouped.format(Math.round(count))

/** `3 paths`, `1 path`, `1,284,003 paths` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`
