/** Time zone of the user. */
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-21 14:02:31` in a time zone. */
export function momentIn(timeZone: string, at: string | number | Date): string {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium', hourCycle: 'h23' })
  formats.set(timeZone, format)
  return format.format(new Date(at))
}
