export type UsageLevel = 'ok' | 'warn' | 'critical'

/** How full a storage is, judged by the raw share: 80 % warns, 90 % is critical. */
export const usageLevel = (share: number): UsageLevel => (share >= 0.9 ? 'critical' : share >= 0.8 ? 'warn' : 'ok')
