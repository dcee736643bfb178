import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'

/** Newest scan of a storage that ended. `reason` is that of a scan that failed or was canceled. */
const EndedScan = z.object({
  jobId: z.int(),
  state: z.enum(['done', 'partial', 'failed', 'cancelled']),
  reason: z.string().nullable(),
  finishedAt: z.iso.datetime().nullable(),
})

/** State of a configured storage now, independent of any snapshot. */
export const StorageState = z.object({
  volumeId: z.int(),
  name: z.string(),
  type: z.string(),
  /** False until its first scan completed. */
  isScanned: z.boolean(),
  /** True while a scan is waiting or running. */
  isScanning: z.boolean(),
  lastScan: EndedScan.nullable(),
  /** True if a schedule that is not paused scans it, or a folder of it. */
  isScheduled: z.boolean(),
  /** True if an alert of any user watches it, and is not paused. */
  isWatched: z.boolean(),
})
export type StorageState = z.infer<typeof StorageState>

/** All configured storages, by name. */
export const storageStates = endpoint({
  method: 'GET',
  path: '/v1/storageStates',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the states of the storages',
  answer: z.array(StorageState),
})

/** True if the newest scan failed and no other is running. A canceled scan is no failure. */
export const hasFailed = ({ lastScan, isScanning }: Pick<StorageState, 'lastScan' | 'isScanning'>): boolean =>
  lastScan?.state === 'failed' && !isScanning
