import { clockText, readTime } from '#client/parts/cron/timing.ts'
import { timeZone } from '#client/ui/text/timeZone.ts'

/** `07:30` for any way to type it; other text stays, for its error. */
export function clock(text: string): string {
  const time = readTime(text)
  return time ? clockText(time.hour, time.minute) : text
}

type QuietHours = { quietFrom: string; quietTo: string }

/** `From 22:00 to 06:00 on the next day, in the server's time zone (America/Denver)`; empty if a time is invalid. */
export function quietHoursText({ quietFrom, quietTo }: QuietHours): string {
  if (!readTime(quietFrom) || !readTime(quietTo)) return ''
  const [from, to] = [clock(quietFrom), clock(quietTo)]
  return `From ${from} to ${to}${to < from ? ' on the next day' : ''}, in the server's time zone (${timeZone})`
}
