const day = 86_400
const monday = (text: string): number => Date.parse(`${text}T00:00:00Z`) / 1000

/** Ten Mondays, or as many as `BENCH_WEEKS` says, each with a scan of every volume. */
const weeks = Number(process.env['BENCH_WEEKS'] ?? 10)
const first = monday('2026-11-16') - (weeks - 1) * 7 * day
const starts = Array.from({ length: weeks }, (_, week) => first + week * 7 * day)

/** Start of each snapshot's day in seconds UTC, and the days. */
export const snapshotStarts: readonly number[] = starts
export const snapshotDates: readonly string[] = starts.map((start) => new Date(start * 1000).toISOString().slice(0, 10))

/** Files that are not new since the first scan were written in the ten years before it. */
export const oldest = first - 3_652 * day
export const newest = first - day
