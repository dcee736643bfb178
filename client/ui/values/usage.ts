export type UsageLevel = 'ok' | 'warn' | 'critical'

/** Severity of a storage's usage: 80 % is a warning, 90 % critical. Uses the unrounded share. */
export const usageLevel = (share: number): UsageLevel => (share >= 0.9 ? 'critical' : share >= 0.8 ? 'warn' : 'ok')

/**
 * Severity of a project's usage: 80 % of the allocated size needs attention, 100 % is critical. Uses the unrounded
 * share.
 */
export const projectLevel = (share: number): 'ok' | 'attention' | 'critical' =>
  share >= 1 ? 'critical' : share >= 0.8 ? 'attention' : 'ok'
