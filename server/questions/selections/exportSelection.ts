import { fullPathOf, rootPath } from '#events/sources/fullPath.ts'
import { knownMoment } from '#server/content/entries/conditions.ts'
import { csvFile, momentCell, placeCells, placeHeads } from '#server/questions/exports/index.ts'
import { withTimeout } from '#server/platform/clickhouse/forCaller.ts'
import { join, sql } from '#server/platform/clickhouse/sql.ts'
import { asText, csvSettings } from '#server/platform/files/csv.ts'
import type { Download } from '#server/platform/http/download.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { emptySnapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { shareOfVolume } from '#server/content/snapshots/reading/shownVolume.ts'
import type { FrozenSelection } from './freezeSelection.ts'
import { rowsOfSelection } from './rows.ts'

const heads = [...placeHeads, 'Last modified', 'External path', 'Left out']
const maxSeconds = 300

/** All rows of a selection as CSV, in order. */
export async function exportSelection(
  { db, clickhouse, config }: Pick<Platform, 'db' | 'clickhouse' | 'config'>,
  { id, indexingDate, scans }: FrozenSelection,
  signal: AbortSignal,
): Promise<Download> {
  const cells = [
    ...placeCells(await namedVolumes(db, Object.keys(scans).map(Number))),
    momentCell(knownMoment('modified', emptySnapshot)),
    asText(sql`place`),
    asText(sql`toString(left_out)`),
  ]
  const { from, where } = rowsOfSelection(id)
  const question = sql`SELECT ${join(cells, ', ')} FROM ${from} WHERE ${where} ORDER BY position SETTINGS ${csvSettings}`
  const options = { background: true, seconds: maxSeconds, signal: withTimeout(signal) }
  const file = await csvFile(config, heads, (path) => clickhouse.save(question, 'CSV', path, options))
  return { name: `selection-${id}-${indexingDate ?? 'empty'}.csv`, ...file }
}

/** The current names and roots of volumes, also of deleted ones. */
async function namedVolumes(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('volumes')
    .select(['id', 'name', 'path', shareOfVolume])
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name, path, share }) => ({ volumeId: id, name, root: rootPath(path, share) }))
}

/** Adds full paths to rows with paths within volumes, also of deleted ones. */
export async function withFullPaths<R extends { volumeId: number; path: string }>(
  db: Db,
  rows: readonly R[],
): Promise<(R & { fullPath: string })[]> {
  const volumes = await namedVolumes(db, [...new Set(rows.map(({ volumeId }) => volumeId))])
  const roots = new Map(volumes.map(({ volumeId, root }) => [volumeId, root]))
  return rows.map((row) => ({ ...row, fullPath: fullPathOf(roots.get(row.volumeId) ?? '', row.path) }))
}
