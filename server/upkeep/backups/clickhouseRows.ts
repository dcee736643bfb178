import { sql as postgres } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { join as joined, name, sql, type Sql, typed } from '#server/platform/clickhouse/sql.ts'
import { isInPartitions, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'
import { versionsInUse } from '#server/content/snapshots/index.ts'
import { join } from 'node:path'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import type { BackupFile, FileKey } from './manifest.ts'
import { finishFile } from './packedFile.ts'

/** The ClickHouse tables in a backup; tables of running scans are not included. */
export const keptTables = [
  'entries',
  'entry_history',
  'volume_statistics',
  'duplicate_groups',
  'entry_tags',
  'report_entries',
  'selected_entries',
  'acted_files',
  'file_contents',
  'media_facts',
] as const
type KeptTable = (typeof keptTables)[number]

/** Rows for one file, named after the table and the volume. */
export type Part = { name: string; table: KeptTable; rows: Sql }

/**
 * All tags. Only the row that counts for each key, because the engine may drop the others at any time; earlier states
 * can't be reconstructed.
 */
export const tags: Part = { name: 'entry_tags', table: 'entry_tags', rows: sql`entry_tags FINAL` }

/** The rows of the moment that `db` sees: for each volume the state after its last commit, without later commits. */
export async function partsAt(db: Db): Promise<Part[]> {
  const versions = [...(await versionsInUse(db))]
  const volumes = await db
    .selectFrom('volumes')
    .select(['id', 'generation', 'layers', 'committedScan'])
    .select(({ selectFrom }) => [
      selectFrom('scans')
        .select(postgres<number[]>`coalesce(array_agg(scans.id), '{}')`.as('imports'))
        .whereRef('volumeId', '=', 'volumes.id')
        .where('state', '=', 'imported')
        .as('imports'),
    ])
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('generation', 'is not', null),
        exists(
          selectFrom('scans')
            .select('scans.id')
            .whereRef('volumeId', '=', 'volumes.id')
            .where('state', '=', 'imported'),
        ),
      ]),
    )
    .orderBy('id')
    .execute()
  const runs = await db.selectFrom('reportRuns').select('id').where('isKept', '=', true).orderBy('id').execute()
  const selections = await db
    .selectFrom('selections')
    .select('id')
    .where(({ or, eb }) => or([eb('usedBy', 'is not', null), eb('keptUntil', 'is not', null)]))
    .orderBy('id')
    .execute()
  const duplicates = sql`duplicate_groups WHERE version IN ${typed(versions, 'Array(UInt64)')}`
  return [
    { name: 'duplicate_groups', table: 'duplicate_groups', rows: duplicates },
    { name: 'file_contents', table: 'file_contents', rows: sql`file_contents FINAL` },
    { name: 'media_facts', table: 'media_facts', rows: sql`media_facts FINAL` },
    ...volumes.flatMap(({ id, generation, layers, committedScan, imports }) =>
      partsOf({ volumeId: id, generation: generation ?? 0, layers }, committedScan ?? 0, imports ?? []),
    ),
    ...runs.map(({ id }) => partOfRun(id)),
    ...selections.flatMap(({ id }) => partsOfSelection(id)),
  ]
}

/** The results of a report run; one run per part, because an insert takes few partitions. */
const partOfRun = (run: number): Part => ({
  name: `report_entries-${run}`,
  table: 'report_entries',
  rows: sql`report_entries WHERE run = ${run}`,
})

/** The entries of a selection that a job uses. */
const partsOfSelection = (id: number): Part[] =>
  (['selected_entries', 'acted_files'] as const).map((table) => ({
    name: `${table}-${id}`,
    table,
    rows: sql`${name(table)} WHERE selection = ${id}`,
  }))

/** Entries without the rows that ended, so that no list of them is needed. */
const partsOf = (read: ReadGenerations, scan: number, imports: number[]): Part[] => [
  {
    name: `entries-${read.volumeId}`,
    table: 'entries',
    rows: sql`entries WHERE ${isInPartitions([read])}`,
  },
  {
    name: `entry_history-${read.volumeId}`,
    table: 'entry_history',
    rows: sql`entry_history WHERE volume = ${read.volumeId} AND (to_scan <= ${scan} OR has(${typed(imports, 'Array(UInt64)')}, from_scan))`,
  },
  {
    name: `volume_statistics-${read.volumeId}`,
    table: 'volume_statistics',
    rows: sql`volume_statistics WHERE volume = ${read.volumeId} AND (volume_statistics.scan <= ${scan} OR has(${typed(imports, 'Array(UInt64)')}, volume_statistics.scan))`,
  },
]

/** A hundred million entries take some minutes alongside other queries. */
const maxSeconds = 4 * 3_600

/** Writes the rows of one part as text, which is the same from every kind of ClickHouse. */
export async function savePart(clickhouse: ClickHouse, folder: string, part: Part, key: FileKey): Promise<BackupFile> {
  const path = `clickhouse/${part.name}.zst`
  const columns = await columnsOf(clickhouse, part.table)
  const question = sql`SELECT ${joined(columns.map(name), ', ')} FROM ${part.rows}`
  await clickhouse.save(question, 'TabSeparated', join(folder, path), { background: true, seconds: maxSeconds })
  return { path, store: 'clickhouse', table: part.table, columns, ...(await finishFile(folder, path, key)) }
}

/** The stored columns, without computed ones. */
async function columnsOf(clickhouse: ClickHouse, table: KeptTable): Promise<string[]> {
  const columns = await clickhouse.rows<{ name: string }>(sql`
    SELECT name FROM system.columns
    WHERE database = currentDatabase() AND table = ${table} AND default_kind NOT IN ('ALIAS', 'MATERIALIZED')
    ORDER BY position`)
  return columns.map((column) => column.name)
}
