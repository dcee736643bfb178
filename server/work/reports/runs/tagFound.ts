import type { Stores } from '#server/platform/platform.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { endOfDays } from '#server/content/snapshots/index.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { limitsOf } from '#server/work/reports/reportLimits.ts'
import { dropStaging, newStaging, tagVolume } from '#server/work/tags/index.ts'
import type { RunFindings, Template } from './run.ts'
import type { UndoneRun } from './undoRun.ts'

type Run = UndoneRun & Pick<RunFindings, 'snapshot' | 'limits'> & Pick<Template, 'ownerId'>

/** A scan ended meanwhile, or the limits of the owner changed, so the snapshot differs from the one the run searched. */
export class SnapshotChanged extends Error {}

/**
 * Adds the tags to the results of a run, storage by storage, and removes the report's tag from results of an earlier
 * run on the same day that this one didn't find. `go` receives the progress and returns whether to continue. Throws
 * `SnapshotChanged`.
 */
export async function tagFound(
  stores: Stores,
  { id, reportTag, tags, snapshot, limits, ownerId }: Run,
  go: (tagged: number) => Promise<boolean>,
): Promise<boolean> {
  const staging = await newStaging(stores, 'reports')
  const read = (from: Sql, where: Sql) => async (now: Snapshot) => {
    if (shownBy(now, snapshot) !== shownBy(snapshot, snapshot)) throw new SnapshotChanged()
    if ((await limitsOf(stores.db, ownerId)).key !== limits.key) throw new SnapshotChanged()
    return { snapshot: now, from, where }
  }
  const found = sql`run = ${id}`
  let tagged = 0
  for (const { volumeId } of snapshot.volumes)
    for (const isDirectory of [false, true]) {
      if (!(await go(tagged))) return false
      const lost = read(sql`entry_tags`, isLost(id, reportTag, volumeId, isDirectory))
      const isKind = sql`${found} AND is_directory = ${isDirectory}`
      const count = await countIn(stores, volumeId, isKind)
      await tagVolume(stores, { tags: [reportTag], remove: true, isDirectory, select: lost }, volumeId, staging)
      const select = read(sql`report_entries`, isKind)
      if (count > 0)
        await tagVolume(stores, { tags: [reportTag, ...tags], remove: false, isDirectory, select }, volumeId, staging)
      tagged += count
    }
  await dropStaging(stores, staging)
  return true
}

/** The scans of the storages that a run searched. */
const shownBy = ({ indexingDate, volumes }: Snapshot, searched: Snapshot): string =>
  [
    indexingDate,
    ...volumes
      .filter(({ volumeId }) => searched.volumes.some((one) => one.volumeId === volumeId))
      .map(({ volumeId, scanId }) => `${volumeId}:${scanId}`),
  ].join(' ')

async function countIn({ clickhouse }: Stores, volumeId: number, condition: Sql): Promise<number> {
  const { count } = await clickhouse.one<{ count: number }>(
    sql`SELECT count() AS count FROM report_entries WHERE volume = ${volumeId} AND ${condition}`,
  )
  return Number(count)
}

/** Entries with the tag that were not found. */
const isLost = (run: number, tag: string, volumeId: number, isDirectory: boolean): Sql => sql`
  tag = ${tag} AND is_directory = ${isDirectory} AND to_date = toDate(${endOfDays})
  AND (parent_path, name) NOT IN (SELECT parent_path, name FROM report_entries
    WHERE run = ${run} AND volume = ${volumeId} AND is_directory = ${isDirectory})`
