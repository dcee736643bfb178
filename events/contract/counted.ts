const grouped = new Intl.NumberFormat('en')

/** `3 paths`, `1 path`, `1,284,003 paths` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(Math.round(count))} ${count === 1 ? one : many}`
