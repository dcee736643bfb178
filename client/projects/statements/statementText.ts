import type { StatementTotals } from '#events/projects/statements.ts'
import { statementDays } from '#events/projects/statementWords.ts'
import { moneyText } from '#events/money.ts'

/** `$18.04 + €2.00`; a dash without prices. */
export const costsText = (costs: StatementTotals['costs']): string =>
  costs.map(({ cost, currencySymbol }) => moneyText(cost, currencySymbol)).join(' + ') || '-'

/** State of a month: running or closed, and complete or not. */
export function monthState({ closedAt, isComplete }: StatementTotals, isNewest: boolean): string {
  if (closedAt !== null) return 'Closed'
  if (isNewest) return isComplete ? 'So far' : 'So far, still counting'
  return isComplete ? 'Being closed' : 'Still counting'
}

/** `July 1–31, 26 without data`: the average counts those days as zero. */
export const daysText = (totals: Pick<StatementTotals, 'month' | 'lastDay' | 'daysWithoutData'>): string =>
  `${statementDays(totals)}${totals.daysWithoutData ? `, ${totals.daysWithoutData} without data` : ''}`
