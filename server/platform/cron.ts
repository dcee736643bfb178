import { Cron } from 'croner'
import { cronFields, cronNumbers, cronParts, cronProblem, frequencyProblem } from '#events/schedules/cron.ts'
import { invalid } from './problem.ts'

/**
 * Yields the times of an expression after a moment, in the server's time zone, at most one in a minute. A named time of day occurs once a day:
 * one skipped by the clock occurs right after the change, and of a repeated one the first counts. If every hour is
 * named, times follow elapsed time. Takes expressions that `cronProblem` accepts.
 */
export function* timesAfter(text: string, after: Date): Generator<Date, undefined> {
  const crons = patternsOf(text).map((pattern) => new Cron(pattern, options))
  for (let last = after; ;) {
    const next = crons.flatMap((cron) => cron.nextRun(last)?.getTime() ?? [])
    if (next.length === 0) return undefined
    last = new Date(Math.min(...next))
    yield last
  }
}
const options = { mode: '7-part', alternativeWeekdays: true, fixedTimeRule: 'no-wildcard' } as const

/** Returns the next `count` times, or fewer if the expression has no more. */
export function nextTimes(text: string, after: Date, count: number): Date[] {
  const times = timesAfter(text, after)
  const next = Array.from({ length: count }, () => times.next().value)
  return next.filter((time) => time !== undefined)
}

/**
 * Throws 400 on `cron` if the expression is invalid, runs more than once a minute or has no future time. A stored expression of an
 * earlier version may name more times in a minute, so that its schedule can still be paused or renamed.
 */
export function checkCron(text: string, now: Date, stored: string | null = null): void {
  const problem = cronProblem(text) ?? (text === stored ? undefined : frequencyProblem(text))
  if (problem) invalid('cron', problem)
  if (nextTimes(text, now, 1).length === 0) invalid('cron', 'has no future times')
}

const [secondsField, minutesField, hoursField, dayField, monthField, weekdayField, yearField] = cronFields
const everyHour = hoursField.max + 1
const everyYear = cronNumbers('*', yearField)
const isLeap = (year: number) => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29

/** Months of each length, and the years in which they have it. */
const monthLengths = [
  { length: 31, months: [1, 3, 5, 7, 8, 10, 12], years: everyYear },
  { length: 30, months: [4, 6, 9, 11], years: everyYear },
  { length: 29, months: [2], years: everyYear.filter(isLeap) },
  { length: 28, months: [2], years: everyYear.filter((year) => !isLeap(year)) },
]

/**
 * Patterns of croner that together have the times of an expression. Numbers replace ranges, which may wrap, and steps, except for every
 * hour. croner has no days before the last one of a month, and no `LW` in a list, so an expression with `L-3` or `LW` becomes one pattern
 * for each length of a month.
 */
function patternsOf(text: string): string[] {
  const [seconds = '*', minutes = '*', hours = '*', days = '*', months = '*', weekdays = '?', years = '*'] =
    cronParts(text)
  const hourNumbers = cronNumbers(hours, hoursField)
  const time = [
    cronNumbers(seconds, secondsField)[0],
    cronNumbers(minutes, minutesField),
    hourNumbers.length === everyHour ? '*' : hourNumbers,
  ].join(' ')
  const weekdayParts = numbered(weekdays, weekdayField).map((part) => (part === 'L' ? '7' : part))
  const [inMonths, inYears] = [cronNumbers(months, monthField), cronNumbers(years, yearField)]
  const dayParts = numbered(days, dayField)
  if (!dayParts.some((part) => /^L[-W]/.test(part)))
    return [[time, dayParts, inMonths, weekdayParts, years === '*' ? '*' : inYears].join(' ')]
  return monthLengths.flatMap((one) => {
    const ofLength = dayParts.flatMap((part) => dayBefore(part, one.length))
    const fields = [
      ofLength,
      one.months.filter((month) => inMonths.includes(month)),
      weekdayParts,
      one.years.filter((year) => inYears.includes(year)),
    ]
    return fields.some(({ length }) => length === 0) ? [] : [[time, ...fields].join(' ')]
  })
}

/** Parts of a field as numbers; other forms, such as `L` and `6#3`, stay. */
const numbered = (text: string, field: typeof dayField | typeof weekdayField): string[] =>
  text === '?'
    ? ['*']
    : text.split(',').flatMap((part) => (/L|W$|#/.test(part) ? part : cronNumbers(part, field).map(String)))

/** `L`, `L-3` and `L-3W` as days of a month; none before its first one. */
function dayBefore(part: string, length: number): string[] {
  const [whole, before = '0', near = ''] = /^L(?:-(\d+))?(W?)$/.exec(part) ?? []
  if (whole === undefined) return [part]
  const day = length - Number(before)
  return day < 1 ? [] : [`${day}${near}`]
}
