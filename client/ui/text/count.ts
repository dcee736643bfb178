const grouped = new Intl.NumberFormat('en')

/** `1,284,003` */
export const countText = (count: number): string => grouped.format(Math.round(count))

const steps = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
] as const

/** `418.2 M`, for cards. Numbers below ten million are shown in full. */
export function compactCount(count: number): { value: string; unit: string } {
  const [step, unit] = steps.find(([least]) => count >= least) ?? [1, '']
  if (count < 1e7) return { value: countText(count), unit: '' }
  return { value: (Math.floor((count / step) * 10) / 10).toFixed(1), unit }
}

/** `3 paths`, `1 path` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`

/** Shares as percentages with one decimal, rounded so that they add up to 100.0. */
export function percentTexts(parts: readonly number[]): string[] {
  const whole = parts.reduce((sum, part) => sum + part, 0)
  if (whole <= 0) return parts.map(() => percentText(0))
  const exact = parts.map((part) => (part / whole) * 1_000)
  const tenths = exact.map((share) => Math.floor(share + 1e-9))
  const missing = 1_000 - tenths.reduce((sum, share) => sum + share, 0)
  const byRest = exact.map((share, place) => ({ place, rest: share - Math.floor(share + 1e-9) }))
  const roundedUp = new Set(
    byRest
      .toSorted((a, b) => b.rest - a.rest)
      .slice(0, missing)
      .map(({ place }) => place),
  )
  return tenths.map((share, place) => `${((share + (roundedUp.has(place) ? 1 : 0)) / 10).toFixed(1)} %`)
}

/** Percentage with one decimal, rounded down so that 89.96 % never reads as 90. */
export const percentText = (share: number): string => `${(Math.floor(share * 1000 + 1e-9) / 10).toFixed(1)} %`
