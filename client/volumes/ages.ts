import { ageBuckets, firstDaysOfAges, olderAge } from '#events/storages.ts'

/** An age as bars say it, with the days that it holds: from `after` on, and before `before`. */
export type Age = { key: string; label: string; short: string; after: string | undefined; before: string | undefined }

/** The ages of files on a day, youngest first. Files without a date have none. */
export function agesOn(day: string): Age[] {
  const begins = firstDaysOfAges(day)
  const younger = ageBuckets.map(({ key }, place) => ({
    key,
    label: place === 0 ? `Up to ${inWords(key)}` : `${inWords(ageBuckets[place - 1]?.key ?? '')} to ${inWords(key)}`,
    short: inShort(key),
    after: begins[place],
    before: begins[place - 1],
  }))
  const last = ageBuckets.at(-1)?.key ?? ''
  const older = { key: olderAge, label: `Over ${inWords(last)}`, short: `>${inShort(last)}` }
  return [...younger, { ...older, after: undefined, before: begins.at(-1) }]
}

/** `1 week`, `3 months`, `1.25 years` */
function inWords(key: string): string {
  const [number, unit] = key.split(' ')
  return `${number} ${unit}${number === '1' ? '' : 's'}`
}

/** `1w`, `3m`, `1.25y` */
const inShort = (key: string): string => key.replace(/ (\w).*/, '$1')
