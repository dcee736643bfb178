import { afterEach, expect, test } from 'vitest'
import { cronFields, cronNumbers } from '#events/schedules/cron.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { checkCron, nextTimes } from './cron.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

function next(zone: string, cron: string, after: string, count = 3): string[] {
  process.env['TZ'] = zone
  return nextTimes(cron, new Date(after), count).map((time) => time.toISOString().replace(':00.000Z', ''))
}

const expressions: [string, string[]][] = [
  ['0 0 0 * * ?', ['2026-01-02T00:00', '2026-01-03T00:00']],
  ['0 0 0 ? * MON', ['2026-01-05T00:00', '2026-01-12T00:00']],
  ['0 0 0 ? * 1', ['2026-01-04T00:00', '2026-01-11T00:00']],
  ['0 0 0 ? * 7', ['2026-01-03T00:00', '2026-01-10T00:00']],
  ['0 0 0 ? * L', ['2026-01-03T00:00', '2026-01-10T00:00']],
  ['0 0 0 ? * 6L', ['2026-01-30T00:00', '2026-02-27T00:00']],
  ['0 0 0 ? * 6#3', ['2026-01-16T00:00', '2026-02-20T00:00']],
  ['0 0 0 ? * mon-FRI', ['2026-01-02T00:00', '2026-01-05T00:00']],
  ['0 0 0 LW * ?', ['2026-01-30T00:00', '2026-02-27T00:00']],
  ['0 0 0 1W * ?', ['2026-02-02T00:00', '2026-03-02T00:00']],
  ['0 0 0 1 * ?', ['2026-02-01T00:00', '2026-03-01T00:00']],
  ['0 0 12 * * ?', ['2026-01-01T12:00', '2026-01-02T12:00']],
  ['0 0 */4 * * ?', ['2026-01-01T04:00', '2026-01-01T08:00']],
  ['0 50/5 * * * ?', ['2026-01-01T00:50', '2026-01-01T00:55']],
  ['0 0 0 1,31 2,3 ?', ['2026-02-01T00:00', '2026-03-01T00:00', '2026-03-31T00:00', '2027-02-01T00:00']],
  ['0 0 0 */10 2,3 ?', ['2026-02-01T00:00', '2026-02-11T00:00', '2026-02-21T00:00', '2026-03-01T00:00']],
  ['0 0 0 1/15 2,3 ?', ['2026-02-01T00:00', '2026-02-16T00:00', '2026-03-01T00:00', '2026-03-16T00:00']],
  ['0 0 0 1,30 2,3 ?', ['2026-02-01T00:00', '2026-03-01T00:00', '2026-03-30T00:00']],
  ['0 0 0 31 * ?', ['2026-01-31T00:00', '2026-03-31T00:00', '2026-05-31T00:00']],
  ['0 0 0 1,29-31 2,3 ?', ['2026-02-01T00:00', '2026-03-01T00:00', '2026-03-29T00:00']],
  ['0 0 * 1,31 2,3 ?', ['2026-02-01T00:00', '2026-02-01T01:00']],
  ['0 0 0 L-3 * ?', ['2026-01-28T00:00', '2026-02-25T00:00', '2026-03-28T00:00']],
  ['0 0 0 L-29 * ?', ['2026-01-02T00:00', '2026-03-02T00:00', '2026-04-01T00:00']],
  ['0 0 0 L-3W 2,3 ?', ['2026-02-25T00:00', '2026-03-27T00:00']],
  ['0 0 0 31W 2,5 ?', ['2026-05-29T00:00', '2027-05-31T00:00']],
  [
    '0 0 3 ? * FRI-MON',
    ['2026-01-02T03:00', '2026-01-03T03:00', '2026-01-04T03:00', '2026-01-05T03:00', '2026-01-09T03:00'],
  ],
  ['0 0 0 ? * 6#5', ['2026-01-30T00:00', '2026-05-29T00:00']],
  ['0 0 22-2/2 * * ?', ['2026-01-01T02:00', '2026-01-01T22:00', '2026-01-02T00:00']],
  ['0 0 0 1 NOV-FEB ?', ['2026-02-01T00:00', '2026-11-01T00:00', '2026-12-01T00:00', '2027-01-01T00:00']],
  ['0 0 0 29 FEB ?', ['2028-02-29T00:00', '2032-02-29T00:00']],
  ['0 0 0 1 1 ? 2027,2099', ['2027-01-01T00:00', '2099-01-01T00:00']],
  ['0 0 0 1 1 ? 2027', ['2027-01-01T00:00']],
]
test.each(expressions)('%s is due next at the right times', (cron, times) => {
  expect(next('UTC', cron, '2026-01-01T00:00:00.500Z', Math.max(2, times.length))).toEqual(times)
})

