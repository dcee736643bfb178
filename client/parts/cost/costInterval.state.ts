import { proxy } from 'valtio'
import { type CostInterval, costIntervals } from '#events/price-books.ts'
import { oneOf, remembered } from '#client/ui/remembered.ts'

export const intervals = Object.keys(costIntervals) as CostInterval[]

const kept = remembered<CostInterval>('costInterval', oneOf(intervals), 'Monthly')

/** Interval of costs, kept in this browser. */
export const costSetting = proxy({ interval: kept.read() })

export function chooseInterval(interval: CostInterval): void {
  costSetting.interval = interval
  kept.write(interval)
}
