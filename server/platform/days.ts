/** The day of a moment in the server's time zone, `yyyy-MM-dd`; a scan counts for the day it started. */
export const dayOf = (moment: Date): string => moment.toLocaleDateString('en-CA')

export const today = (): string => dayOf(new Date())

/** Start of a day in the server's time zone, in seconds UTC. */
export const startOfDay = (day: string): number => new Date(`${day}T00:00:00`).getTime() / 1000

/** The time zone of days and schedules, as determined at the start (see `events/node`). */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
