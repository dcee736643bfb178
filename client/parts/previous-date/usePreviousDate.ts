import { daysBefore } from '#events/contract/days.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useQuery } from '#client/app/address.ts'

/** The day that the active one is compared with, and what it may be compared with instead. */
export type PreviousDateChoice = {
  /** Whether the snapshots are known yet. */
  areKnown: boolean
  date: string | undefined
  /** The one of the address. */
  requested: string | undefined
  /** Those before the active one, newest first: all of them, the usual ones, and the others. */
  earlier: string[]
  offered: { days: number; date: string }[]
  others: string[]
  choose: (date: string) => void
}

/** The dates of the snapshots before the active one, newest first. */
export function useEarlierDates(): string[] {
  const { dates, active } = useActiveDate()
  const shown = active?.indexingDate ?? ''
  return (dates.data ?? []).map(({ indexingDate }) => indexingDate).filter((day) => day < shown)
}

/** The previous date: the one of the address, else one about a week before the active date. */
export function usePreviousDate(): PreviousDateChoice {
  const { dates, active } = useActiveDate()
  const [query, change] = useQuery()
  const requested = query.get('previousDate') ?? undefined
  const earlier = useEarlierDates()
  const offered = active ? offeredDates(earlier, active.indexingDate) : []
  return {
    areKnown: dates.data !== undefined,
    date: earlier.find((day) => day === requested) ?? offered[0]?.date ?? earlier[0],
    requested,
    earlier,
    offered,
    others: earlier.filter((day) => !offered.some(({ date }) => date === day)),
    choose: (date) => change((query) => query.set('previousDate', date), { replace: true }),
  }
}

/** Days before, of which the first that there is a snapshot of is offered. */
const aboutAWeek = [7, 8, 6]
const longer = [14, 21, 30]

type OfferedDate = { days: number; date: string }

/** The snapshots that a date is usually compared with, of those that there are before it. */
export function offeredDates(earlier: readonly string[], active: string): OfferedDate[] {
  const among = (days: number): OfferedDate[] => {
    const date = daysBefore(active, days)
    return earlier.includes(date) ? [{ days, date }] : []
  }
  return [...aboutAWeek.flatMap(among).slice(0, 1), ...longer.flatMap(among)]
}
