import { z } from 'zod'
import { Capacity } from './capacity.ts'
import { Day, daysBefore, monthsBefore } from './contract/days.ts'
import { AtDate, Id, endpoint } from './contract/endpoint.ts'
import { writtenInt } from './contract/numbers.ts'
import { Direction, PageQuery, pageOf } from './contract/page.ts'
import { VersionCounts } from './scans/lifecycle.ts'
import { StoragePrice } from './price-books.ts'

/**
 * The ages by which files are counted, from the asked date back: '3 month' holds what is older than '1 month' and at most
 * three months old. What lies ahead of the date counts as youngest, what is beyond ten years as 'older', and files whose
 * date is not known, or that were never backed up, as 'unknown'.
 */
export const ageBuckets = [
  { key: '1 week', days: 7 },
  ...[1, 3, 6].map((months) => ({ key: `${months} month`, months })),
  ...[1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 4, 5, 6, 7, 8, 9, 10].map((years) => ({
    key: `${years} year`,
    months: years * 12,
  })),
] as const satisfies { key: string; days?: number; months?: number }[]
/** The first day of each of these ages, as seen from a day; what lies before the last is 'older'. */
export const firstDaysOfAges = (day: string): string[] =>
  ageBuckets.map((bucket) => ('days' in bucket ? daysBefore(day, bucket.days) : monthsBefore(day, bucket.months)))
export const olderAge = 'older'
export const unknownBucket = 'unknown'

/** The sizes by which files are counted, each four times the one before: '16KB' holds 4 KB and more, and less than 16 KB. */
export const sizeBuckets = Array.from({ length: 15 }, (_, i) => ({
  key: `${4 ** ((i + 1) % 5)}${['KB', 'MB', 'GB', 'TB'][Math.floor((i + 1) / 5)]}`,
  below: 4096 * 4 ** i,
}))
export const largerSize = 'larger'

/** Under this key stands what has none of the largest extensions; no extension has a dot. Without one the key is ''. */
export const otherExtensions = '...'
export const largestExtensions = 30

const Share = z.object({ numberOfFiles: z.number(), sizeOfFiles: z.number() })
/** By key; a key that no file has is left out. */
const Shares = z.record(z.string(), Share)
export type Shares = z.infer<typeof Shares>

/** Files of a storage by what they are like. Bytes. */
export const StorageStatistics = z.object({
  SIZE: Shares,
  MODIFIED_DATE: Shares,
  ACCESS_DATE: Shares,
  CREATION_DATE: Shares,
  BACKUP_DATE: Shares,
  EXTENSION: Shares,
  STORAGE_CLASS: Shares,
})
export type StorageStatistics = z.infer<typeof StorageStatistics>

/** A storage as one snapshot has it. Bytes, milliseconds; `crawlDuration` is that of the scan which the snapshot shows. */
export const DetailedVolume = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  /** Where it lies, as users write it. */
  fullPath: z.string(),
  /** The agent whose scan the snapshot shows; null of one that is not known any more. */
  server: z.object({ id: z.int(), name: z.string() }).nullable(),
  ...Capacity.shape,
  /** The names of the other storages on the same file system. */
  sharedWith: z.array(z.string()),
  sizeOfFiles: z.number(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  indexingDate: z.string(),
  crawlDuration: z.number().nullable(),
  /** The product behind it, such as 'Amazon S3'; null where nothing tells it. */
  productName: z.string().nullable(),
  isPartial: z.boolean(),
  /** Of a bucket whose versions are counted, or why they could not be; else null. */
  versions: VersionCounts.nullable(),
  versionsFailure: z.string().nullable(),
  /** The moment of the S3 Inventory that was read instead of listing; null where it was listed. */
  inventoryAt: z.string().nullable(),
  /** The price that applied on that date; null without a price book. */
  storagePrice: StoragePrice.nullable(),
  statistics: StorageStatistics,
})
export type DetailedVolume = z.infer<typeof DetailedVolume>

const Between = z.object({
  from: Day.optional(),
  to: Day.optional(),
  /** 'false' leaves the statistics empty, for lines through many days. */
  statistics: z.enum(['true', 'false'], 'must be true or false').default('true'),
})

/** A storage through time: its snapshots of the days from one to another, both included, newest first. */
export const detailedVolume = endpoint({
  method: 'GET',
  path: '/v1/detailedVolumes/:id',
  needs: 'snapshots.see',
  failure: 'Error while fetching volume details',
  params: Id,
  query: z.intersection(z.intersection(AtDate, Between), PageQuery),
  answer: pageOf(DetailedVolume),
})

export const storageSorts = ['CREATED_AT', 'NAME', 'TYPE', 'CAPACITY_USED', 'CAPACITY_TOTAL'] as const

/** A storage that is set up, with the capacity that the asked date shows. Bytes; null where it is not known. */
export const Storage = z.object({
  id: z.int(),
  name: z.string(),
  /** What it is signed in to with; of a share the name of its credentials. Folders have none. */
  account: z.string().nullable(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  stats: z.object({
    capacityUsed: Capacity.shape.used,
    capacityTotal: Capacity.shape.total,
    capacityFree: Capacity.shape.free,
    fileSystem: Capacity.shape.fileSystem,
  }),
})
export type Storage = z.infer<typeof Storage>

const inUpperCase = (word: unknown): unknown => (typeof word === 'string' ? word.toUpperCase() : word)

/** The storages that are set up; `endCursor` of one answer asks for the next. */
export const storages = endpoint({
  method: 'GET',
  path: '/v1/storages',
  needs: 'snapshots.see',
  failure: 'Unable to fetch the storages',
  query: AtDate.extend({
    size: writtenInt(1, 1000).default(1000),
    sort: z.preprocess(inUpperCase, z.enum(storageSorts).default('CREATED_AT')),
    direction: Direction.default('desc'),
    endCursor: z
      .string()
      .max(4_096)
      .optional()
      .transform((cursor) => cursor || undefined),
  }),
  answer: z.object({
    elements: z.array(Storage),
    startCursor: z.string().nullable(),
    endCursor: z.string().nullable(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    size: z.int(),
    sort: z.enum(storageSorts),
    direction: z.enum(['asc', 'desc']),
    /** Of which day the capacities are; null before anything was indexed. */
    indexingDate: z.string().nullable(),
  }),
})

/** How far back the dashboard looks for the most active storages, in days. */
export const activityDurations = [1, 3, 7, 30, 90, 365] as const

/** How much a storage grew or shrank between two snapshots. Bytes; the percentage is of the size before, null of nothing. */
export const ActiveVolume = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  indexingDate: z.string(),
  previousIndexingDate: z.string(),
  sizeOfFiles: z.number(),
  previousSizeOfFiles: z.number(),
  variation: z.number(),
  variationPercentage: z.number().nullable(),
})
export type ActiveVolume = z.infer<typeof ActiveVolume>

/** The storages whose size changed most over the last days, largest change first. */
export const mostActiveVolumes = endpoint({
  method: 'GET',
  path: '/v1/volumes/mostActiveVolumes',
  needs: 'snapshots.see',
  failure: 'Error while getting the most active storages',
  query: AtDate.extend({
    size: writtenInt(1, 1000).default(10),
    type: z.literal('days', 'must be days').default('days'),
    duration: writtenInt(1, 36_500).default(30),
  }),
  answer: z.array(ActiveVolume),
})
