import type { CostInterval } from '#events/price-books.ts'

/** Per what the cost of a search is shown. */
export const costPeriods = ['Monthly', 'Quarterly', 'Yearly'] as const satisfies CostInterval[]
export type CostPeriod = (typeof costPeriods)[number]
