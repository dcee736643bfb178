import { NativeSelect } from '@mantine/core'
import { useSnapshot } from 'valtio'
import type { CostInterval } from '#events/price-books.ts'
import { chooseInterval, costSetting, intervals } from './costInterval.state.ts'

/** Selects the interval of costs, which this browser keeps. */
export function CostIntervalChoice() {
  const { interval } = useSnapshot(costSetting)
  return (
    <NativeSelect
      aria-label="Cost interval"
      data={intervals}
      value={interval}
      onChange={({ currentTarget }) => chooseInterval(currentTarget.value as CostInterval)}
    />
  )
}
