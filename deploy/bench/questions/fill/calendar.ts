const day = 86_400
const monday = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000

/** Ten Mondays, each with a scan of every volume. */
const first = monday('2026-09-14')
const starts = Array.from({ length: 10 }, (_, week) => first + week * 7 * day)

/** Seconds UTC at which each snapshot's day begins, and the days themselves. */
export const snapshotStarts: readonly number[] = starts
export const snapshotDates: readonly string[] = starts.map((start) => new Date(start * 1000).toISOString().slice(0, 10))

/** What is not new since the first scan was written in the ten years before it. */
export const oldest = first - 3_652 * day
export const newest = first - day
