const two = (count: number) => String(count).padStart(2, '0')
type When = string | number | Date

/** `2026-11-21`, in the user's time zone. */
export function dayText(at: When): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `14:02:31` */
export function timeText(at: When): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** `2026-11-21 14:02` */
export const momentText = (at: When): string => `${dayText(at)} ${timeText(at).slice(0, 5)}`

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

const long = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** `November 21, 2026 14:02:31`, for job lists. */
export const longMomentText = (at: When): string => `${long.format(new Date(at))} ${timeText(at)}`
