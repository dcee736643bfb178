import { isDay } from '#events/contract/days.ts'
import type { WrittenCriteria } from '#events/search/criteria.ts'

const dayMs = 86_400_000

type Dated = { searchQueryNode: WrittenCriteria | null; rollingDates: boolean }

/** Parameters of a report on a day. With relative dates, its days keep their distance to the day on which they were saved. */
export const rolledTo = <Parameters extends Dated>(day: string, parameters: Parameters, savedOn: string): Parameters =>
  parameters.searchQueryNode && parameters.rollingDates
    ? { ...parameters, searchQueryNode: rollDates(parameters.searchQueryNode, savedOn, day) }
    : parameters

/** Moves the dates of a query, so they keep their distance to the day it was written when it runs on another day. */
function rollDates(query: WrittenCriteria, saidOn: string, day: string): WrittenCriteria {
  const days = Math.round((Date.parse(day) - Date.parse(saidOn)) / dayMs)
  return days === 0 ? query : (roll(query, days) as WrittenCriteria)
}

/** Only dates have operators with these names and days as values. */
function roll(value: unknown, days: number): unknown {
  if (Array.isArray(value)) return value.map((inner) => roll(inner, days))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      (name === 'after' || name === 'before') && typeof inner === 'string' && isDay(inner)
        ? moved(inner, days)
        : roll(inner, days),
    ]),
  )
}

const moved = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
