import { countText } from '#events/contract/counted.ts'

export { counted, countText } from '#events/contract/counted.ts'

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

/**
 * Percentage with one decimal, rounded down so that 89.96 % never reads as 90, and the same share reads the same in a
 * chart and in a table. A share above zero never reads as none.
 */
export function percentText(share: number): string {
  const tenths = Math.floor(share * 1000 + 1e-9)
  return share > 0 && tenths === 0 ? '< 0.1 %' : `${(tenths / 10).toFixed(1)} %`
}
