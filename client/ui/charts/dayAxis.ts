import { lineTicks, roundTicks } from './ticks.ts'
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

type Values = Pick<DayLineProps, 'parts' | 'limit' | 'base'>

/** Ticks of the value axis, from 0. */
export const valueTicks = (values: Values): number[] => roundTicks(maxOf(values), values.base)

/** Ticks of the value axis of a line. */
export function dayLineTicks(values: Values): number[] {
  const max = maxOf(values)
  return lineTicks(Math.min(max, ...values.parts.map(({ value }) => value)), max, values.base)
}

/** Leaves room above a limit. */
function maxOf({ parts, limit }: Values): number {
  const isMarked = limit?.line !== undefined || limit?.box !== undefined
  return Math.max(0, ...parts.map(({ value }) => value), isMarked ? limit.value * 1.08 : 0)
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

/** Part of a limit line that its words cover, below it: width from the left end and height, in pixels. */
const limitWords = { width: 130, height: 20 }

type LabelPlace = { x: number; y: number; limitY: number | undefined }

/**
 * Baseline of the label of a point: above it, or below it and below the words of a limit that it would overlap. `x` is the distance
 * from the axis; all in pixels.
 */
export function labelAt({ x, y, limitY }: LabelPlace): number {
  const above = y - 9
  if (limitY === undefined || x > limitWords.width || above < limitY || above - 12 > limitY + limitWords.height)
    return above
  return Math.max(y, limitY + limitWords.height) + 16
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
