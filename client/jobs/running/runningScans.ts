import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { almostAll, shareOfResult } from '#client/parts/job-words/jobShare.ts'

/**
 * A scan of a running job. `share` (0 to 1) is estimated from the storage's previous size; undefined for the first
 * scan.
 */
export type RunningScan = { scan: ScanRecord; share: number | undefined }

/** Running scans of a job, and the number of waiting ones. */
export function scansOfJob(dashboard: Dashboard | undefined, jobId: number): { scans: RunningScan[]; waiting: number } {
  const scans = (dashboard?.scans ?? []).filter((scan) => scan.jobId === jobId && isRunning(scan))
  const begun = scans.filter(({ state }) => state !== 'waiting')
  return {
    scans: begun
      .sort((a, b) => a.scanId - b.scanId)
      .map((scan) => ({ scan, share: shareOf(scan, entriesBefore(dashboard, scan.volumeId)) })),
    waiting: scans.length - begun.length,
  }
}

/**
 * Progress of a running job, 0 to 1: the mean of its storages, or that of its result; undefined if a single storage has
 * no earlier scan to compare with.
 */
export function shareOfJob(dashboard: Dashboard | undefined, job: JobRow): number | undefined {
  const { scans, waiting } = scansOfJob(dashboard, job.id)
  if (scans.length === 0) return shareOfResult(job)
  const count = Math.max(job.storageCount, scans.length + waiting)
  if (count === 1) return scans[0]?.share
  const done = count - scans.length - waiting
  return Math.min(almostAll, (done + scans.reduce((sum, { share = 0 }) => sum + share, 0)) / count)
}

function shareOf({ state, progress }: ScanRecord, before: number): number | undefined {
  if (state === 'committing') return almostAll
  if (!progress || before === 0) return undefined
  return Math.min(almostAll, progress.entries / before)
}

function entriesBefore(dashboard: Dashboard | undefined, volumeId: number): number {
  const storage = dashboard?.storages.find((storage) => storage.volumeId === volumeId)
  return storage ? storage.numberOfFiles + storage.numberOfFolders : 0
}
