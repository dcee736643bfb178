import { z } from 'zod'

/** Days are `yyyy-MM-dd`, without a time or time zone. The databases don't support year 0. */
export const Day = z.iso
  .date('must be a date of the form yyyy-MM-dd')
  .refine((day) => day >= '0001', 'must not be before 0001-01-01')

/** A moment of a query. The databases don't support year 0. */
export const Moment = z.iso
  .datetime('must be a moment of the form yyyy-MM-ddTHH:mm:ss.SSSZ')
  .refine((moment) => moment >= '0001', 'must not be before 0001-01-01')

export const isDay = (text: string | null): text is string => Day.safeParse(text).success

/** Returns the day `days` days before another one, or after it if negative. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}

/** Returns the day `months` calendar months before another one. The 31st becomes the last day of a shorter month. */
export function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0))
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()))
  return lastOfMonth.toISOString().slice(0, 10)
}
