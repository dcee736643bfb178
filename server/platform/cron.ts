import { cronFields, cronNumbers, cronParts, cronProblem, frequencyProblem } from '#events/schedules/cron.ts'
import { cronDays } from './cronDays.ts'
import { invalid } from './problem.ts'

/**
 * Yields the times of an expression after a moment, in the server's time zone, at most one in a minute. A named time of day occurs once a day:
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

/**
 * Throws 400 on `cron` if the expression is invalid, runs more than once a minute or has no future time. A stored expression of an
 * earlier version may name more times in a minute, so that its schedule can still be paused or renamed.
 */
export function checkCron(text: string, now: Date, stored: string | null = null): void {
  const problem = cronProblem(text) ?? (text === stored ? undefined : frequencyProblem(text))
  if (problem) invalid('cron', problem)
  if (nextTimes(text, now, 1).length === 0) invalid('cron', 'has no future times')
}

const [secondsField, minutesField, hoursField] = cronFields
const allHours = hoursField.max + 1
const hoursOf = (text: string): number[] => cronNumbers(cronParts(text)[2] ?? '*', hoursField)
const everyHour = (text: string): boolean => hoursOf(text).length === allHours

const timesOf = (text: string): Times => {
  const [seconds = '*', minutes = '*'] = cronParts(text)
  const [second = 0] = cronNumbers(seconds, secondsField)
  return [hoursOf(text), cronNumbers(minutes, minutesField), second]
}

const minuteMs = 60_000

/** Counts elapsed minutes, so that an hour that the clock shows twice counts twice. */
function* real(text: string, after: Date): Generator<Date, undefined> {
  const [, minutes, second] = timesOf(text)
  for (const day of cronDays(text, dayOf(after))) {
    const end = momentOf(new Date(day.getTime() + 24 * 60 * minuteMs), 0, 0, 0).getTime()
    const from = Math.max(momentOf(day, 0, 0, 0).getTime(), Math.floor(after.getTime() / minuteMs) * minuteMs)
    for (let minute = from; minute < end; minute += minuteMs) {
      if (!minutes.includes(new Date(minute).getMinutes())) continue
      if (minute + second * 1000 > after.getTime()) yield new Date(minute + second * 1000)
    }
  }
  return undefined
}

/** Days are from the calendar, without a clock; the times of each day from the server's clock. */
function* named(text: string, after: Date): Generator<Date, undefined> {
  const times = timesOf(text)
  let last = after
  // A time skipped late on the previous day may fall on this day.
  for (const day of cronDays(text, dayOf(after, -1))) for (const time of timesOn(day, times, last)) yield (last = time)
  return undefined
}

/** The day that the server's clock shows at a moment, or another one near it, as a midnight in UTC. */
const dayOf = (moment: Date, offset = 0): Date =>
  new Date(Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate() + offset))

type Times = readonly [hours: number[], minutes: number[], second: number]

/** Yields the times of a day after a moment, each once; skips hours and minutes that have passed. */
function* timesOn(day: Date, [hours, minutes, second]: Times, after: Date): Generator<Date, undefined> {
  let last = after
  for (const hour of hours) {
    if (momentOf(day, hour, 59, 59) <= last) continue
    for (const minute of minutes) {
      const moment = momentOf(day, hour, minute, second)
      if (moment <= last) continue
      yield (last = moment)
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
