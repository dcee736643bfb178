import { type SizeBase, tickSize } from '#client/ui/text/size.ts'
import { withExtension } from '#events/search/filters.ts'
import { literalPattern } from '#events/search/patterns.ts'
import { isKnownOf } from '#events/sources/kinds.ts'
import {
  type StorageStatistics,
  unknownBucket,
  ageBuckets,
  firstDaysOfAges,
  olderAge,
  largerSize,
  sizeBuckets,
} from '#events/storages.ts'

/** A range of sizes with its label, in bytes, inclusive. */
type SizeRange = {
  key: string
  label: string
  short: string
  min: number | undefined
  max: number | undefined
}

/** Size ranges in ascending order, with labels in the units of lists. */
export function sizeRanges(base: SizeBase): SizeRange[] {
  const words = (bytes: number) => tickSize(bytes, base)
  const known = sizeBuckets.map(({ key, below }, place) => {
    const min = sizeBuckets[place - 1]?.below
    const label = min === undefined ? `Under ${words(below)}` : `${words(min)} to ${words(below)}`
    return { key, label, short: words(below), min, max: below - 1 }
  })
  const last = sizeBuckets.slice(-1).map(({ below }) => ({
    key: largerSize,
    label: `${words(below)} and larger`,
    short: `>${words(below)}`,
    min: below,
    max: undefined,
  }))
  return [...known, ...last]
}

/** Query parameters of a search. */
export type SearchParams = Record<string, string | string[]>

/** A bar of a distribution. Bars that can't be searched have no query parameters. */
export type Bucket = { key: string; label: string; short?: string; search: SearchParams | undefined }

/** A distribution of the files of a storage. */
export type Statistic = {
  key: keyof StorageStatistics
  title: string
  /** Returns true for types of storage whose files have the attribute. */
  isOf: (type: string) => boolean
  /** Ordered buckets; without it, the largest items are shown, and the rest as one. */
  buckets?: (day: string, base: SizeBase) => Bucket[]
  /** Label and search of a key outside the ordered buckets. */
  item?: (key: string) => Omit<Bucket, 'key'>
}

const every = () => true
const knows = (key: keyof StorageStatistics) => (type: string) => isKnownOf(type, key)

export const statistics: Statistic[] = [
  { key: 'SIZE', title: 'File Size Distribution', isOf: every, buckets: sizes },
  { key: 'MODIFIED_DATE', title: 'Last Modified', isOf: every, buckets: dates('lastModified') },
  {
    key: 'ACCESS_DATE',
    title: 'Last Access',
    isOf: knows('ACCESS_DATE'),
    buckets: dates('lastAccess'),
  },
  { key: 'CREATION_DATE', title: 'Creation', isOf: knows('CREATION_DATE'), buckets: dates('creation') },
  { key: 'BACKUP_DATE', title: 'Backup', isOf: knows('BACKUP_DATE'), buckets: dates('backup') },
  { key: 'EXTENSION', title: 'Extensions', isOf: every, item: extension },
  {
    key: 'STORAGE_CLASS',
    title: 'Storage Classes',
    isOf: knows('STORAGE_CLASS'),
    item: (key) => ({ label: storageClassText(key), search: undefined }),
  },
]

/** Label of a storage class. */
export function storageClassText(storageClass: string): string {
  return storageClass || 'No storage class'
}

function sizes(_: string, base: SizeBase): Bucket[] {
  const known = sizeRanges(base).map(({ min, max, ...range }) => ({
    ...range,
    search: {
      ...(min !== undefined && { minimumSize: String(min) }),
      ...(max !== undefined && { maximumSize: String(max) }),
    },
  }))
  return [...known, { key: unknownBucket, label: 'Size unknown', short: '?', search: undefined }]
}

/** Buckets by age, in days. */
function dates(field: 'lastModified' | 'lastAccess' | 'creation' | 'backup') {
  return (day: string): Bucket[] => [
    ...agesOn(day).map(({ after, before, ...age }) => ({
      ...age,
      search: {
        ...(after !== undefined && { [`${field}After`]: after }),
        ...(before !== undefined && { [`${field}Before`]: before }),
      },
    })),
    { key: unknownBucket, label: 'Date unknown', short: '?', search: undefined },
  ]
}

/**
 * Files without an extension are found by excluding all files with one. Extensions with commas are searched by
 * name.
 */
function extension(key: string): Omit<Bucket, 'key'> {
  if (key === '') return { label: 'No extension', search: { ignorePattern: withExtension } }
  return { label: key, search: key.includes(',') ? { name: `*.${literalPattern(key)}` } : { extension: key } }
}

/** An age with its label and its range of days: from `after`, before `before`. */
type Age = { key: string; label: string; short: string; after: string | undefined; before: string | undefined }

/** Ages of files on a day, youngest first. Files without a date have none. */
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
