import { Cron } from 'croner'
import { cronFields, cronNumbers, cronParts, cronProblem } from '#events/schedules/cron.ts'
import { invalid } from './problem.ts'

/**
 * The times of an expression after a moment, one after another, in the server's time zone. A time of day that is named comes
 * once a day: one that the clock leaves out comes when it goes on, of one that comes twice the first counts. Where every
 * hour is named, times go on by the real clock. Takes what `cronProblem` lets pass.
 */
export const timesAfter = (text: string, after: Date): Generator<Date, undefined> =>
  everyHour(text) ? real(text, after) : named(text, after)

/** The next of them, at most `count`; fewer when there are no more. */
export function nextTimes(text: string, after: Date, count: number): Date[] {
  const times = timesAfter(text, after)
  const next = Array.from({ length: count }, () => times.next().value)
  return next.filter((time) => time !== undefined)
}

/** Throws 400 on `cron` when the expression cannot be read, or has no time to come. */
export function checkCron(text: string, now: Date): void {
  const problem = cronProblem(text)
  if (problem) invalid('cron', problem)
  if (nextTimes(text, now, 1).length === 0) invalid('cron', 'has no time that is still to come')
}

const [secondsField, minutesField, hoursField] = cronFields
const allHours = hoursField.max + 1
const hoursOf = (text: string): number[] => cronNumbers(cronParts(text)[2] ?? '*', hoursField)
const everyHour = (text: string): boolean => hoursOf(text).length === allHours

const options = { paused: true, alternativeWeekdays: true, sloppyRanges: true } as const

/** Without a zone, times are those of the server. */
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

/** The days come from the calendar, which knows no clock; the times of each day from what the clock makes of them. */
function* named(text: string, after: Date): Generator<Date, undefined> {
  const [seconds = '*', minutes = '*', , ...days] = cronParts(text)
  const calendar = read(['0 0 0', ...days].join(' '), 'UTC')
  const times = [hoursOf(text), cronNumbers(minutes, minutesField), cronNumbers(seconds, secondsField)] as const
  // A time that the clock left out late on the day before may come today.
  const dayBefore = new Date(Date.UTC(after.getFullYear(), after.getMonth(), after.getDate() - 1) - 1)
  let last = after
  for (let day = calendar.nextRun(dayBefore); day; day = calendar.nextRun(day)) {
    for (const time of timesOn(day, times, last)) yield (last = time)
  }
  return undefined
}

type Times = readonly [hours: number[], minutes: number[], seconds: number[]]

/** The times of a day after a moment, each once; hours and minutes that are over are passed by. */
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

/** When the server's clock shows a time for the first time; for one that it leaves out, when it goes on after that. */
function momentOf(day: Date, hour: number, minute: number, second: number): Date {
  const moment = new Date(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour, minute, second)
  return moment.getHours() === hour && moment.getMinutes() === minute ? moment : changeBefore(moment)
}

/** The moment of the clock's last change, which is less than a day ago, to the second. */
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
