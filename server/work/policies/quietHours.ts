import type { QuietHours } from '#events/policies/policies.ts'

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/**
 * Returns whether a moment is in quiet hours, by the clock on the wall: hours that the clock skips or repeats are quiet too. Hours that end at or
 * before their start end on the next day.
 */
export function isQuiet(quiet: QuietHours | null, now: Date): boolean {
  if (!quiet) return false
  const [from, to, minute] = [minuteOf(quiet.from), minuteOf(quiet.to), now.getHours() * 60 + now.getMinutes()]
  const today = quiet.days.includes(now.getDay())
  if (from < to) return today && minute >= from && minute < to
  return (today && minute >= from) || (quiet.days.includes((now.getDay() + 6) % 7) && minute < to)
}
