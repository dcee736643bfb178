import { namedNotEntered, readNotEntered } from '#events/scans/notEntered.ts'
import type { NotEnteredFolders } from '#events/storages.ts'
import { tablesOf } from '#server/workers/ingest/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { readAccessTimes } from './accessTimes.ts'
import type { Commit, StagedCommit, writtenRows } from './commit.ts'
import type { Outcome } from './switchOver.ts'

/** More storage classes than any store has. */
const maxClasses = 200

export type Totals = Pick<Outcome, 'files' | 'folders' | 'bytes' | 'countedBytes' | 'allocatedBytes'>

/** Totals of the volume after the scan. */
export const readTotals = ({ clickhouse, scan }: Commit): Promise<Totals> =>
  clickhouse.one(sql`
    SELECT toFloat64(files) AS files, toFloat64(folders) AS folders, toFloat64(size) AS bytes,
      toFloat64(size) AS countedBytes, toFloat64(allocated_size) AS allocatedBytes
    FROM ${tablesOf(scan.id).totals} AS f WHERE parent_path = '' AND name = ''`)

/** Facts of the volume after a commit. A list of changes says too little about access times to judge them again. */
export async function readOutcome(
  commit: StagedCommit,
  totals: Totals,
  written: Parameters<typeof writtenRows>[0],
): Promise<Outcome> {
  const { scan, volume, staged } = commit
  const unreadable = staged.rows.unreadable + staged.rows.unknown
  const state = unreadable > 0 ? 'partial' : 'done'
  const more = {
    classBytes: await classBytes(commit),
    notEntered: await notEnteredFolders(commit),
    accessTimes:
      (staged.rows.deltas > 0 && (await lastAccessTimes(commit))) || (await readAccessTimes(commit, written)),
  }
  return { scanId: scan.id, volumeId: volume.id, state, unreadable, ...more, ...totals }
}

const lastAccessTimes = async ({ db, volume }: Commit) =>
  (
    await db
      .selectFrom('scans')
      .select('accessTimes')
      .where('id', '=', volume.committedScan ?? 0)
      .executeTakeFirst()
  )?.accessTimes

/** Names come from stores; Postgres can't store the character 0. */
async function classBytes({ clickhouse, scan, volume }: Commit): Promise<string> {
  const classes = await clickhouse.rows<{ storageClass: string; bytes: number }>(sql`
    SELECT replaceAll(bucket, '\0', '') AS storageClass, sum(toFloat64(s.bytes)) AS bytes FROM volume_statistics AS s
    WHERE volume = ${volume.id} AND scan = ${scan.id} AND dimension = 'STORAGE_CLASS'
    GROUP BY storageClass ORDER BY bytes DESC LIMIT ${maxClasses}`)
  return JSON.stringify(Object.fromEntries(classes.map(({ storageClass, bytes }) => [storageClass, bytes])))
}

/** Folders of the scan that were not entered. Those of the kernel's file systems have nothing to include. */
async function notEnteredFolders({ clickhouse, scan, staged }: StagedCommit): Promise<NotEnteredFolders> {
  if (staged.rows.notEntered === 0) return { count: 0, folders: [] }
  const { totals } = tablesOf(scan.id)
  const isMeant = sql`not_entered != '' AND NOT startsWith(not_entered, 'kernel:')`
  const { count } = await clickhouse.one<{ count: number }>(
    sql`SELECT toFloat64(count()) AS count FROM ${totals} WHERE ${isMeant}`,
  )
  if (count === 0) return { count, folders: [] }
  // Postgres can't store the character 0.
  const rows = await clickhouse.rows<{ path: string; reason: string }>(sql`
    SELECT replaceAll(concat(parent_path, name), '\\0', '') AS path, not_entered AS reason FROM ${totals}
    WHERE ${isMeant} ORDER BY path LIMIT ${namedNotEntered}`)
  return {
    count,
    folders: rows.flatMap(({ path, reason }) => {
      const known = readNotEntered(reason)
      return known ? [{ path, ...known }] : []
    }),
  }
}
