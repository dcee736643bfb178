import { withExtension } from '#events/search-filters.ts'
import { type StorageStatistics, unknownBucket } from '#events/storages.ts'
import { agesOn } from './ages.ts'
import { sizeRanges } from './sizeRanges.ts'

/** What a search is asked for, in the words of its address. */
export type SearchWords = Record<string, string | string[]>

/** One bar of a distribution. What cannot be searched for has no words. */
export type Bucket = { key: string; label: string; short?: string; search: SearchWords | undefined }

/** How the files of a storage are divided. */
export type Statistic = {
  key: keyof StorageStatistics
  title: string
  /** Only what files of such a storage have is shown. */
  isOf: (type: string) => boolean
  /** In their order; without it the largest come first, and the rest as one. */
  buckets?: (day: string) => Bucket[]
  /** How a key that has no place in an order is called and searched for. */
  item?: (key: string) => Omit<Bucket, 'key'>
}

const every = () => true

export const statistics: Statistic[] = [
  { key: 'SIZE', title: 'File Size Distribution', isOf: every, buckets: sizes },
  { key: 'MODIFIED_DATE', title: 'Last Modified', isOf: every, buckets: dates('lastModified') },
  {
    key: 'ACCESS_DATE',
    title: 'Last Access',
    isOf: (type) => type === 'crawl.files',
    buckets: dates('lastAccess'),
  },
  { key: 'CREATION_DATE', title: 'Creation', isOf: (type) => type !== 'AWS-S3', buckets: dates('creation') },
  { key: 'BACKUP_DATE', title: 'Backup', isOf: (type) => type === 'Archiware', buckets: dates('backup') },
  { key: 'EXTENSION', title: 'Extensions', isOf: every, item: extension },
  {
    key: 'STORAGE_CLASS',
    title: 'Storage Classes',
    isOf: (type) => type === 'AWS-S3',
    item: (key) => ({ label: key || 'No storage class', search: undefined }),
  },
]

function sizes(): Bucket[] {
  const known = sizeRanges.map(({ least, most, ...range }) => ({
    ...range,
    search: {
      ...(least !== undefined && { minimumSize: String(least) }),
      ...(most !== undefined && { maximumSize: String(most) }),
    },
  }))
  return [...known, { key: unknownBucket, label: 'Size unknown', short: '?', search: undefined }]
}

/** By age; each holds the files of some days. */
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

/** What has no extension is found by leaving out all that has one; a list of extensions is read without dots and commas. */
function extension(key: string): Omit<Bucket, 'key'> {
  if (key === '') return { label: 'No extension', search: { ignorePattern: withExtension } }
  return { label: key, search: /[,.\s]/.test(key) ? { name: `*.${key}` } : { extension: key } }
}
