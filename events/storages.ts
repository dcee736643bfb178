import { z } from 'zod'
import { ImportOrigin } from './imports/formats.ts'
import { Capacity, LimitedPart } from './capacity.ts'
import { Day, daysBefore, monthsBefore } from './contract/days.ts'
import { AtDate, AtTime, Id, endpoint } from './contract/endpoint.ts'
import { writtenInt } from './contract/numbers.ts'
import { Direction, PageQuery, pageOf } from './contract/page.ts'
import { LiveState } from './feeds/liveState.ts'
import { notEnteredReasons } from './scans/notEntered.ts'
import { VersionCounts } from './scans/lifecycle.ts'
import { OtherSizes } from './contract/sizeBasis.ts'
import { StoragePrice } from './price-books.ts'

/**
 * Age groups of files, counted back from the requested date: '3 month' holds files older than '1 month' and at most
 * three months old. Dates over ten years ago count as 'older', and files with an unknown date, or that were never backed
 * up, as 'unknown'.
 */
export const ageBuckets = [
  { key: '1 week', days: 7 },
  ...[1, 3, 6].map((months) => ({ key: `${months} month`, months })),
  ...[1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 4, 5, 6, 7, 8, 9, 10].map((years) => ({
    key: `${years} year`,
    months: years * 12,
  })),
] as const satisfies { key: string; days?: number; months?: number }[]
/** First day of each age group, seen from a day; earlier days are 'older'. */
export const firstDaysOfAges = (day: string): string[] =>
  ageBuckets.map((bucket) => ('days' in bucket ? daysBefore(day, bucket.days) : monthsBefore(day, bucket.months)))
export const olderAge = 'older'
export const unknownBucket = 'unknown'

/** Size groups of files, each four times the previous: '16KB' holds 4 KB and more, and less than 16 KB. */
export const sizeBuckets = Array.from({ length: 15 }, (_, i) => ({
  key: `${4 ** ((i + 1) % 5)}${['KB', 'MB', 'GB', 'TB'][Math.floor((i + 1) / 5)]}`,
  below: 4096 * 4 ** i,
}))
export const largerSize = 'larger'

/**
 * Key for files with none of the largest extensions; no extension has a dot. Files without an extension have the key
 * ''.
 */
export const otherExtensions = '...'
export const largestExtensions = 30

/** A folder of a storage that its scans do not enter; see `NotEntered`. Its path is relative to the storage. */
const NotEnteredFolder = z.object({ path: z.string(), reason: z.enum(notEnteredReasons), detail: z.string() })
/** Their number, and the first ones by path. File systems of the kernel don't count. */
export const NotEnteredFolders = z.object({ count: z.int(), folders: z.array(NotEnteredFolder) })
export type NotEnteredFolders = z.infer<typeof NotEnteredFolders>

/**
 * Meaning of the access times of a storage: `frozen` if reading files doesn't change them, `missing` if no file has any. In both cases no file
 * counts as cold.
 */
const AccessTimes = z.enum(['recorded', 'frozen', 'missing'])
export type AccessTimes = z.infer<typeof AccessTimes>

const Share = z.object({ numberOfFiles: z.number(), sizeOfFiles: z.number() })
/** By key. Keys without files are left out. */
const Shares = z.record(z.string(), Share)
export type Shares = z.infer<typeof Shares>

/** Statistics of the files of a storage. Bytes. */
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

