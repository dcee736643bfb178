import { daysBefore } from '#events/contract/days.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useQuery } from '#client/app/address.ts'

/** Date to compare with, and the alternatives. */
export type PreviousDateChoice = {
  /** False while the snapshots load. */
  areKnown: boolean
  date: string | undefined
  /** Date in the URL. */
  requested: string | undefined
  /** Dates before the active one, newest first: all, the suggested ones, and the rest. */
  earlier: string[]
  offered: { days: number; date: string }[]
  others: string[]
  choose: (date: string) => void
}

/** Dates of snapshots before the active one, newest first. */
export function useEarlierDates(): string[] {
  const { dates, active } = useActiveDate()
  const shown = active?.indexingDate ?? ''
  return (dates.data ?? []).map(({ indexingDate }) => indexingDate).filter((day) => day < shown)
}

/** Date to compare with: from the URL, else about a week before the active date. */
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

/** Snapshot closest to 30 days before the active date. */
export function useMonthBefore(): string | undefined {
  const { active } = useActiveDate()
  const earlier = useEarlierDates()
  if (!active) return undefined
  const month = Date.parse(daysBefore(active.indexingDate, 30))
  const distance = (day: string) => Math.abs(Date.parse(day) - month)
  return earlier.toSorted((one, other) => distance(one) - distance(other))[0]
}

/** Days before the active date; suggests the first that has a snapshot. */
const aboutAWeek = [7, 8, 6]
const longer = [14, 21, 30]

type OfferedDate = { days: number; date: string }

/** Suggested dates, of those with a snapshot. */
export function offeredDates(earlier: readonly string[], active: string): OfferedDate[] {
  const among = (days: number): OfferedDate[] => {
    const date = daysBefore(active, days)
    return earlier.includes(date) ? [{ days, date }] : []
  }
  return [...aboutAWeek.flatMap(among).slice(0, 1), ...longer.flatMap(among)]
}
