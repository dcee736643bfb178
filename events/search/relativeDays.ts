import { z } from 'zod'
import { Day, daysBefore, isDay, monthsBefore } from '#events/contract/days.ts'

/**
 * Days before the snapshot that is searched: `now-6M` is six months before it. The form is that of date math in Elasticsearch
 * and Grafana, with days, weeks, months and years. Searches keep it; only the server turns it into a day.
 */
const relative = /^now-(\d{1,4})([dwMy])$/

const units = { d: 'day', w: 'week', M: 'month', y: 'year' } as const
export type RelativeUnit = keyof typeof units

/** A day of a search: fixed, or relative to the snapshot. */
export const SearchDay = z.union([z.string().regex(relative), Day], {
  error: 'must be a date of the form yyyy-MM-dd, or relative to the snapshot, such as now-6M',
})

export const isRelativeDay = (text: string): boolean => relative.test(text)
export const isSearchDay = (text: string): boolean => isRelativeDay(text) || isDay(text)

export const relativeDay = (count: number, unit: RelativeUnit): string => `now-${count}${unit}`

/** Count and unit of a relative day; undefined for a fixed one. */
export function relativeParts(text: string): { count: number; unit: RelativeUnit } | undefined {
  const [, count, unit] = relative.exec(text) ?? []
  return count === undefined ? undefined : { count: Number(count), unit: unit as RelativeUnit }
}

/** The first day that dates can have: earlier ones are refused by `Day`. */
const firstDay = '0001-01-01'

/** The day of a search in the snapshot of a day. Fixed days are unchanged. */
export function dayOn(searched: string, snapshotDay: string): string {
  const parts = relativeParts(searched)
  if (!parts) return searched
  const { count, unit } = parts
  // No entry has a date before the first day, and none exists before the first snapshot.
  if (!isDay(snapshotDay) || Number(snapshotDay.slice(0, 4)) <= yearsOf(parts)) return firstDay
  if (unit === 'd' || unit === 'w') return daysBefore(snapshotDay, unit === 'w' ? count * 7 : count)
  return monthsBefore(snapshotDay, unit === 'y' ? count * 12 : count)
}

const yearsOf = ({ count, unit }: { count: number; unit: RelativeUnit }): number =>
  Math.ceil(count / { d: 365, w: 52, M: 12, y: 1 }[unit])

/** A day for users: `6 months ago`, or the fixed day. */
export function searchDayText(searched: string): string {
  const parts = relativeParts(searched)
  return parts ? `${countedUnit(parts.count, parts.unit)} ago` : searched
}

/** `6 months`, `1 year`. */
export const countedUnit = (count: number, unit: RelativeUnit): string =>
  `${count} ${units[unit]}${count === 1 ? '' : 's'}`

/** A relative day as users write it: `6 months ago`, or `now-6M`. */
export const relativePattern = /now-\d{1,4}[dwMy](?![\w-])|\d{1,4}\s+(?:days?|weeks?|months?|years?)\s+ago(?!\w)/iy

/** The day of a text that matches `relativePattern`. */
export function relativeOf(written: string): string {
  const [, count = '', word = ''] = /^(\d+)\s+([a-z]+)/i.exec(written) ?? []
  const unit = (Object.keys(units) as RelativeUnit[]).find((one) => word.toLowerCase().startsWith(units[one]))
  return unit ? relativeDay(Number(count), unit) : written
}
