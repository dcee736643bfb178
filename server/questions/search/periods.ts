import type { DateInterval } from '#events/search/calls.ts'

/**
 * The first days of the last `count` periods up to a day, oldest first, and the first day after them. With `excluded`
 * the day itself is outside. Weeks begin on Monday. No period begins before the year 1: then the periods extend past
 * the day.
 */
export function lastPeriods(interval: DateInterval, count: number, day: string, excluded: boolean) {
  const holding = startOf(interval, excluded ? step('DAY', parse(day), -1) : parse(day))
  const last = step(interval, holding, 1 - count).year < 1 ? step(interval, firstDay, count - 1) : holding
  const starts = Array.from({ length: count }, (_, i) => format(step(interval, last, i - count + 1)))
  return { starts, end: format(step(interval, last, 1)) }
}

type Day = { year: number; month: number; day: number }

/** A Monday. */
const firstDay: Day = { year: 1, month: 1, day: 1 }

function startOf(interval: DateInterval, day: Day): Day {
  switch (interval) {
    case 'DAY':
      return day
    case 'WEEK':
      return step('DAY', day, -((new Date(atNoon(day)).getUTCDay() + 6) % 7))
    case 'MONTH':
      return { ...day, day: 1 }
    case 'YEAR':
      return { ...day, month: 1, day: 1 }
  }
}

function step(interval: DateInterval, { year, month, day }: Day, by: number): Day {
  switch (interval) {
    case 'DAY':
      return normal({ year, month, day: day + by })
    case 'WEEK':
      return normal({ year, month, day: day + 7 * by })
    case 'MONTH':
      return normal({ year, month: month + by, day })
    case 'YEAR':
      return normal({ year: year + by, month, day })
  }
}

/** Noon UTC of a calendar day: far from the start and end of days. */
function atNoon({ year, month, day }: Day): number {
  const moment = new Date(Date.UTC(2000, month - 1, day, 12))
  moment.setUTCFullYear(year, month - 1, day)
  return moment.getTime()
}

function normal(day: Day): Day {
  const moment = new Date(atNoon(day))
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, day: moment.getUTCDate() }
}

function parse(text: string): Day {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number)
  return { year, month, day }
}

const format = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
