import { proxy } from 'valtio'
import { type CostInterval, costIntervals } from '#events/price-books.ts'

const key = 'costInterval'

export const intervals = Object.keys(costIntervals) as CostInterval[]

const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)

/** Per what this browser shows costs. */
export const costSetting = proxy<{ interval: CostInterval }>({
  interval: intervals.find((interval) => interval === kept) ?? 'Monthly',
})

export function chooseInterval(interval: CostInterval): void {
  costSetting.interval = interval
  localStorage.setItem(key, interval)
}
