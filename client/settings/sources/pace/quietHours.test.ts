import { expect, test } from 'vitest'
import { ownTimeZone } from '#client/ui/text/timeZone.ts'
import { clock, quietHoursText } from './quietHours.ts'

const textOf = (quietFrom: string, quietTo: string) => quietHoursText({ quietFrom, quietTo })

test('quiet hours name the time zone, and the next day if they include midnight', () => {
  expect(textOf('8', '6:30 pm')).toBe(`From 08:00 to 18:30, in the server's time zone (${ownTimeZone})`)
  expect(textOf('22:00', '06:00')).toMatch(/^From 22:00 to 06:00 on the next day, /)
  expect(textOf('22:00', '00:00')).toMatch(/^From 22:00 to 00:00 on the next day, /)
  expect(textOf('22:00', '24:00')).toBe('')
})

test('a time is sent in one form, and a wrong one unchanged', () => {
  expect(['2', '0230', '2:30 pm', '02:30', '25', 'noon', ''].map(clock)).toEqual([
    '02:00',
    '02:30',
    '14:30',
    '02:30',
    '25',
    'noon',
    '',
  ])
})
