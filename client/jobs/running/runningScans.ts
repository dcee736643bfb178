import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { almostAll } from '#client/parts/job-words/jobShare.ts'

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

function shareOf({ state, progress }: ScanRecord, before: number): number | undefined {
  if (state === 'committing') return almostAll
  if (!progress || before === 0) return undefined
  return Math.min(almostAll, progress.entries / before)
}

function entriesBefore(dashboard: Dashboard | undefined, volumeId: number): number {
  const storage = dashboard?.storages.find((storage) => storage.volumeId === volumeId)
  return storage ? storage.numberOfFiles + storage.numberOfFolders : 0
}
