/** The day of a moment in the server's time zone, `yyyy-MM-dd`: a scan belongs to the day it started. */
export const dayOf = (moment: Date): string => moment.toLocaleDateString('en-CA')

export const today = (): string => dayOf(new Date())
