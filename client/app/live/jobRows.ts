import type { JobRow } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'

/** Newest known version of each job, by id. */
export type JobRows = ReadonlyMap<number, JobRow>

/** Maximum number of cached jobs. Evicted jobs are fetched again when shown. */
const maxJobs = 5_000

/**
 * Merges rows by job and keeps the higher version. Returns the same map if nothing is newer. Keeps at most `max` jobs:
 * open jobs first, then the most recently changed.
 */
export function foldRows(known: JobRows, rows: readonly JobRow[], max = maxJobs): JobRows {
  const newer = rows.filter((row) => row.version > (known.get(row.id)?.version ?? 0))
  if (newer.length === 0) return known
  const all = new Map(known)
  for (const row of newer) if (row.version > (all.get(row.id)?.version ?? 0)) all.set(row.id, row)
  return all.size <= max ? all : newestRows(all, max)
}

function newestRows(all: JobRows, max: number): JobRows {
  const rows = [...all.values()].sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || compare(b.updatedAt, a.updatedAt),
  )
  return new Map(rows.slice(0, max).map((row) => [row.id, row]))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Newer of a fetched row and the pushed one. */
export const newestOf = (row: JobRow, received: JobRows): JobRow => {
  const other = received.get(row.id)
  return other && other.version > row.version ? other : row
}

/** Running jobs, earliest start first. */
export const runningOf = (rows: Iterable<JobRow>): JobRow[] =>
  [...rows]
    .filter(({ status }) => status === 'RUNNING')
    .sort((a, b) => (a.startedAt ?? a.createdAt).localeCompare(b.startedAt ?? b.createdAt) || a.id - b.id)