test('each minute is due, and no past one', () => {
  process.env['TZ'] = 'UTC'
  const times = nextTimes('30 * * * * ?', new Date('2026-01-01T00:00:30.500Z'), 2)
  expect(times.map((time) => time.toISOString())).toEqual(['2026-01-01T00:01:30.000Z', '2026-01-01T00:02:30.000Z'])
})

test('a stored expression with several times in a minute runs at the first of them', () => {
  process.env['TZ'] = 'UTC'
  const from = new Date('2026-01-01T00:00:00.500Z')
  const of = (cron: string) => nextTimes(cron, from, 3).map((time) => time.toISOString().slice(11, 19))
  expect(of('* * * * * ?')).toEqual(['00:01:00', '00:02:00', '00:03:00'])
  expect(of('50/5,20 */2 * * * ?')).toEqual(['00:00:20', '00:02:20', '00:04:20'])
  expect(of('10,20 0 1-3 * * ?')).toEqual(['01:00:10', '02:00:10', '03:00:10'])
})

// In Berlin the clock moves from 2:00 to 3:00 at 01:00Z on 29 March, and from 3:00 back to 2:00 at 01:00Z on 25
// October.
const spring = '2026-03-28T12:00:00Z'
const autumn = '2026-10-24T12:00:00Z'

test('a time that the clock skips is due once when it continues', () => {
  const daily = ['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-31T00:30']
  expect(next('Europe/Berlin', '0 30 2 * * ?', spring)).toEqual(daily)
  expect(next('Europe/Berlin', '0 15,30,45 2 * * ?', spring, 2)).toEqual(['2026-03-29T01:00', '2026-03-30T00:15'])
  expect(next('Europe/Berlin', '0 30 2,3 * * ?', spring, 2)).toEqual(['2026-03-29T01:00', '2026-03-29T01:30'])
  expect(next('Europe/Berlin', '0 0 1-3 * * ?', spring, 3)).toEqual([
    '2026-03-29T00:00',
    '2026-03-29T01:00',
    '2026-03-29T23:00',
  ])
})

test('of a time that the clock shows twice the first counts', () => {
  const daily = ['2026-10-25T00:30', '2026-10-26T01:30']
  expect(next('Europe/Berlin', '0 30 2 * * ?', autumn, 2)).toEqual(daily)
  expect(next('Europe/Berlin', '0 30 2 * * ?', '2026-10-25T00:30:00Z', 1)).toEqual(['2026-10-26T01:30'])
  expect(next('Europe/Berlin', '0 15,45 2 * * ?', '2026-10-25T01:20:00Z', 1)).toEqual(['2026-10-26T01:15'])
  expect(next('Europe/Berlin', '0 0 */2 * * ?', '2026-10-24T22:00:00Z', 2)).toEqual([
    '2026-10-25T00:00',
    '2026-10-25T03:00',
  ])
})

test('an hourly time continues by the real clock', () => {
  const hours = (day: string, from: number) => Array.from({ length: 4 }, (_, i) => `${day}T0${from + i}:00`)
  expect(next('Europe/Berlin', '0 0 * * * ?', '2026-03-28T23:30:00Z', 4)).toEqual(hours('2026-03-29', 0))
  expect(next('Europe/Berlin', '0 0 * * * ?', '2026-10-24T23:30:00Z', 4)).toEqual(hours('2026-10-25', 0))
})

test("west of Greenwich the days are the server's, when its clock changes too", () => {
  const midnights = ['2026-03-08T05:00', '2026-03-09T04:00']
  expect(next('America/New_York', '0 0 0 * * ?', '2026-03-07T12:00:00Z', 2)).toEqual(midnights)
  expect(next('America/New_York', '0 30 2 * * ?', '2026-03-07T12:00:00Z', 2)).toEqual([
    '2026-03-08T07:00',
    '2026-03-09T06:30',
  ])
  expect(next('America/New_York', '0 30 1 * * ?', '2026-10-31T12:00:00Z', 2)).toEqual([
    '2026-11-01T05:30',
    '2026-11-02T06:30',
  ])
  expect(next('America/Los_Angeles', '0 0 22 ? * SUN', '2026-01-05T05:30:00Z', 1)).toEqual(['2026-01-05T06:00'])
})

test('where midnight is left out, the day begins an hour later', () => {
  expect(next('America/Santiago', '0 0 0 * * ?', '2026-09-05T12:00:00Z', 2)).toEqual([
    '2026-09-06T04:00',
    '2026-09-07T03:00',
  ])
})

