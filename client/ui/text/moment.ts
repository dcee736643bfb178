import { momentIn, timeZone } from './timeZone.ts'

/* All moments are shown in the time zone of the server. */

type When = string | number | Date

/** `2026-11-21` */
export const dayText = (at: When): string => momentIn(timeZone, at).slice(0, -' 14:02:31'.length)

/** `14:02:31` */
export const timeText = (at: When): string => momentIn(timeZone, at).slice(-'14:02:31'.length)

/** `2026-11-21 14:02` */
export const momentText = (at: When): string => momentIn(timeZone, at).slice(0, -':31'.length)

/** `2026-11-21 14:02 Europe/Berlin, 5 minutes ago`, as a hint. */
export const hintText = (at: When): string => `${momentText(at)} ${timeZone}, ${agoText(at)}`

/** `5 minutes ago`. Always shown together with the exact time. */
export function agoText(at: When, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - new Date(at).getTime()) / 1_000))
  if (seconds < 60) return 'just now'
  const [count, unit] =
    seconds < 3_600
      ? [Math.floor(seconds / 60), 'minute']
      : seconds < 86_400
        ? [Math.floor(seconds / 3_600), 'hour']
        : [Math.floor(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}
