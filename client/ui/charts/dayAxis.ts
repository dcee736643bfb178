import { roundTicks } from './ticks.ts'
import type { DayLineProps } from './dayLineProps.ts'

const day = 86_400_000
const steps = [1, 2, 7, 14, 30, 60, 90, 180, 365]

/** Days since 1970, as a number on an axis. */
export const placeOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / day
export const dayAt = (place: number): string => new Date(place * day).toISOString().slice(0, 10)

/** Days labeled on an axis: at most ten, evenly spaced from the first. */
export function dayTicks(from: string, to: string): number[] {
  const [first, length] = [placeOf(from), placeOf(to) - placeOf(from)]
  const years = Math.ceil(length / 365 / 9)
  const step = steps.find((step) => length / step <= 9) ?? years * 365
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => first + i * step)
}

/** Tick label. Omits the year if all days have the same year. */
export const dayTickText = (place: number, { from, to }: Pick<DayLineProps, 'from' | 'to'>): string =>
  from.slice(0, 4) === to.slice(0, 4) ? dayAt(place).slice(5) : dayAt(place)

/** Ticks of the value axis. Leaves room above a limit that has a box. */
export function valueTicks({ parts, limit, base }: Pick<DayLineProps, 'parts' | 'limit' | 'base'>): number[] {
  const max = Math.max(0, ...parts.map(({ value }) => value))
  const isMarked = limit?.line !== undefined || limit?.box !== undefined
  return roundTicks(isMarked ? Math.max(max, limit.value * 1.08) : max, base)
}

/** Labels are thinned out from this many points. */
const thinningThreshold = 20

/** Points that have a value label, starting from the newest, at least `room` apart. */
export function labelledPoints(places: readonly number[], room: number): Set<number> {
  const step = places.length < thinningThreshold ? 1 : Math.ceil(places.length / 10)
  const labelled = new Set<number>()
  let last = Infinity
  for (let point = places.length - 1; point >= 0; point -= step) {
    const place = places[point] ?? 0
    if (last - place < room) continue
    labelled.add(point)
    last = place
  }
  return labelled
}

/** Adds room for the labels of the first and last point. */
export function roomyDomain(first: number, last: number): [number, number] {
  const room = last === first ? 1 : (last - first) / 30
  return [first - room, last + room]
}

/** Axis props for recharts. */
export const dayAxisProps = (from: string, to: string) => ({
  type: 'number' as const,
  domain: roomyDomain(placeOf(from), placeOf(to)),
  ticks: dayTicks(from, to),
  tickFormatter: (place: number) => dayTickText(place, { from, to }),
  interval: 'equidistantPreserveStart' as const,
  minTickGap: 6,
})
