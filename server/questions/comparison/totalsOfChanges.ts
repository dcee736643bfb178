import { type ChangeTotals, type Comparison, kindsOfChange } from '#events/comparison.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { originOf } from '#server/content/snapshots/reading/imported.ts'
import type { ComparedSnapshots } from './comparedVolumes.ts'
import { differences } from './differences.ts'
import { oneSided, weighed } from './oneSided.ts'

/** Counts and sizes of the differing files and folders below a folder by kind, and the total growth. */
export async function totalsOfChanges(
  clickhouse: ClickHouse,
  compared: ComparedSnapshots,
  folder: string,
): Promise<Comparison> {
  const [{ from, heavy }, unrecordedGrowth] = await Promise.all([
    differences(clickhouse, compared, folder),
    unrecordedBetween(clickhouse, compared, folder),
  ])
  const rows = await clickhouse.rows<Omit<ChangeTotals, 'size'> & { bytes: number }>(
    sql`
      SELECT kind, countIf(NOT is_directory) AS files, countIf(is_directory) AS folders,
        sumIf(toFloat64(greatest(if(is_here, size, old_size), 0)), NOT is_directory) AS bytes,
        sumIf(toFloat64(greatest(growth, 0)), NOT is_directory) AS grown, sumIf(toFloat64(greatest(-growth, 0)), NOT is_directory) AS shrunk
      FROM ${from} GROUP BY kind`,
    { heavy },
  )
  const found = new Map(rows.map(({ bytes, ...row }) => [row.kind, { ...row, size: bytes }]))
  const kinds = kindsOfChange.map((kind) => found.get(kind) ?? { ...nothing, kind })
  return {
    indexingDate: compared.now.indexingDate || null,
    previousIndexingDate: compared.previous.indexingDate || null,
    ...originOf([...compared.previous.volumes, ...compared.now.volumes]),
    growth: kinds.reduce((sum, { grown, shrunk }) => sum + grown - shrunk, unrecordedGrowth),
    unrecordedGrowth,
    kinds,
  }
}

async function unrecordedBetween(clickhouse: ClickHouse, compared: ComparedSnapshots, folder: string): Promise<number> {
  const rows = oneSided(compared, folder, weighed, 'folders')
  const { growth } = await clickhouse.one<{ growth: number }>(
    sql`SELECT toFloat64(sum(toInt128(weighed))) AS growth FROM (${rows})`,
    {
      heavy: folder === '/',
    },
  )
  return growth
}

const nothing = { files: 0, folders: 0, size: 0, grown: 0, shrunk: 0 }
