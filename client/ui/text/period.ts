import type { DateInterval } from '#events/search/calls.ts'

const months = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A period by its first day: `2026`, `November 2026`, `Week of 2026-11-16`, `2026-11-21`. */
export function periodText(unit: DateInterval, day: string): string {
  if (unit === 'YEAR') return day.slice(0, 4)
  if (unit === 'MONTH') return months.format(new Date(`${day}T00:00:00Z`))
  return unit === 'WEEK' ? `Week of ${day}` : day
}

/** Label below a bar: `2026`, `2026-11`, `11-16`. */
export function shortPeriodText(unit: DateInterval, day: string): string {
  if (unit === 'YEAR') return day.slice(0, 4)
  return unit === 'MONTH' ? day.slice(0, 7) : day.slice(5)
}
