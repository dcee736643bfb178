import { Cron } from 'croner'
import { cronFields, cronNumbers, cronParts, cronProblem } from '#events/schedules/cron.ts'
import { invalid } from './problem.ts'

/**
 * Yields the times of an expression after a moment, in the server's time zone. A named time of day occurs once a day:
 * one skipped by the clock occurs right after the change, and of a repeated one the first counts. If every hour is
 * named, times follow elapsed time. Takes expressions that `cronProblem` accepts.
 */
export const timesAfter = (text: string, after: Date): Generator<Date, undefined> =>
  everyHour(text) ? real(text, after) : named(text, after)

/** Returns the next `count` times, or fewer if the expression has no more. */
export function nextTimes(text: string, after: Date, count: number): Date[] {
  const times = timesAfter(text, after)
  const next = Array.from({ length: count }, () => times.next().value)
  return next.filter((time) => time !== undefined)
}

/** Throws 400 on `cron` if the expression is invalid or has no future time. */
export function checkCron(text: string, now: Date): void {
  const problem = cronProblem(text)
  if (problem) invalid('cron', problem)
  if (nextTimes(text, now, 1).length === 0) invalid('cron', 'has no future times')
}

const [secondsField, minutesField, hoursField] = cronFields
const allHours = hoursField.max + 1
const hoursOf = (text: string): number[] => cronNumbers(cronParts(text)[2] ?? '*', hoursField)
const everyHour = (text: string): boolean => hoursOf(text).length === allHours

const options = { paused: true, alternativeWeekdays: true, sloppyRanges: true } as const

/** Without a zone, times are in the server's time zone. */
function read(text: string, timezone?: string): Cron {
  const parts = cronParts(text)
  const dayOfWeek = parts[5]?.replace(/(?<=^|,)L(?=,|$)/g, '7') ?? '?'
  return new Cron(parts.with(5, dayOfWeek).join(' '), timezone ? { ...options, timezone } : options)
}

function* real(text: string, after: Date): Generator<Date, undefined> {
  const times = read(text)
  for (let time = times.nextRun(after); time; time = times.nextRun(time)) yield time
  return undefined
}

/** Days are from the calendar, without a clock; the times of each day from the server's clock. */
function* named(text: string, after: Date): Generator<Date, undefined> {
  const [seconds = '*', minutes = '*', , ...days] = cronParts(text)
  const calendar = read(['0 0 0', ...days].join(' '), 'UTC')
  const times = [hoursOf(text), cronNumbers(minutes, minutesField), cronNumbers(seconds, secondsField)] as const
  // A time skipped late on the previous day may fall on this day.
  const dayBefore = new Date(Date.UTC(after.getFullYear(), after.getMonth(), after.getDate() - 1) - 1)
  let last = after
  for (let day = calendar.nextRun(dayBefore); day; day = calendar.nextRun(day)) {
    for (const time of timesOn(day, times, last)) yield (last = time)
  }
  return undefined
}

type Times = readonly [hours: number[], minutes: number[], seconds: number[]]

/** Yields the times of a day after a moment, each once; skips hours and minutes that have passed. */
function* timesOn(day: Date, [hours, minutes, seconds]: Times, after: Date): Generator<Date, undefined> {
  let last = after
  for (const hour of hours) {
    if (momentOf(day, hour, 59, 59) <= last) continue
    for (const minute of minutes) {
      if (momentOf(day, hour, minute, 59) <= last) continue
      for (const second of seconds) {
        const moment = momentOf(day, hour, minute, second)
        if (moment <= last) continue
        yield (last = moment)
      }
    }
  }
  return undefined
}

/**
 * The first moment at which the server's clock shows a time, or, if the clock skips that time, the moment after the
 * skip.
 */
function momentOf(day: Date, hour: number, minute: number, second: number): Date {
  const moment = new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour, minute, second)
  return moment.getHours() === hour && moment.getMinutes() === minute ? moment : changeBefore(moment)
}

/** The moment of the clock's last change, less than a day ago, to the second. */
function changeBefore(moment: Date): Date {
  const offset = moment.getTimezoneOffset()
  let after = Math.floor(moment.getTime() / 1000)
  let before = after - 24 * 60 * 60
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (new Date(middle * 1000).getTimezoneOffset() === offset) after = middle
    else before = middle
  }
  return new Date(after * 1000)
}
