import { daysBefore } from '#events/days.ts'

/** About a week before: the first of these that there is. */
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
