import { z } from 'zod'
import { usableBytes, type Capacity } from '#events/capacity.ts'

/**
 * Days from a snapshot until a disk is full if it keeps growing as before, and the range in which that is with 95 %
 * confidence.
 */
export const Forecast = z.object({ days: z.number(), earliest: z.number(), latest: z.number() })
export type Forecast = z.infer<typeof Forecast>

/** Used bytes measured by a scan on a day. */
export type Measurement = { day: string; used: number }

/** A forecast is made from the scans of this many days before a snapshot. */
export const forecastDays = 90

/** Fewer days with a scan are no trend. */
export const minMeasurements = 5

const dayMs = 86_400_000

/**
 * Forecast from the line of least squares through the measurements of a disk, at most one per day: the free bytes divided
 * by its slope. The range uses the confidence interval of the slope, b ± t(0.975, n − 2) · s(b), from the NIST/SEMATECH
 * e-Handbook of Statistical Methods, 4.1.4.1 and 5.5.9.9. Undefined if the capacity or a trend is unknown: with fewer than
 * `minMeasurements`, and if the interval includes zero, so that noise or a shrinking disk doesn't look like growth.
 */
export function forecastFull(
  measured: readonly Measurement[],
  disk: Pick<Capacity, 'total' | 'used' | 'free'>,
): Forecast | undefined {
  const usable = usableBytes(disk)
  if (usable === undefined || measured.length < minMeasurements) return undefined
  const free = Math.max(0, usable - (disk.used ?? 0))
  const { slope, error } = growthPerDay(measured)
  const margin = tQuantile(measured.length - 2) * error
  if (!(slope - margin > 0)) return undefined
  return { days: free / slope, earliest: free / (slope + margin), latest: free / (slope - margin) }
}

/** Slope of the line of least squares in bytes per day, and its standard error. */
function growthPerDay(measured: readonly Measurement[]): { slope: number; error: number } {
  const days = measured.map(({ day }) => Date.parse(day) / dayMs)
  const meanDay = mean(days)
  const meanUsed = mean(measured.map(({ used }) => used))
  const points = measured.map(({ used }, index) => ({ x: (days[index] ?? 0) - meanDay, y: used - meanUsed }))
  const spread = sum(points.map(({ x }) => x * x))
  const slope = sum(points.map(({ x, y }) => x * y)) / spread
  const residuals = sum(points.map(({ x, y }) => (y - slope * x) ** 2))
  return { slope, error: Math.sqrt(residuals / (points.length - 2) / spread) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length

/** 97.5 % quantiles of Student's t distribution for 3 to 30 degrees of freedom, from the same handbook, 1.3.6.7.2. */
const tQuantiles = [
  3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093,
  2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
]

/** Beyond 30 degrees of freedom, the value for 30 makes the range a little wider. */
const tQuantile = (freedom: number): number => tQuantiles[Math.min(freedom, 30) - 3] ?? Infinity
