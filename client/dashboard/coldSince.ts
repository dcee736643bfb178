/** For how many months files are not accessed before a card of the dashboard counts them. */
export const coldMonths = [3, 6, 9] as const

/** The day so many calendar months before a day; the 31st becomes the last day of a shorter month. Both `yyyy-MM-dd`. */
export function coldSince(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0))
  lastOfMonth.setUTCDate(Math.min(date, lastOfMonth.getUTCDate()))
  return lastOfMonth.toISOString().slice(0, 10)
}