/** A storage in one snapshot. Bytes, milliseconds; `crawlDuration` is that of the scan in the snapshot. */
export const DetailedVolume = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  path: z.string(),
  /** Full path of the storage, as users write it. */
  fullPath: z.string(),
  /** Agent that ran the scan in the snapshot; null if it is no longer known. */
  server: z.object({ id: z.int(), name: z.string() }).nullable(),
  ...Capacity.shape,
  /** Names of the other storages on the same file system. */
  sharedWith: z.array(z.string()),
  sizeOfFiles: z.number(),
  ...OtherSizes.shape,
  /** The file system reports no space on disk for some files, so that of their apparent size counts. */
  lacksSizesOnDisk: z.boolean(),
  /** Copies on its file system may share their space on disk (reflinks), so that deleting one may free less than its size. */
  mayShareSpace: z.boolean(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  indexingDate: z.string(),
  /** Day of the scan in the snapshot. It is an earlier one if the storage was not scanned on the day of the snapshot. */
  scannedOn: z.string(),
  crawlDuration: z.number().nullable(),
  /** Product behind the storage, such as 'Amazon S3'; null if unknown. */
  productName: z.string().nullable(),
  isPartial: z.boolean(),
  /** Origin of a snapshot that was imported. */
  imported: ImportOrigin.optional(),
  notEntered: NotEnteredFolders,
  accessTimes: AccessTimes,
  /** Version counts of a bucket whose versions are counted, or the reason why they could not be; else null. */
  versions: VersionCounts.nullable(),
  versionsFailure: z.string().nullable(),
  /** Time of the S3 Inventory that was read instead of listing; null if the bucket was listed. */
  inventoryAt: z.string().nullable(),
  /** The price that applied on that date; null without a price book. */
  storagePrice: StoragePrice.nullable(),
  statistics: StorageStatistics,
  /** Of a part of a storage, what belongs to the scan as a whole is left out: statistics, agent, duration and versions. */
  ...LimitedPart.shape,
})
export type DetailedVolume = z.infer<typeof DetailedVolume>

const Between = z.object({
  from: Day.optional(),
  to: Day.optional(),
  /** 'false' leaves the statistics empty, for charts over many days. */
  statistics: z.enum(['true', 'false'], 'must be true or false').default('true'),
})

const read = { method: 'GET', needs: 'snapshots.see', limitedBy: 'storages' } as const

/** Snapshots of a storage from one day to another, both included, newest first. */
export const detailedVolume = endpoint({
  path: '/v1/detailedVolumes/:id',
  ...read,
  failure: 'Error while fetching volume details',
  params: Id,
  query: z.intersection(z.intersection(AtDate, Between), PageQuery),
  answer: pageOf(DetailedVolume),
})

export const storageSorts = ['CREATED_AT', 'NAME', 'TYPE', 'CAPACITY_USED', 'CAPACITY_TOTAL'] as const

/** A configured storage, with the capacity on the requested date. Bytes; null if unknown. */
export const Storage = z.object({
  id: z.int(),
  name: z.string(),
  /** Account used to sign in; for a share the name of its credentials. Folders have none. */
  account: z.string().nullable(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  stats: z.object({
    capacityUsed: Capacity.shape.used,
    capacityTotal: Capacity.shape.total,
    capacityFree: Capacity.shape.free,
    fileSystem: Capacity.shape.fileSystem,
  }),
  live: LiveState,
  ...LimitedPart.shape,
})
export type Storage = z.infer<typeof Storage>

const inUpperCase = (word: unknown): unknown => (typeof word === 'string' ? word.toUpperCase() : word)

/** The configured storages; `endCursor` of one response requests the next page. Capacities are those of scans, also with `live=true`. */
export const storages = endpoint({
  path: '/v1/storages',
  ...read,
  failure: 'Unable to fetch the storages',
  query: z.intersection(
    AtTime,
    z.object({
      size: writtenInt(1, 1000).default(1000),
      sort: z.preprocess(inUpperCase, z.enum(storageSorts).default('CREATED_AT')),
      direction: Direction.default('desc'),
      endCursor: z
        .string()
        .max(4_096)
        .optional()
        .transform((cursor) => cursor || undefined),
    }),
  ),
  answer: z.object({
    elements: z.array(Storage),
    startCursor: z.string().nullable(),
    endCursor: z.string().nullable(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    size: z.int(),
    sort: z.enum(storageSorts),
    direction: z.enum(['asc', 'desc']),
    /** Day of the capacities; null before the first snapshot. */
    indexingDate: z.string().nullable(),
  }),
})

/** Periods for the most active storages on the dashboard, in days. */
export const activityDurations = [1, 3, 7, 30, 90, 365] as const

/**
 * Growth of a storage between two snapshots. Bytes; the percentage is relative to the earlier size, null if that was 0.
 */
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

/** Storages whose size changed most over the last days, largest change first. With limits those that the caller sees as a whole. */
export const mostActiveVolumes = endpoint({
  path: '/v1/volumes/mostActiveVolumes',
  ...read,
  failure: 'Error while getting the most active storages',
  query: AtDate.extend({
    size: writtenInt(1, 1000).default(10),
    type: z.literal('days', 'must be days').default('days'),
    duration: writtenInt(1, 36_500).default(30),
  }),
  answer: z.array(ActiveVolume),
})
