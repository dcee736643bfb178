import { type Dashboard, isRunning } from '#events/dashboard.ts'
import type { JobRow } from '#events/job-calls.ts'
import { isOpen } from '#events/jobs.ts'
import type { ScanRecord } from '#events/scans.ts'

/** Jobs as they were last heard of, by their number. */
export type Jobs = ReadonlyMap<number, JobRow>

/** So many jobs are kept: the open ones, and of the others those that changed last. */
const most = 500

export const hasFailed = ({ status }: JobRow): boolean => status === 'FAILURE' || status === 'SCANNER_ERROR'

/** Folds rows in: of two of a job the one with the higher version counts. The same map when none is newer. */
export function foldRows(known: Jobs, rows: readonly JobRow[]): Jobs {
  const all = new Map(known)
  let isNewer = false
  for (const row of rows) {
    if (row.version <= (all.get(row.id)?.version ?? 0)) continue
    all.set(row.id, row)
    isNewer = true
  }
  return isNewer ? fewer(all) : known
}

function fewer(all: Map<number, JobRow>): Jobs {
  if (all.size <= most) return all
  const rows = [...all.values()].sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || b.updatedAt.localeCompare(a.updatedAt),
  )
  return new Map(rows.slice(0, most).map((row) => [row.id, row]))
}

const day = 24 * 60 * 60_000

/** A line of the board: a job that failed, one of the scans of a job that runs, or another job. */
export type JobLine = { job: JobRow; scan?: ScanRecord; key: string }

/** What the board tells: the failures of a day, newest first, then what runs, then what waits. */
export function jobLines(jobs: Jobs, dashboard: Dashboard | undefined, now: number) {
  const all = [...jobs.values()]
  const failed = all
    .filter((job) => hasFailed(job) && now - Date.parse(job.updatedAt) < day)
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

/** Why a job failed, in the words of who worked on it. */
export const reasonOf = ({ result }: JobRow): string =>
  result?.reason ?? result?.failedScanVolumeSettings?.[0]?.reason ?? ''
