/** Durations in milliseconds. */
export type Samples = number[]

/** Percentile by the nearest rank. NaN without samples. */
export function percentile(samples: Samples, share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN
}

export const median = (samples: Samples): number => percentile(samples, 0.5)

export const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0)
