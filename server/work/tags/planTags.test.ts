import { expect, test } from 'vitest'
import { endOfDays } from '#server/content/snapshots/index.ts'
import { type Period, planTags, tagsOn } from './changeTagsOf.ts'

const day = '2026-01-05'
const since = (from: string, to = endOfDays): Period => ({ tag: 'raw', from, to })
const add = { add: ['raw'], remove: [] }
const remove = { add: [], remove: ['raw'] }

/** The periods after a change: a written one replaces that with the same first day. */
const after = (periods: Period[], change: typeof add | typeof remove) => {
  const byKey = new Map([...periods, ...planTags(periods, change, day)].map((period) => [period.from, period]))
  return [...byKey.values()]
}
const shows = (periods: Period[], on: string) => tagsOn(periods, on).length > 0

test('a tag that is given counts from the day on, and one that is there is not given again', () => {
  expect(planTags([], add, day)).toEqual([since(day)])
  expect(planTags([since('2026-01-01')], add, day)).toEqual([])
  expect(planTags([since(day)], add, day)).toEqual([])
})

test('a tag that is taken stays on the days before', () => {
  const taken = after([since('2026-01-01')], remove)
  expect([shows(taken, '2026-01-04'), shows(taken, day), shows(taken, '2026-02-01')]).toEqual([true, false, false])
  expect(planTags([], remove, day)).toEqual([])
  expect(planTags(taken, remove, day)).toEqual([])
})

test('a tag added and removed on one day never existed, and may be added again', () => {
  const gone = after(after([], add), remove)
  expect([shows(gone, '2026-01-04'), shows(gone, day)]).toEqual([false, false])
  expect(shows(after(gone, add), day)).toBe(true)
})

test('a tag of a later date, whose snapshot was deleted, is given and taken on the day all the same', () => {
  const later = [since('2026-01-09')]
  expect(shows(later, day)).toBe(false)
  expect(shows(after(later, add), day)).toBe(true)
  const taken = after(after(later, add), remove)
  expect([shows(taken, day), shows(taken, '2026-01-09'), shows(taken, '2026-02-01')]).toEqual([false, false, false])
})
