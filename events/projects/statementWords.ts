import type { StatementTotals } from './statements.ts'

const monthAndYear = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthOnly = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const dayOf = (day: string) => new Date(`${day}T00:00:00Z`)

/** `October 2026` */
export const monthText = (month: string): string => monthAndYear.format(dayOf(`${month}-01`))

/** `November 1–26`: the days that a statement charges. */
export function statementDays({ month, lastDay }: Pick<StatementTotals, 'month' | 'lastDay'>): string {
  const last = Number(lastDay.slice(-2))
  return `${monthOnly.format(dayOf(`${month}-01`))} 1${last > 1 ? `–${last}` : ''}`
}

/** `Charged: November 1–26. 11 days have no data for this project and count as zero.` */
export const chargedText = (statement: Pick<StatementTotals, 'month' | 'lastDay' | 'daysWithoutData'>): string =>
  [`Charged: ${statementDays(statement)}.`, missingDaysText(statement)].filter(Boolean).join(' ')

/** Sentence about a month that isn't completely counted. */
export const incompleteText = ({ closedAt }: Pick<StatementTotals, 'closedAt'>): string =>
  closedAt === null ? 'Days of this month are still being counted.' : 'Some days were not counted before the deletion.'

/** Sentence about days without data; undefined if all days have data, or if the month was closed before they were counted. */
export function missingDaysText({ daysWithoutData }: Pick<StatementTotals, 'daysWithoutData'>): string | undefined {
  if (!daysWithoutData) return undefined
  return daysWithoutData === 1
    ? '1 day has no data for this project and counts as zero.'
    : `${daysWithoutData} days have no data for this project and count as zero.`
}
