import type { JobRow } from '#events/job-calls.ts'

/** Jobs as they were last heard of, by their number. */
export type NewestRows = ReadonlyMap<number, JobRow>

/** Folds rows in: of two of a job the one with the higher version counts. The same map when none is newer. */
export function withRows(known: NewestRows, rows: readonly JobRow[]): NewestRows {
  const newer = rows.filter((row) => row.version > (known.get(row.id)?.version ?? 0))
  if (newer.length === 0) return known
  const all = new Map(known)
  for (const row of newer) if (row.version > (all.get(row.id)?.version ?? 0)) all.set(row.id, row)
  return all
}

/** The newest of a row and what was heard since it was read. */
export const newestOf = (row: JobRow, heard: NewestRows): JobRow => {
  const other = heard.get(row.id)
  return other && other.version > row.version ? other : row
}

/** The jobs that run, the one that began first before all. */
export const runningOf = (rows: Iterable<JobRow>): JobRow[] =>
  [...rows]
    .filter(({ status }) => status === 'RUNNING')
    .sort((a, b) => (a.startedAt ?? a.createdAt).localeCompare(b.startedAt ?? b.createdAt) || a.id - b.id)
