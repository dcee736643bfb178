import { expect, test } from 'vitest'
import { dayAt, dayTicks, dayTickText, dayLineTicks, labelAt, labelledPoints, valueTicks } from './dayAxis.ts'
import type { ChartPart } from './chartPart.ts'

const named = (from: string, to: string) => dayTicks(from, to).map((place) => dayTickText(place, { from, to }))

test('an axis of days names ten of them at most, and the year where there are several', () => {
  expect(named('2026-11-15', '2026-11-21')).toEqual(['11-15', '11-16', '11-17', '11-18', '11-19', '11-20', '11-21'])
  expect(named('2026-10-23', '2026-11-21')).toEqual(['10-23', '10-30', '11-06', '11-13', '11-20'])
  expect(named('2025-12-31', '2026-01-01')).toEqual(['2025-12-31', '2026-01-01'])
  expect(named('2026-01-01', '2026-01-01')).toEqual(['01-01'])
  for (let days = 0; days < 20_000; days = Math.ceil(days * 1.2) + 1)
    expect(dayTicks('2000-01-01', dayAt(10_957 + days)).length).toBeLessThanOrEqual(10)
})

const part = (value: number) => ({ value }) as ChartPart
const limit = { value: 100, line: undefined, box: undefined }

test('an axis of values starts at 0, and the axis of a line has room beyond a limit that is drawn', () => {
  expect(valueTicks({ parts: [part(6), part(7)], base: 1 })).toEqual([0, 2, 4, 6, 8])
  expect(dayLineTicks({ parts: [part(7)], limit: undefined, base: 1 })).toEqual([0, 2, 4, 6, 8])
  expect(dayLineTicks({ parts: [part(60)], limit, base: 1 }).at(-1)).toBe(60)
  expect(dayLineTicks({ parts: [part(20), part(75)], limit: { ...limit, box: 'Over' }, base: 1 }).at(-1)).toBe(150)
  expect(dayLineTicks({ parts: [], limit: undefined, base: 1 })).toEqual([0])
})

test('a line whose values vary little begins below them, so that their change can be seen', () => {
  const ticks = (...values: number[]) => dayLineTicks({ parts: values.map(part), limit: undefined, base: 1 })
  expect(ticks(800, 900, 1_000)).toEqual([700, 800, 900, 1_000])
  expect(ticks(400, 1_000)[0]).toBe(0)
  // Noise isn't magnified beyond a tenth of the value.
  expect(ticks(999, 1_000)[0]).toBeLessThanOrEqual(900)
  expect(ticks(1_000, 1_000)[0]).toBe(0)
})

test('labels are thinned from 20 points on, and if there is no room, and the newest point keeps its own', () => {
  const daily = (points: number) => Array.from({ length: points }, (_, place) => place)
  const labelled = (places: number[], room: number) => [...labelledPoints(places, room)].toReversed()
  expect([1, 7, 19, 20, 30, 90].map((points) => labelled(daily(points), 0).length)).toEqual([1, 7, 19, 10, 10, 10])
  expect(labelled(daily(20), 0)).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 17, 19])
  expect(labelled(daily(7), 3)).toEqual([0, 3, 6])
  expect(labelled([0, 30, 45, 54, 61, 65, 68, 69], 8)).toEqual([0, 1, 2, 4, 7])
})

test('a label is above its point, and below it where the words of a limit are', () => {
  expect(labelAt({ x: 20, y: 100, limitY: undefined })).toBe(91)
  expect(labelAt({ x: 20, y: 100, limitY: 20 })).toBe(91)
  expect(labelAt({ x: 20, y: 40, limitY: 20 })).toBe(56)
  expect(labelAt({ x: 400, y: 40, limitY: 20 })).toBe(31)
})
