type PercentLevel = 'ok' | 'warn' | 'attention' | 'critical'

/** How a share of 1 is judged on this screen, by its raw value: above 30 %, 50 % and 70 %. */
export const percentLevel = (share: number): PercentLevel =>
  share > 0.7 ? 'critical' : share > 0.5 ? 'attention' : share > 0.3 ? 'warn' : 'ok'
