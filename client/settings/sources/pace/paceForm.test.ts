import { expect, test } from 'vitest'
import type { Pace } from '#events/contract/pace.ts'
import { ownTimeZone } from '#client/ui/text/timeZone.ts'
import { paceOfLookups } from './paceForm.ts'

const quiet = (quietFrom: string, quietTo: string) => ({
  ...paceOfLookups.fields,
  hasQuietHours: true,
  quietFrom,
  quietTo,
})

test('quiet hours name the time zone, and the next day if they include midnight', () => {
  const textOf = (from: string, to: string) => Object.fromEntries(paceOfLookups.review(quiet(from, to)))['Quiet hours']
  expect(textOf('8', '6:30 pm')).toBe(`From 08:00 to 18:30, in the server's time zone (${ownTimeZone})`)
  expect(textOf('22:00', '06:00')).toMatch(/^From 22:00 to 06:00 on the next day, /)
  expect(textOf('22:00', '00:00')).toMatch(/^From 22:00 to 00:00 on the next day, /)
  expect([textOf('22:00', '24:00'), textOf('22', '22:00')]).toEqual(['', ''])
})

test('a time is sent in one form, and a wrong one unchanged', () => {
  const times = ['2', '0230', '2:30 pm', '02:30', '25', 'noon', '']
  expect(times.map((time) => paceOfLookups.toDraft(quiet(time, '08:00'), 'new').pace?.quietHours?.from)).toEqual([
    '02:00',
    '02:30',
    '14:30',
    '02:30',
    '25',
    'noon',
    '',
  ])
})

const again = (pace: Pace | null) => paceOfLookups.toDraft(paceOfLookups.initial({ pace }), 'new').pace

test('a pace is the same after it was edited, and defaults are none', () => {
  const pace = { maxLookups: 16, maxEntriesPerSecond: 500, quietHours: { from: '22:00', to: '06:00', maxLookups: 4 } }
  expect(again(pace)).toEqual(pace)
  const unlimited = { maxLookups: 16, maxEntriesPerSecond: null, quietHours: null }
  expect(again(unlimited)).toEqual(unlimited)
  expect(again(null)).toBeNull()
  expect(paceOfLookups.review(paceOfLookups.fields)).toEqual([])
})
