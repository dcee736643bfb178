import { roundTicks } from './ticks.ts'
import type { DayLineProps } from './dayLineProps.ts'

const day = 86_400_000
const steps = [1, 2, 7, 14, 30, 60, 90, 180, 365]

/** A day as a number on an axis, and back. */
export const placeOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / day
export const dayAt = (place: number): string => new Date(place * day).toISOString().slice(0, 10)

/** The days that an axis names: ten at most, from the first one on, as far apart from each other. */
export function dayTicks(from: string, to: string): number[] {
  const [first, length] = [placeOf(from), placeOf(to) - placeOf(from)]
  const years = Math.ceil(length / 365 / 9)
  const step = steps.find((step) => length / step <= 9) ?? years * 365
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => first + i * step)
}

/** A day on the axis: without its year where all have the same. */
export const dayTickText = (place: number, { from, to }: Pick<DayLineProps, 'from' | 'to'>): string =>
  from.slice(0, 4) === to.slice(0, 4) ? dayAt(place).slice(5) : dayAt(place)

/** The ticks of the values; beyond a limit with a box there is room for it. */
export function valueTicks({ parts, limit, base }: Pick<DayLineProps, 'parts' | 'limit' | 'base'>): number[] {
  const most = Math.max(0, ...parts.map(({ value }) => value))
  const isMarked = limit?.line !== undefined || limit?.box !== undefined
  return roundTicks(isMarked ? Math.max(most, limit.value * 1.08) : most, base)
}

/** From how many points on their labels are thinned. */
const crowded = 20

/** The points that have their value beside them, from the newest on; no two of them nearer to each other than `room`. */
export function labelledPoints(places: readonly number[], room: number): Set<number> {
  const step = places.length < crowded ? 1 : Math.ceil(places.length / 10)
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

/** What stands beside the first and the last point has room. */
export function roomyDomain(first: number, last: number): [number, number] {
  const room = last === first ? 1 : (last - first) / 30
  return [first - room, last + room]
}

/** How a drawing is told of such an axis. */
export const dayAxisProps = (from: string, to: string) => ({
  type: 'number' as const,
  domain: roomyDomain(placeOf(from), placeOf(to)),
  ticks: dayTicks(from, to),
  tickFormatter: (place: number) => dayTickText(place, { from, to }),
  interval: 'equidistantPreserveStart' as const,
  minTickGap: 6,
})
