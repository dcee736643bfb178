import type { StorageSize } from '#events/dashboard.ts'

type Disk = Pick<StorageSize, 'forecast'>

/** Forecasts further ahead don't get room on a wall, in days. */
const maxDays = 365

/** True for a disk that is expected to be full within a year. */
export const fillsThisYear = ({ forecast }: Disk): boolean => forecast !== undefined && forecast.days < maxDays

/** The disk that is expected to be full first, within a year; undefined without one. */
export const fullFirst = <T extends Disk>(disks: readonly T[]): T | undefined =>
  disks.filter(fillsThisYear).toSorted((a, b) => daysOf(a) - daysOf(b))[0]

const daysOf = ({ forecast }: Disk): number => forecast?.days ?? Infinity
