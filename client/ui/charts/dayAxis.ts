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

/** Every how many-th point has its value beside it; no more than there is room for. */
export const labelStep = (points: number, mostLabels = Infinity): number =>
  Math.max(points < crowded ? 1 : Math.ceil(points / 10), Math.ceil(points / Math.max(1, mostLabels)))

/** The newest point always has its label. */
export const isLabelled = (place: number, points: number, step: number): boolean => (points - 1 - place) % step === 0
