import { type RawBuilder, sql } from 'kysely'
import type { ProjectStatistics } from '#events/projects/calls.ts'
import { storedBytes } from '#events/scans/entryLimits.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql as clickhouseSql } from '#server/platform/clickhouse/sql.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { duplicateRules } from '#server/content/snapshots/reading/duplicateRules.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { type Snapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { addStatistics } from '../addStatistics.ts'
import { linkStates, placeScan } from '../figures/shownFolders.ts'
import { countLinks, type LinkGroup, type Place, repeatedIn, type SharedFiles } from './countLinks.ts'

type Options = Stores & { signal: AbortSignal }

/** A folder of a project, other than nested ones, on a date. */
type CountedFolder = Place & { id: number; projectId: number; fileSystem: string | null }

/**
 * Returns the dates whose hard links between folders of one project aren't known, newest first, and a function that finds those of a date.
 * It returns false if there was nothing to do. Without projects of several folders there are no such dates.
 */
export async function openLinks({ db, clickhouse, signal }: Options) {
  await db
    .deleteFrom('linkedDates')
    .where('indexingDate', 'not in', db.selectFrom('snapshots').select('indexingDate'))
    .execute()
  const outdated = new Map((await findUnlinked(db)).map(({ indexingDate, shown }) => [indexingDate, shown]))
  const fill = async (indexingDate: string): Promise<boolean> => {
    const shown = outdated.get(indexingDate)
    const snapshot = shown === undefined ? undefined : await snapshotAt(db, 'everything', indexingDate)
    // The date may have been deleted meanwhile.
    if (shown === undefined || snapshot?.indexingDate !== indexingDate) return false
    const { rows } = await sql<{
      state: string
    }>`SELECT state FROM ${linkStates(sql`SELECT ${indexingDate}::date AS day`)} AS states`.execute(db)
    const projects = rows.map(({ state }) => state)
    await keepLinks(db, { snapshot, shown, projects }, await findLinks({ db, clickhouse, signal }, snapshot))
    return outdated.delete(indexingDate)
  }
  return { dates: [...outdated.keys()], fill }
}

/** Everything that the links of a date depend on: its scans, size bases, rules for duplicates, and projects with several folders. */
async function findUnlinked(db: Db) {
  const { minimumSize } = await duplicateRules(db)
  const { rows } = await sql<{ indexingDate: string; shown: string }>`
    WITH tracked AS (
      SELECT string_agg(concat_ws(' ', id, current_id, volume_id, path_hash, is_nested, from_scan, before_scan), ',' ORDER BY id) AS folders
      FROM project_folders WHERE ${ofSeveral}
    ), dates AS (
      SELECT indexing_date, md5(concat_ws(';', ${minimumSize}::text, tracked.folders,
        string_agg(concat_ws(' ', scan_id, size_basis), ',' ORDER BY scan_id))) AS shown
      FROM snapshots JOIN volumes ON volumes.id = snapshots.volume_id CROSS JOIN tracked
      WHERE tracked.folders IS NOT NULL OR EXISTS (SELECT FROM project_links)
      GROUP BY indexing_date, tracked.folders
    )
    SELECT indexing_date, dates.shown FROM dates LEFT JOIN linked_dates USING (indexing_date)
    WHERE linked_dates.shown IS DISTINCT FROM dates.shown ORDER BY indexing_date DESC`.execute(db)
  return rows
}

/** Condition on `project_folders`: the project has several folders. */
const ofSeveral: RawBuilder<unknown> = sql`project_id IN (
  SELECT project_id FROM project_folders WHERE current_id IS NULL GROUP BY project_id HAVING count(*) > 1)`

type Link = { folderId: number; volumeId: number; bytes: number; apparentBytes: number; statistics: ProjectStatistics }

async function findLinks({ db, clickhouse, signal }: Options, snapshot: Snapshot): Promise<Link[]> {
  const links: Link[] = []
  for (const folders of groupsOf(await readFolders(db, snapshot.indexingDate))) {
    const places = [
      ...new Map(folders.map(({ volumeId, path }) => [placeKey({ volumeId, path }), { volumeId, path }])).values(),
    ]
    const group = { places, isOverlapping: isOverlapping(snapshot, places) }
    if (!(await mayHaveLinks(clickhouse, snapshot, group))) continue
    const shared = await countLinks(clickhouse, snapshot, group, signal)
    const indexes = new Map(places.map((place, index) => [placeKey(place), index]))
    for (const own of Map.groupBy(folders, ({ projectId }) => projectId).values()) {
      const counted = own.map((folder) => indexes.get(placeKey(folder)) ?? -1)
      for (const [index, files] of repeatedIn(counted, shared))
        links.push(linkOf(own[counted.indexOf(index)] as CountedFolder, files))
    }
  }
  return links
}

