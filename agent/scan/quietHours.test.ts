import { expect, test } from 'vitest'
import { usualLookups } from '#events/contract/pace.ts'
import { allowedLookups } from './quietHours.ts'

const pace = (from: string, to: string, timeZone = 'America/Denver') => ({
  maxLookups: 100,
  maxEntriesPerSecond: null,
  quietHours: { from, to, maxLookups: 5 },
  timeZone,
})
const at = (ordered: ReturnType<typeof pace>, ...times: string[]) =>
  times.map((time) => allowedLookups(ordered, new Date(time)))

test('fewer lookups are allowed from the first minute of the quiet hours to their last', () => {
  const times = ['2026-01-10T14:59:59Z', '2026-01-10T15:00:00Z', '2026-01-11T00:59:59Z', '2026-01-11T01:00:00Z']
  expect(at(pace('08:00', '18:00'), ...times)).toEqual([100, 5, 5, 100])
})

test('quiet hours may include midnight', () => {
  const times = ['2026-01-11T04:59:00Z', '2026-01-11T05:00:00Z', '2026-01-11T07:00:00Z', '2026-01-11T13:00:00Z']
  expect(at(pace('22:00', '06:00'), ...times)).toEqual([100, 5, 5, 100])
})

test('quiet hours that end at their start last all day', () => {
  expect(at(pace('08:00', '08:00'), '2026-01-10T00:00:00Z', '2026-01-10T15:00:00Z')).toEqual([5, 5])
})

test('quiet hours follow the clocks of their time zone through daylight saving', () => {
  // In Denver, 2:00 is followed by 3:00 on 8 March 2026, and 1:59 by 1:00 on 1 November.
  const spring = ['2026-03-07T15:00:00Z', '2026-03-08T13:59:00Z', '2026-03-08T14:00:00Z']
  expect(at(pace('08:00', '18:00'), ...spring)).toEqual([5, 100, 5])
  const skipped = ['2026-03-08T08:59:00Z', '2026-03-08T09:00:00Z', '2026-03-08T09:30:00Z']
  expect(at(pace('02:00', '03:30'), ...skipped)).toEqual([100, 5, 100])
  const repeated = ['2026-11-01T07:30:00Z', '2026-11-01T08:30:00Z', '2026-11-01T09:00:00Z']
  expect(at(pace('01:00', '02:00'), ...repeated)).toEqual([5, 5, 100])
})

test("quiet hours never raise the limit, and without them the storage's limit applies", () => {
  expect(allowedLookups({ ...pace('00:00', '00:00'), maxLookups: 3 }, new Date())).toBe(3)
  expect(allowedLookups({ ...pace('00:00', '00:00'), quietHours: null }, new Date())).toBe(100)
  expect(allowedLookups(undefined, new Date())).toBe(usualLookups)
})

test('in a time zone that the agent does not know, every hour is quiet', () => {
  expect(at(pace('08:00', '09:00', 'Mars/Olympus'), '2026-01-10T00:00:00Z')).toEqual([5])
})
