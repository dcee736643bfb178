const day = 86_400
const monday = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000

/** Ten Mondays, each with a scan of every volume. */
const first = monday('2026-09-14')
const starts = Array.from({ length: 10 }, (_, week) => first + week * 7 * day)

/** Start of each snapshot's day in seconds UTC, and the days. */
export const snapshotStarts: readonly number[] = starts
export const snapshotDates: readonly string[] = starts.map((start) => new Date(start * 1000).toISOString().slice(0, 10))

/** Files that are not new since the first scan were written in the ten years before it. */
export const oldest = first - 3_652 * day
export const newest = first - day