test('times follow each other strictly, all through a year and in every zone', () => {
  for (const zone of ['Europe/Berlin', 'America/Santiago', 'Australia/Lord_Howe', 'Asia/Kolkata'])
    for (const cron of ['0 30 0-3 * * ?', '0 15 */2 * * ?', '0 */20 * * * ?']) {
      const times = next(zone, cron, '2026-01-01T00:00:00Z', 4_000)
      expect(times).toEqual([...new Set(times)].sort())
      const perDay = cron === '0 */20 * * * ?' ? 72 : cron === '0 15 */2 * * ?' ? 12 : 4
      const days = 4_000 / perDay
      const passed = (Date.parse(`${times.at(-1)}Z`) - Date.parse('2026-01-01T00:00:00Z')) / 86_400_000
      expect(Math.abs(passed - days)).toBeLessThan(days > 100 ? 1.1 : 0.1)
    }
})

test('an expression without a future time is refused, and an invalid one too', () => {
  const now = new Date('2026-06-01T00:00:00Z')
  const refused = (message: string) =>
    expect.objectContaining({ status: 400, subErrors: [{ field: 'cron', message: expect.stringContaining(message) }] })
  for (const over of ['0 0 0 1 1 ? 2020', '0 0 0 1 1 ? 2026', '0 0 0 30 2 ?', '0 0 0 29 2 ? 2027'])
    expect(() => checkCron(over, now)).toThrow(refused('has no future times'))
  expect(() => checkCron('0 0 0 * * *', now)).toThrow(refused('may set only one'))
  expect(() => checkCron('0 0 0 1 1 ? 2027', now)).not.toThrow()
})

/** Days that a part of a day field names in a month, found day by day; weekdays are 1 to 7 from Sunday on. */
function daysOf(part: string, year: number, month: number): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const days = Array.from({ length }, (_, i) => i + 1)
  const weekdayOf = (day: number) => new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1
  const isWorkday = (day: number) => weekdayOf(day) > 1 && weekdayOf(day) < 7
  const [, from] = /^L(?:-(\d+))?W?$/.exec(part) ?? []
  const [, near] = /^(\d+)W$/.exec(part) ?? []
  const target = part.startsWith('L') ? length - Number(from ?? 0) : Number(near)
  if (part.endsWith('W'))
    return days
      .filter((day) => days.includes(target) && isWorkday(day))
      .sort((one, other) => Math.abs(one - target) - Math.abs(other - target))
      .slice(0, 1)
  if (part.startsWith('L')) return days.filter((day) => day === target)
  const ofWeekday = (number: string) => days.filter((day) => weekdayOf(day) === Number(number))
  if (part.endsWith('L')) return ofWeekday(part.slice(0, -1)).slice(-1)
  const [weekday = '', nth] = part.split('#')
  if (nth) return ofWeekday(weekday).slice(Number(nth) - 1, Number(nth))
  return cronNumbers(part, cronFields[3])
}

test('random expressions are due at the times that a plain loop finds', () => {
  process.env['TZ'] = 'UTC'
  const random = newRandom(1)
  const number = (from: number, to: number) => from + random.below(to - from + 1)
  const pick = (...options: string[]) => random.pick(options)
  const some = (part: () => string) => Array.from({ length: number(1, 3) }, part).join(',')
  const range = (from: number, to: number) =>
    some(() => pick(`${number(from, to)}`, `${number(from, to)}-${number(from, to)}`))
  const dayPart = () => pick(range(1, 31), 'L', 'LW', `L-${number(1, 30)}`, `L-${number(1, 30)}W`, `${number(1, 31)}W`)
  const weekdayPart = () => pick(`${number(1, 7)}L`, `${number(1, 7)}#${number(1, 5)}`)
  for (let i = 0; i < 500; i++) {
    const isOfWeek = random.chance(0.3)
    const [hours, months] = [range(0, 23), pick('*', range(1, 12))]
    const days = some(isOfWeek ? weekdayPart : dayPart)
    const cron = `0 5 ${hours} ${isOfWeek ? '?' : days} ${months} ${isOfWeek ? days : '?'} 2027-2029`
    const expected = [2027, 2028, 2029].flatMap((year) =>
      cronNumbers(months, cronFields[4]).flatMap((month) => {
        const named = new Set(days.split(',').flatMap((part) => daysOf(part, year, month)))
        const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
        return [...named]
          .filter((day) => day <= length)
          .flatMap((day) => cronNumbers(hours, cronFields[2]).map((hour) => Date.UTC(year, month - 1, day, hour, 5)))
      }),
    )
    const found = nextTimes(cron, new Date('2026-06-01T00:00:00Z'), 50).map(Number)
    expect([cron, found]).toEqual([cron, expected.sort((one, other) => one - other).slice(0, 50)])
  }
})
