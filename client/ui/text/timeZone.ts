/** Time zone of the user. */
export const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Time zone of the server, which days are shown, filtered and exported in, so that a list shows the same day of a file as the filter that found
 * it. The server writes it into the page; without that, it is the user's.
 */
export const timeZone =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="time-zone"]')?.content || ownTimeZone

/** Shown wherever days are filtered. */
export const daysAreIn = `Days begin at midnight in ${timeZone}, the server's time zone.`

/** Single parts, because browsers of 2019 on wall displays ignore `dateStyle`. */
const numeric = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const

const formats = new Map<string, Intl.DateTimeFormat>()

/** `2026-11-21 14:02:31` in a time zone. */
export function momentIn(timeZone: string, at: string | number | Date): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, hourCycle: 'h23', ...numeric })
  formats.set(timeZone, format)
  return format.format(new Date(at))
}

/** The moment of a local date and time, `2026-11-21T14:02:31`, in a time zone; NaN for other texts. Milliseconds UTC. */
export function readMomentIn(timeZone: string, local: string): number {
  const wanted = Date.parse(`${local}Z`)
  if (Number.isNaN(wanted)) return wanted
  const offsetAt = (at: number) => Date.parse(`${momentIn(timeZone, at).replace(' ', 'T')}Z`) - at
  const seconds = Math.floor(wanted / 1000) * 1000
  // The offset may differ at the moment itself, next to a change of the clock.
  return seconds - offsetAt(seconds - offsetAt(seconds))
}
