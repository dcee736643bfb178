import { jobTypesOf } from '#events/actions/actions.ts'
import type { SetContents } from '#events/actions/contents.ts'
import { isOpen } from '#events/jobs/events.ts'
import { jobStatuses } from '#events/jobs/states.ts'
import { asNumbers, idOf } from '#server/content/entries/entryRecord.ts'
import { type Place, placeKey, rowsAt } from '#server/content/entries/places.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { type Snapshot, snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type ComparedFile, judgeSet } from './judgeSet.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/** Results of comparing the files of sets, given by their hashes, that the snapshot of a day shows. */
export async function readContents(
  { db, clickhouse }: Stores,
  hashes: string[],
  indexingDate: string | undefined,
  by: Caller,
): Promise<SetContents[]> {
  const sets = [...new Set(hashes.map(idOf))]
  if (sets.length === 0) return []
  const engine = forCaller(by, clickhouse)
  const [files, jobs] = await Promise.all([
    comparedFiles(engine, sets, await snapshotOrEmpty(db, by.scope, indexingDate)),
    // Jobs of others may be comparing files that the caller doesn't see.
    by.scope === 'everything' ? runningJobs({ db, clickhouse: engine }, sets) : new Map<string, number>(),
  ])
  const bySet = Map.groupBy(files, ({ hash }) => hash)
  return sets.flatMap((hash) => {
    const jobId = jobs.get(hash) ?? null
    const compared = bySet.get(hash) ?? []
    return compared.length === 0 && jobId === null ? [] : [{ hash, ...judgeSet(compared), jobId }]
  })
}

type Result = Place & Omit<ComparedFile, 'fileId' | 'size'> & { hash: string; scan: number }

/** The newest results of files that are in the snapshot, and have not changed since. */
async function comparedFiles(
  clickhouse: ClickHouse,
  sets: string[],
  snapshot: Snapshot,
): Promise<(ComparedFile & { hash: string })[]> {
  const rows = await clickhouse.rows<Omit<Result, 'isDirectory'>>(
    sql`
      SELECT hex(hash) AS hash, volume AS volumeId, concat(parent_path, name) AS path, toFloat64(scan) AS scan, ends, whole, file, reason,
        toFloat64(shared) AS shared, toFloat64(compared_at) AS comparedAt
      FROM file_contents FINAL WHERE file_contents.hash IN ${asNumbers(sets)}
      ORDER BY volume, parent_path, file_contents.name`,
    { quick: true },
  )
  if (rows.length === 0) return []
  const results = rows.map((row): Result => ({ ...row, hash: idOf(row.hash), isDirectory: false }))
  const shown = await shownAt(clickhouse, results, snapshot)
  const changed = await changedSince(clickhouse, results)
  return results.flatMap((result) => {
    const entry = shown.get(placeKey(result))
    if (entry?.hash !== result.hash || changed(result)) return []
    const { hash, ends, whole, file, shared, reason, comparedAt } = result
    return [{ hash, ends, whole, file, shared, reason, comparedAt, fileId: entry.fileId, size: entry.size }]
  })
}

/** Entries of the snapshot by place. A changed size or time changes the hash. */
async function shownAt(clickhouse: ClickHouse, places: readonly Place[], snapshot: Snapshot) {
  const rows = await rowsAt<{ hash: string; id: string; size: number }>(clickhouse, places, {
    columns: sql`hex(identification_hash) AS hash, hex(file_id) AS id, size`,
    ...sourceAt(snapshot),
  })
  return new Map(rows.map((row) => [placeKey(row), { hash: idOf(row.hash), fileId: idOf(row.id), size: row.size }]))
}

/** Finds files that had another size or time since, or were gone, even if their present version is like the compared one. */
async function changedSince(clickhouse: ClickHouse, places: readonly Place[]): Promise<(result: Result) => boolean> {
  const rows = await rowsAt<{ hash: string; until: number; isGone: boolean }>(clickhouse, places, {
    columns: sql`hex(identification_hash) AS hash, toFloat64(to_scan) AS until, ended != 'changed' AS isGone`,
    from: sql`entry_history`,
    where: sql`1`,
  })
  const versions = Map.groupBy(rows, placeKey)
  return (result) =>
    versions
      .get(placeKey(result))
      ?.some(({ hash, until, isGone }) => until > result.scan && (isGone || idOf(hash) !== result.hash)) ?? false
}

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

/** Jobs that are comparing files of these sets. */
async function runningJobs({ db, clickhouse }: Stores, sets: string[]): Promise<Map<string, number>> {
  const selections = await db
    .selectFrom('selections')
    .innerJoin('jobs', 'jobs.id', 'selections.usedBy')
    .select(['selections.id', 'jobs.id as jobId'])
    .where('jobs.type', 'in', jobTypesOf('compare'))
    .where('jobs.status', 'in', openStatuses)
    .execute()
  if (selections.length === 0) return new Map()
  const jobOf = new Map(selections.map(({ id, jobId }) => [id, jobId]))
  const places = new Map(sets.map((hash) => [BigInt(`0x${hash}`).toString(), hash]))
  const rows = await clickhouse.rows<{ selection: number; place: string }>(
    sql`
      SELECT DISTINCT toFloat64(selection) AS selection, place FROM selected_entries
      WHERE selected_entries.selection IN ${[...jobOf.keys()]} AND left_out = '' AND place IN ${[...places.keys()]}`,
    { quick: true },
  )
  return new Map(
    rows.flatMap(({ selection, place }) => {
      const [hash, jobId] = [places.get(place), jobOf.get(selection)]
      return hash === undefined || jobId === undefined ? [] : [[hash, jobId] as const]
    }),
  )
}
