import { z } from 'zod'
import { maxStoredBytes } from './entryLimits.ts'
import { MeasuredPace } from '../contract/pace.ts'
import { externalPath, externalText } from '#events/contract/externalText.ts'

/** Totals of storages are larger than the safe integers. */
const size = z.number().min(0).max(maxStoredBytes)
const wholeSize = size.refine(Number.isInteger, 'must be a whole number')
/** One batch has thousands of entries. */
const maxBatches = 10_000_000
const text = externalText(4_096)

/** Progress of a walk; sent each second. Sizes in bytes, rate in entries per second. */
export const Progress = z.object({
  entries: z.int().min(0),
  directories: z.int().min(0),
  bytes: size,
  unreadable: z.int().min(0),
  /** Folders, or parts of an object store, that are known but not yet listed. */
  queued: z.int().min(0),
  rate: z.number().min(0),
  /** Requests that were made of an object store; they may cost money. */
  requests: z.int().min(0).optional(),
  /** Of a storage that answers slowly. */
  pace: MeasuredPace.optional(),
  currentPath: externalPath(32_768),
})
export type Progress = z.infer<typeof Progress>

const Counted = z.object({ count: z.int().min(0), bytes: size })

/**
 * Contents of a bucket in addition to its current objects: older versions, delete markers, unfinished uploads. Of Azure, `noncurrent` are
 * versions, snapshots and soft-deleted blobs, and the rest is 0.
 */
export const VersionCounts = z.object({ noncurrent: Counted, deleteMarkers: z.int().min(0), incomplete: Counted })
export type VersionCounts = z.infer<typeof VersionCounts>

/** A folder of a file system that a storage includes, and its path in the storage: '' for the storage's own. */
export const IncludedPlace = z.object({ path: z.string(), fileSystem: z.string().max(4_096), root: z.string() })
export type IncludedPlace = z.infer<typeof IncludedPlace>
export const maxIncludedPlaces = 1_000

/** Bytes of the file system or service that a storage is in. */
export const Capacity = z.object({
  total: wholeSize,
  used: wholeSize,
  free: wholeSize,
  /** The same text for storages that share this capacity. */
  fileSystem: z.string().max(512).optional(),
})

const at = z.iso.datetime()
const run = z.string().max(64)
const attempt = z.int().min(1)
const path = externalPath(65_536)

/**
 * Events of a scan, which its agent publishes on `scans.<agentId>.<scanId>.lifecycle`. `attempt` counts the tries of the
 * scan: a resumed scan is a new attempt, and events of older ones are ignored. `run` is the run of the agent that started
 * the attempt; events of any other are refused.
 */
export const ScanEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), at, run, attempt }),
  z.object({ type: z.literal('progressed'), at, run, attempt, progress: Progress }),
  z.object({ type: z.literal('unreadable'), at, run, attempt, path, error: text }),
  z.object({
    type: z.literal('completed'),
    at,
    run,
    attempt,
    /** The attempt's batches are numbered from 1 to this, without gaps, and all of them were stored before this event. */
    batches: z.int().min(0).max(maxBatches),
    progress: Progress,
    /** Names what the next scan may be compared with, see `CompareWith`; without it that has to send all. */
    baseline: z.string().max(4_096).optional(),
    /** Records of an object store that could not be read in full, such as one without a size; `note` says more. */
    oddRecords: z.int().min(0).optional(),
    /** A note for users about the scan, such as why it listed everything although only changes were requested. */
    note: text.optional(),
    capacity: Capacity.optional(),
    /** Of folders of a machine or a share, unless there are too many. */
    places: z.array(IncludedPlace).max(maxIncludedPlaces).optional(),
    /** True if reading a file updates its access time; only known where the mount options decide. */
    updatesAccess: z.boolean().optional(),
    /** Files whose file system reports no space on disk; the scan has the space that their apparent size needs. */
    withoutBlocks: z.int().min(0).optional(),
    /** On a server, and no file shows that it reports space on disk: a file without any is not known to be elsewhere. */
    hidesBlocks: z.literal(true).optional(),
    /** Files may share their space on disk with others, such as reflinks on btrfs and XFS. */
    sharesSpace: z.literal(true).optional(),
    /** Of a bucket whose versions are counted, one of these. */
    versions: VersionCounts.optional(),
    versionsFailure: text.optional(),
    /** The moment of the S3 Inventory that was read instead of listing. */
    inventoryAt: z.iso.datetime().optional(),
  }),
  z.object({ type: z.literal('failed'), at, run, attempt, reason: text }),
  z.object({ type: z.literal('cancelled'), at, run, attempt }),
])
export type ScanEvent = z.infer<typeof ScanEvent>
