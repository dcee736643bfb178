export type UsageLevel = 'ok' | 'warn' | 'critical'

/** How full a storage is, judged by the raw share: 80 % warns, 90 % is critical. */
export const usageLevel = (share: number): UsageLevel => (share >= 0.9 ? 'critical' : share >= 0.8 ? 'warn' : 'ok')

/** How full a project is, judged likewise: 80 % of its allocated size wants attention, all of it is critical. */
export const projectLevel = (share: number): 'ok' | 'attention' | 'critical' =>
  share >= 1 ? 'critical' : share >= 0.8 ? 'attention' : 'ok'
