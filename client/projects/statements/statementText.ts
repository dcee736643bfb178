import type { StatementTotals } from '#events/projects/statements.ts'
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
