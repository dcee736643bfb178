import type { TagChange } from '#events/tags.ts'
import { endOfDays } from '#server/snapshots/index.ts'

/** A tag of an entry, from a day on and before another one. */
export type Period = { tag: string; from: string; to: string }

/** The tags that periods give an entry on a day. */
export const tagsOn = (periods: Period[], day: string): string[] => [
  ...new Set(periods.filter(({ from, to }) => from <= day && to > day).map(({ tag }) => tag)),
]

/**
 * The periods that a change writes on a day, from those that go on after it. A period that is written takes the place of
 * one with the same tag and first day. What a tag was before the day stays as it was; one that came and went on the same
 * day leaves an empty period.
 */
export function planTags(periods: Period[], { add, remove }: TagChange, day: string): Period[] {
  const ongoing = ({ from, to }: Period) => from <= day && to === endOfDays
  const isThere = (tag: string) => periods.some((period) => period.tag === tag && ongoing(period))
  const ended = periods.filter(({ tag, from, to }) => remove.includes(tag) && to > day && to > from)
  return [
    ...add.filter((tag) => !isThere(tag)).map((tag) => ({ tag, from: day, to: endOfDays })),
    ...ended.map(({ tag, from }) => ({ tag, from, to: from > day ? from : day })),
  ]
}
