import type { ScanRecord } from './scans/calls.ts'
import type { Progress } from './scans/lifecycle.ts'

/** A scan without results. */
export const scanRecordOf = (
  scanId: number,
  state: ScanRecord['state'],
  progress: Progress | null = null,
): ScanRecord => ({
  scanId,
  jobId: 1,
  volumeId: 1,
  volumeName: 'Films',
  indexingDate: '2026-01-01',
  state,
  startedAt: null,
  finishedAt: null,
  crawlDuration: null,
  files: 0,
  folders: 0,
  bytes: 0,
  unreadable: 0,
  reason: null,
  progress,
})
