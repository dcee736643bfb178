import { sql } from 'kysely'
import type { ImportOrigin } from '#events/imports/formats.ts'
import type { ShownVolume } from './snapshotAt.ts'

/** Condition on `scans`: something of the storage was not readable. */
export const isPartial = sql<boolean>`(scans.state = 'partial' OR (scans.state = 'imported' AND scans.unreadable > 0))`

/** The origins of the storages that were imported for a date, in a query with `snapshots` and `scans`; null if all was scanned. */
export const importsOfDate = sql<ImportOrigin[] | null>`json_agg(DISTINCT scans.imported)
  FILTER (WHERE scans.imported IS NOT NULL AND scans.indexing_date = snapshots.indexing_date)`.as('imports')

/** The row of a date for the wire. */
export const withImports = <R extends { imports: ImportOrigin[] | null }>({ imports, ...row }: R) => ({
  ...row,
  ...(imports && { imports }),
})

/** Part of an answer: the origins of imported storages of a snapshot. Left out if all was scanned. */
export function originOf(volumes: readonly Pick<ShownVolume, 'imported'>[]): { imports?: ImportOrigin[] } {
  const origins = new Map(volumes.flatMap(({ imported }) => (imported ? [[JSON.stringify(imported), imported]] : [])))
  return origins.size > 0 ? { imports: [...origins.values()] } : {}
}