const placeKey = ({ volumeId, path }: Place) => `${volumeId}:${path}`

const linkOf = ({ id, volumeId }: CountedFolder, files: SharedFiles[]): Link => ({
  folderId: id,
  volumeId,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  apparentBytes: files.reduce((sum, { apparentBytes }) => sum + apparentBytes, 0),
  statistics: addStatistics(files.map(({ statistics }) => statistics)),
})

/** The folders that projects of several folders count on a date, in the order in which they were added. */
async function readFolders(db: Db, indexingDate: string): Promise<CountedFolder[]> {
  const { rows } = await sql<CountedFolder>`
    SELECT coalesce(current_id, project_folders.id) AS id, project_id, project_folders.volume_id, path, file_system
    FROM project_folders
    JOIN snapshots ON snapshots.volume_id = project_folders.volume_id AND indexing_date = ${indexingDate}
    JOIN scans ON scans.id = snapshots.scan_id
    WHERE NOT is_nested AND from_scan <= ${placeScan} AND before_scan > ${placeScan} AND ${ofSeveral}
    ORDER BY 1`.execute(db)
  return rows
}

/** Folders on one file system of projects that have several of them there. */
function groupsOf(folders: CountedFolder[]): CountedFolder[][] {
  const placeOf = ({ fileSystem, volumeId }: CountedFolder) => fileSystem ?? `storage ${volumeId}`
  return [...Map.groupBy(folders, placeOf).values()].flatMap((sameDisk) => {
    const several = [...Map.groupBy(sameDisk, ({ projectId }) => projectId).values()].filter((own) => own.length > 1)
    return several.length === 0 ? [] : [several.flat()]
  })
}

const isOverlapping = ({ repeated }: Snapshot, places: Place[]): boolean => {
  const isTracked = (id: number) => places.some(({ volumeId }) => volumeId === id)
  return repeated.some(({ volumeId, within }) => isTracked(volumeId) && isTracked(within))
}

/** Of folders in one storage, the storage's own row has the bytes of all further links. */
async function mayHaveLinks(clickhouse: ClickHouse, snapshot: Snapshot, { places }: LinkGroup): Promise<boolean> {
  const [volumeId, ...others] = [...new Set(places.map((place) => place.volumeId))]
  if (volumeId === undefined || others.length > 0) return true
  const { from, where } = sourceAt(inStorages(snapshot, [volumeId]))
  const { repeated } = await clickhouse.one<{ repeated: number }>(clickhouseSql`
    SELECT toFloat64(max(repeated_size)) AS repeated FROM ${from} WHERE ${where} AND parent_path = '' AND name = ''`)
  return repeated > 0
}

/** A date with what its links depend on, in all and for each project. */
type LinkedDate = { snapshot: Snapshot; shown: string; projects: string[] }

/** Stores nothing if the date's scans were replaced meanwhile; the newer ones are searched next. */
async function keepLinks(db: Db, { snapshot, shown, projects }: LinkedDate, links: Link[]): Promise<void> {
  const { indexingDate } = snapshot
  await db.transaction().execute(async (trx) => {
    const current = await trx
      .selectFrom('snapshots')
      .select('scanId')
      .where('indexingDate', '=', indexingDate)
      .forKeyShare()
      .execute()
    const scans = current.map(({ scanId }) => scanId)
    if (snapshot.volumes.some(({ scanId }) => !scans.includes(scanId))) return
    await trx.deleteFrom('projectLinks').where('indexingDate', '=', indexingDate).execute()
    const rows = links.map((link) => ({
      ...link,
      bytes: storedBytes(link.bytes),
      apparentBytes: storedBytes(link.apparentBytes),
      indexingDate,
      statistics: JSON.stringify(link.statistics),
    }))
    if (rows.length > 0) await trx.insertInto('projectLinks').values(rows).execute()
    await trx
      .insertInto('linkedDates')
      .values({ indexingDate, shown, projects })
      .onConflict((conflict) => conflict.column('indexingDate').doUpdateSet({ shown, projects }))
      .execute()
  })
}
