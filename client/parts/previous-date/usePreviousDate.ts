import { useActiveDate } from '../../app/activeDate.ts'
import { useQuery } from '../../app/address.ts'
import { offeredDates } from './previousDates.ts'

/** The day that the active one is compared with, and what it may be compared with instead. */
export type PreviousDates = {
  /** Whether the snapshots are known yet. */
  areKnown: boolean
  date: string | undefined
  /** The one of the address. */
  asked: string | undefined
  /** Those before the active one, newest first: all of them, the usual ones, and the others. */
  earlier: string[]
  offered: { days: number; date: string }[]
  others: string[]
  choose: (date: string) => void
}

export function usePreviousDate(): PreviousDates {
  const { dates, active } = useActiveDate()
  const [query, change] = useQuery()
  const asked = query.get('previousDate') ?? undefined
  const shown = active?.indexingDate ?? ''
  const earlier = (dates.data ?? []).map(({ indexingDate }) => indexingDate).filter((day) => day < shown)
  const offered = offeredDates(earlier, shown)
  return {
    areKnown: dates.data !== undefined,
    date: earlier.find((day) => day === asked) ?? offered[0]?.date ?? earlier[0],
    asked,
    earlier,
    offered,
    others: earlier.filter((day) => !offered.some(({ date }) => date === day)),
    choose: (date) => change((query) => query.set('previousDate', date), { replace: true }),
  }
}
