import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'

const dayMs = 24 * 60 * 60_000

/** A line of the board: a failed job, a scan of a running job, or another job. */
export type JobLine = { job: JobRow; scan?: ScanRecord; key: string }

/** Failed jobs of the last day, newest first, then running, then waiting jobs. */
export function jobLines(jobs: JobRows, dashboard: Dashboard | undefined, now: number) {
  const all = [...jobs.values()]
  const failed = all
    .filter((job) => hasFailed(job) && now - Date.parse(job.updatedAt) < dayMs)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  const running = all
    .filter(({ status }) => status === 'RUNNING')
    .sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
  const waiting = all.filter((job) => isOpen(job) && job.status !== 'RUNNING').sort((a, b) => a.id - b.id)
  const lines = [...failed, ...running, ...waiting].flatMap((job) => linesOf(job, dashboard))
  return { failed: failed.length, running: running.length, waiting: waiting.length, lines }
}

function linesOf(job: JobRow, dashboard: Dashboard | undefined): JobLine[] {
  const scans = job.status === 'RUNNING' ? scansOf(job.id, dashboard) : []
  if (scans.length === 0) return [{ job, key: `job-${job.id}` }]
  return scans.map((scan) => ({ job, scan, key: `scan-${scan.scanId}` }))
}

const scansOf = (jobId: number, dashboard: Dashboard | undefined): ScanRecord[] =>
  (dashboard?.scans ?? []).filter((scan) => scan.jobId === jobId && isRunning(scan) && scan.state !== 'waiting')
