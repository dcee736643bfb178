import { cronFields, cronNumber, cronNumbers, cronParts } from '#events/schedules/cron.ts'

const [, , , dayField, monthField, weekdayField, yearField] = cronFields
const dayMs = 24 * 60 * 60 * 1000

/** A calendar day. Weekdays are 1 to 7, from Sunday on. */
type CalendarDay = { day: number; weekday: number; lastDay: number }

/**
 * Yields the days of an expression from a day on, as midnights in UTC. Each day of the calendar is compared with the
 * fields, so a day that a month doesn't have never occurs.
 */
export function* cronDays(text: string, from: Date): Generator<Date, undefined> {
  const [, , , days = '*', months = '*', weekdays = '?', years = '*'] = cronParts(text)
  const inMonths = new Set(cronNumbers(months, monthField))
  const matches = matcher(days, weekdays)
  for (const year of cronNumbers(years, yearField)) {
    if (year < from.getUTCFullYear()) continue
    for (const month of inMonths) {
      const first = Date.UTC(year, month - 1, 1)
      const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
      for (let day = 1; day <= lastDay; day++) {
        const date = new Date(first + (day - 1) * dayMs)
        if (date >= from && matches({ day, weekday: date.getUTCDay() + 1, lastDay })) yield date
      }
    }
  }
  return undefined
}

type Matches = (day: CalendarDay) => boolean

function matcher(days: string, weekdays: string): Matches {
  const field = weekdays === '?' ? days : weekdays
  const parts = field.split(',').map(weekdays === '?' ? dayPart : weekdayPart)
  return (day) => parts.some((matches) => matches(day))
}

const fromEnd = /^L(?:-(\d+))?(W)?$/
const nearWeekday = /^(\d+)W$/

/** `L` is the last day of the month, `L-3` three days before it; with `W` the nearest day from Monday to Friday. */
function dayPart(part: string): Matches {
  const [isFromEnd, before = '0', isNear] = fromEnd.exec(part) ?? []
  if (isFromEnd !== undefined) {
    const target = ({ lastDay }: CalendarDay) => lastDay - Number(before)
    return isNear ? (day) => isNearest(day, target(day)) : (day) => day.day === target(day)
  }
  const [, number] = nearWeekday.exec(part) ?? []
  if (number !== undefined) return (day) => isNearest(day, Number(number))
  const numbers = new Set(cronNumbers(part, dayField))
  return ({ day }) => numbers.has(day)
}

/** Tests whether a day is the weekday nearest to another day of its month; the month is never left. */
function isNearest({ day, weekday, lastDay }: CalendarDay, target: number): boolean {
  if (target < 1 || target > lastDay) return false
  const targetWeekday = ((((weekday - 1 + target - day) % 7) + 7) % 7) + 1
  if (targetWeekday === 7) return day === (target === 1 ? 3 : target - 1)
  if (targetWeekday === 1) return day === (target === lastDay ? target - 2 : target + 1)
  return day === target
}

const lastOfMonth = /^(\w+)L$/
const nthOfMonth = /^(\w+)#(\d)$/

/** `L` is Saturday, `6L` the last Friday of the month, `6#3` the third one. */
function weekdayPart(part: string): Matches {
  if (part === 'L') return ({ weekday }) => weekday === 7
  const [, last] = lastOfMonth.exec(part) ?? []
  if (last !== undefined) {
    const number = cronNumber(last, weekdayField)
    return ({ day, weekday, lastDay }) => weekday === number && day > lastDay - 7
  }
  const [, word = '', nth] = nthOfMonth.exec(part) ?? []
  if (nth !== undefined) {
    const number = cronNumber(word, weekdayField)
    return ({ day, weekday }) => weekday === number && Math.ceil(day / 7) === Number(nth)
  }
  const numbers = new Set(cronNumbers(part, weekdayField))
  return ({ weekday }) => numbers.has(weekday)
}
