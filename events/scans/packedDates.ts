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

/** New Year's Days whose midnight packagers write in the time zone of the machine: rules_pkg, Bazel, Flit. */
const packagersDays: readonly number[] = ['2000-01-01', '2010-01-01', '2016-01-01'].map((day) => Date.parse(day) / 1000)

/** Time zones differ from UTC by up to 14 hours, in quarters of an hour. */
const maxZoneSeconds = 14 * 3_600
export const zoneStepSeconds = 900

/** Seconds UTC of the first and last midnight of each of these days on earth. */
export const packagersMidnights: readonly (readonly [number, number])[] = packagersDays.map((day) => [
  day - maxZoneSeconds,
  day + maxZoneSeconds,
])

/**
 * Returns whether a date says nothing about a file, since programs write it to all files that they pack: one of the above, or one of the
 * midnights in any time zone. Seconds UTC.
 */
export function isPackedDate(seconds: number): boolean {
  if (seconds < firstOwnDate || packagersDates.includes(seconds)) return true
  return (
    seconds % zoneStepSeconds === 0 && packagersMidnights.some(([first, last]) => first <= seconds && seconds <= last)
  )
}
