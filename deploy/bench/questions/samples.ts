/** How long something took each time, in milliseconds. */
export type Samples = number[]

/** The value that the share of all samples does not exceed: the nearest rank. NaN of none. */
export function percentile(samples: Samples, share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN
}

export const median = (samples: Samples): number => percentile(samples, 0.5)

export const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0)
