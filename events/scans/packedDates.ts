/**
 * Dates before this one, in seconds UTC, are no dates of files: zero of Unix and of ZIP archives (1979-11-30 and 1980-01-01), RubyGems
 * (1980-01-02), and Gradle (1980-02-01), each in the time zone of the machine that packed.
 */
export const firstOwnDate = Date.UTC(1980, 1, 2) / 1000

/** Dates that packagers write to the second: Yarn, npm, Cargo, Hatch. */
export const packagersDates: readonly number[] = [
  '1984-06-22T21:50:00Z',
  '1985-10-26T08:15:00Z',
  '2006-07-24T01:21:28Z',
  '2020-02-02T00:00:00Z',
].map((at) => Date.parse(at) / 1000)

/** Time zones differ from UTC by up to 14 hours, in quarters of an hour. */
export const maxZoneSeconds = 14 * 3_600
export const zoneStepSeconds = 900

/**
 * Returns whether a date says nothing about a file, since programs write it to all files that they pack: one of the above, or midnight of a
 * New Year's Day in any time zone (2000-01-01, 2010-01-01, 2020-01-01 and others: Bazel, images of systems, SOURCE_DATE_EPOCH). Seconds UTC.
 */
export function isPackedDate(seconds: number): boolean {
  if (seconds < firstOwnDate || packagersDates.includes(seconds)) return true
  if (seconds % zoneStepSeconds !== 0) return false
  const newYear = Date.UTC(new Date((seconds + maxZoneSeconds) * 1000).getUTCFullYear(), 0, 1) / 1000
  return Math.abs(seconds - newYear) <= maxZoneSeconds
}
