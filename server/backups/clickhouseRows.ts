import type { Db } from '#server/platform/postgres.ts'
import { type Sql, sql, typed } from '#server/platform/sql.ts'
import { versionsInUse } from '#server/snapshots/index.ts'

/** The tables of ClickHouse that a backup keeps; those of scans that are under way are not among them. */
export const keptTables = ['entries', 'entry_history', 'volume_statistics', 'duplicate_groups', 'entry_tags'] as const
export type KeptTable = (typeof keptTables)[number]

/** Rows that go into one file, named after the table and the volume. */
export type Part = { name: string; table: KeptTable; rows: Sql }

/**
 * All tags. Only the row that counts of each key, as the engine may drop the others at any time; there is no telling which
 * were there at an earlier moment.
 */
export const tags: Part = { name: 'entry_tags', table: 'entry_tags', rows: sql`entry_tags FINAL` }

/** The rows of the moment that `db` sees: of each volume what its last commit left, and nothing of commits after it. */
export async function partsAt(db: Db): Promise<Part[]> {
  const versions = [...(await versionsInUse(db))]
  const volumes = await db
    .selectFrom('volumes')
    .select(['id', 'generation', 'committedScan'])
    .where('generation', 'is not', null)
    .orderBy('id')
    .execute()
  const duplicates = sql`duplicate_groups WHERE version IN ${typed(versions, 'Array(UInt64)')}`
  return [
    { name: 'duplicate_groups', table: 'duplicate_groups', rows: duplicates },
    ...volumes.flatMap(({ id, generation, committedScan }) => partsOf(id, generation ?? 0, committedScan ?? 0)),
  ]
}

const partsOf = (volume: number, generation: number, scan: number): Part[] => [
  {
    name: `entries-${volume}`,
    table: 'entries',
    rows: sql`entries WHERE volume = ${volume} AND generation = ${generation}`,
  },
  {
    name: `entry_history-${volume}`,
    table: 'entry_history',
    rows: sql`entry_history WHERE volume = ${volume} AND to_scan <= ${scan}`,
  },
  {
    name: `volume_statistics-${volume}`,
    table: 'volume_statistics',
    rows: sql`volume_statistics WHERE volume = ${volume} AND scan <= ${scan}`,
  },
]
