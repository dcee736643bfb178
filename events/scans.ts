import { z } from 'zod'
import { Id, endpoint } from './endpoint.ts'
import { shareTypes } from './mount-rules.ts'
import { PageQuery, pageOf } from './page.ts'
import { StorageIdToPath } from './scanned-paths.ts'

export { batchHeaders, batchLimits, batchMessageId, readBatchMessageId } from './scan-batches.ts'

/** How far a walk is; sent each second. Sizes in bytes, rate in entries per second. */
export const Progress = z.object({
  entries: z.int().min(0),
  directories: z.int().min(0),
  bytes: z.number().min(0),
  unreadable: z.int().min(0),
  /** Folders known but not yet listed. */
  queued: z.int().min(0),
  rate: z.number().min(0),
  currentPath: z.string().max(32_768),
})
export type Progress = z.infer<typeof Progress>

const at = z.iso.datetime()
const attempt = z.int().min(1)
const path = z.string().max(65_536)

/**
 * What an agent says of a scan on `scans.<agentId>.<scanId>.lifecycle`. `attempt` counts the tries of the scan: a
 * resumed scan is a new attempt, and what an older one still says is ignored.
 */
export const ScanEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), at, attempt }),
  z.object({ type: z.literal('progressed'), at, attempt, progress: Progress }),
  z.object({ type: z.literal('unreadable'), at, attempt, path, error: z.string().max(4_096) }),
  z.object({
    type: z.literal('completed'),
    at,
    attempt,
    /** The attempt's batches are numbered from 1 to this, without gaps, and all of them were stored before this is said. */
    batches: z.int().min(0),
    progress: Progress,
    capacity: z
      .object({
        total: z.number().min(0),
        used: z.number().min(0),
        free: z.number().min(0),
        /** The same text for storages that share this capacity. */
        fileSystem: z.string().max(512).optional(),
      })
      .optional(),
  }),
  z.object({ type: z.literal('failed'), at, attempt, reason: z.string().max(4_096) }),
  z.object({ type: z.literal('cancelled'), at, attempt }),
])
export type ScanEvent = z.infer<typeof ScanEvent>

/**
 * A share of the network, as `mount` is asked for it: SMB's without a credential as a guest. The agent checks it by
 * `mountFault` whoever sent it. With its password it is in the answer to an agent that starts a scan, and nowhere else.
 */
export const ShareMount = z.object({
  type: z.enum(shareTypes),
  host: z.string(),
  shareName: z.string(),
  options: z.string(),
  credential: z.object({ username: z.string(), password: z.string(), domain: z.string() }).nullable(),
})
export type ShareMount = z.infer<typeof ShareMount>

/** What a scan of a volume looks at. Paths are relative to the volume, as in `parent_path + name`; '' is all of it. */
export const ScanOrder = z.object({
  scanId: z.int(),
  attempt,
  volumeId: z.int(),
  /** Where the volume lies on the agent's machine; of a share, below its mount: '/' is all of it. */
  root: z.string(),
  /** The share that is mounted for this scan alone. */
  mount: ShareMount.optional(),
  /**
   * Only this folder and what is below it: '' or '/some/folder'. Folders above it come as entries without an end of their
   * listing. One that is gone comes as an end of its listing, with no children, and without an entry.
   */
  scannedPath: z.string(),
  /** Folders and files left out, relative to the volume; `*` and `?` within a name, `**` over folders: '/tmp', '/home/?*.tmp'. */
  ignoredPaths: z.array(z.string()),
  /** Below these, folders are recorded and files only count in their folder's totals. */
  indexFolderOnlyPaths: z.array(z.string()),
  crossFileSystems: z.boolean(),
  threads: z.int().min(1),
  /**
   * A thread gives folders to others once it has read so many files, and only folders that lie at most so deep below the
   * volume's root; a depth of 0 is any. Without it all folders are shared.
   */
  sharing: z.object({ afterFiles: z.int().min(0), toDepth: z.int().min(0) }).optional(),
  /** Owners and groups are left out. */
  withoutOwners: z.boolean().optional(),
  /**
   * The folders that are still to be listed, relative to the volume: [scannedPath] for a new scan, else those whose end is
   * missing. A first page of them. Each is walked with all below it; the entries of the scanned path and of what is above
   * it are sent if the scanned path is among them. A folder that is gone meanwhile ends as listed with no children.
   */
  pending: z.array(z.string()),
  /** How many more `pending` folders the next page has; see `subjects.pending`. */
  morePending: z.int(),
})
export type ScanOrder = z.infer<typeof ScanOrder>

/** One scan of one volume, as lists and the dashboard show it. */
export const ScanRecord = z.object({
  scanId: z.int(),
  jobId: z.int(),
  volumeId: z.int(),
  volumeName: z.string(),
  /** The day whose snapshot it makes. */
  indexingDate: z.string(),
  state: z.enum(['waiting', 'running', 'committing', 'done', 'partial', 'failed', 'cancelled']),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Milliseconds; null while it runs, -1 when it failed or was cut short. */
  crawlDuration: z.number().nullable(),
  files: z.number(),
  folders: z.number(),
  bytes: z.number(),
  unreadable: z.int(),
  reason: z.string().nullable(),
  progress: Progress.nullable(),
})
export type ScanRecord = z.infer<typeof ScanRecord>

const launch = {
  method: 'POST',
  needs: 'scans.start',
  failure: 'Unable to start the scan',
  query: z.object({ cloneIndex: z.stringbool().default(true) }),
} as const

export const scanVolumes = endpoint({
  ...launch,
  path: '/v1/scans/volumes/ids',
  body: z.array(z.int().min(1)).min(1, 'must name at least one storage').max(10_000),
  answer: z.object({ jobId: z.int() }),
})

/** Scans of single folders of storages; what lies outside of them stays as it is known. */
export const scanPaths = endpoint({
  ...launch,
  path: '/v1/scans/storages',
  body: z.object({ storageIdToPath: StorageIdToPath }),
  answer: z.object({ jobId: z.int() }),
})

/** What a scan could not read, and why. */
const UnreadablePath = z.object({ path: z.string(), error: z.string() })

/** The first thousand of them that a scan met, by path. */
export const unreadablePaths = endpoint({
  method: 'GET',
  path: '/v1/scans/:id/unreadable',
  needs: 'snapshots.see',
  failure: 'Unable to fetch the unreadable paths',
  params: Id,
  query: PageQuery,
  answer: pageOf(UnreadablePath),
})
