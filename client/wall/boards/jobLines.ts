import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'

const dayMs = 24 * 60 * 60_000

/** A line of the board: a failed job, a scan of a running job, or another job. */
export type JobLine = { job: JobRow; scan?: ScanRecord; key: string }

/** Failed jobs of the last day, newest first, then running jobs, those of the last day with a warning, and waiting ones. */
export function jobLines(jobs: JobRows, dashboard: Dashboard | undefined, now: number) {
  const all = [...jobs.values()]
  const lately = all.filter(({ updatedAt }) => now - Date.parse(updatedAt) < dayMs).sort(newestFirst)
  const failed = lately.filter(hasFailed)
  const warned = lately.filter(({ status }) => status === 'WARNING')
  const running = all
    .filter(({ status }) => status === 'RUNNING')
    .sort((a, b) => (a.startedAt ?? '').localeCompare(b.startedAt ?? ''))
  const waiting = all.filter((job) => isOpen(job) && job.status !== 'RUNNING').sort((a, b) => a.id - b.id)
  const lines = [...failed, ...running, ...warned, ...waiting].flatMap((job) => linesOf(job, dashboard))
  return {
    failed: failed.length,
    warned: warned.length,
    running: running.length,
    waiting: waiting.length,
    lines,
  }
}

/** Jobs that have ended, newest first. */
export const endedJobs = (jobs: Iterable<JobRow>): JobRow[] => [...jobs].filter((job) => !isOpen(job)).sort(newestFirst)

const newestFirst = (a: JobRow, b: JobRow) => b.updatedAt.localeCompare(a.updatedAt)

function linesOf(job: JobRow, dashboard: Dashboard | undefined): JobLine[] {
  const scans = job.status === 'RUNNING' ? scansOf(job.id, dashboard) : []
  if (scans.length === 0) return [{ job, key: `job-${job.id}` }]
  return scans.map((scan) => ({ job, scan, key: `scan-${scan.scanId}` }))
}

const scansOf = (jobId: number, dashboard: Dashboard | undefined): ScanRecord[] =>
  (dashboard?.scans ?? []).filter((scan) => scan.jobId === jobId && isRunning(scan) && scan.state !== 'waiting')
