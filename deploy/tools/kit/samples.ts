/** Percentile by the nearest rank. NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5)

export const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Runs work, and returns its seconds with its result. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ seconds: number; result: T }> {
  const started = performance.now()
  const result = await work()
  return { seconds: (performance.now() - started) / 1000, result }
}

/** Median of three measurements in seconds, after a warm-up. */
export async function medianOfThree(measure: () => number | Promise<number>): Promise<number> {
  await measure()
  return median([await measure(), await measure(), await measure()])
}
