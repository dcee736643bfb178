import type { JobRow } from '#events/jobs/calls.ts'
import { isOpen } from '#events/jobs/events.ts'

/** Jobs as they were last heard of, by their number. */
export type JobRows = ReadonlyMap<number, JobRow>

/** How many jobs are kept; what fell out is read again when it is shown. */
const usuallyKept = 5_000

/**
 * Folds rows in: of two of a job the one with the higher version counts. The same map when none is newer. At most `most` are
 * kept: the open ones, and of the others those that changed last.
 */
export function foldRows(known: JobRows, rows: readonly JobRow[], most = usuallyKept): JobRows {
  const newer = rows.filter((row) => row.version > (known.get(row.id)?.version ?? 0))
  if (newer.length === 0) return known
  const all = new Map(known)
  for (const row of newer) if (row.version > (all.get(row.id)?.version ?? 0)) all.set(row.id, row)
  return all.size <= most ? all : newestRows(all, most)
}

function newestRows(all: JobRows, most: number): JobRows {
  const rows = [...all.values()].sort(
    (a, b) => Number(isOpen(b)) - Number(isOpen(a)) || compare(b.updatedAt, a.updatedAt),
  )
  return new Map(rows.slice(0, most).map((row) => [row.id, row]))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The newer of a row and what was heard of its job since the row was read. */
export const newestOf = (row: JobRow, heard: JobRows): JobRow => {
  const other = heard.get(row.id)
  return other && other.version > row.version ? other : row
}

/** The jobs that run, the one that began first before all. */
export const runningOf = (rows: Iterable<JobRow>): JobRow[] =>
  [...rows]
    .filter(({ status }) => status === 'RUNNING')
    .sort((a, b) => (a.startedAt ?? a.createdAt).localeCompare(b.startedAt ?? b.createdAt) || a.id - b.id)
