import { z } from 'zod'
import { Id, endpoint } from '#events/contract/endpoint.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'
import { cloneIndex, deltaQuery, ids, launch, launched } from './launch.ts'
import { Progress } from './lifecycle.ts'

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

/** Below the root of a storage, `/a/b`; empty for the whole of it. */
const ScannedPath = z
  .string()
  .max(4_096)
  .regex(/^(\/|$)/, 'must be empty or begin with /')
  .refine((path) => !/(^|\/)\.{1,2}(\/|$)|\0/.test(path), 'must not have . or .. in it')
  .overwrite((path) => path.replace(/\/+/g, '/').replace(/\/$/, ''))

/** The storages that are scanned, each from its folder on. */
export const StorageIdToPath = z
  .record(z.string().regex(/^[1-9]\d{0,8}$/, 'must be the id of a storage'), ScannedPath)
  .refine((map) => Object.keys(map).length > 0, 'must name at least one storage')
  .refine((map) => Object.keys(map).length <= 10_000, 'must name at most 10000 storages')

export const scanVolumes = endpoint({
  ...launch,
  path: '/v1/scans/volumes/ids',
  query: z.object({ cloneIndex }),
  body: ids('storage'),
  answer: launched,
})

/**
 * Scans storages of any kind, or single folders of them; entries outside of these folders stay unchanged. A delta scan only includes those
 * storages that support it.
 */
export const scanPaths = endpoint({
  ...launch,
  path: '/v1/scans/storages',
  query: deltaQuery(false),
  body: z.object({ storageIdToPath: StorageIdToPath }),
  answer: launched,
})

/** A path that a scan could not read, and the reason. */
const UnreadablePath = z.object({ path: z.string(), error: z.string() })

/** The first thousand of them that a scan met, by path. With limits those in visible folders. */
export const unreadablePaths = endpoint({
  method: 'GET',
  path: '/v1/scans/:id/unreadable',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the unreadable paths',
  params: Id,
  query: PageQuery,
  answer: pageOf(UnreadablePath),
})
