import { mediaExtensions } from '#events/media/extensions.ts'
import type { MediaTotals } from '#events/media/found.ts'
import { hasId } from '#server/content/entries/listEntries.ts'
import { type FoundEntries, queryOptions } from '#server/content/entries/selectEntries.ts'
import { contentKey } from '#server/content/media/contentKey.ts'
import { detailsOf, hasFacts, mediaValue, withFact } from '#server/content/media/facts.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'

const duration = { value: sql`toNullable(numbers['media.duration'])`, where: sql`failure = ''` }

/** Totals of the media files of a search. Costs nothing while no file of its storages was read. */
export async function mediaOfSearch(clickhouse: ClickHouse, selection: FoundEntries): Promise<MediaTotals> {
  const { from, where, volumes } = selection
  if (!(await hasFacts(clickhouse, volumes))) return { files: 0, read: 0, duration: 0 }
  return clickhouse.one<MediaTotals>(
    sql`
      SELECT count() AS files, countIf(isNotNull(${mediaValue})) AS read, sum(ifNull(${mediaValue}, 0)) AS duration
      FROM ${from} ${withFact(duration, volumes)}
      WHERE ${where} AND NOT is_directory AND (extension IN ${mediaExtensions} OR isNotNull(${mediaValue}))`,
    queryOptions(selection),
  )
}

/** The tracks and chapters of a file of a snapshot, see `mediaOfFile` in `events`. */
export async function detailsOfFile(clickhouse: ClickHouse, snapshot: Snapshot, volumeId: number, fileId: string) {
  const volumes = snapshot.volumes.filter((volume) => volume.volumeId === volumeId)
  const keys = sql`
    SELECT volume, ${contentKey} FROM ${entriesAt({ ...snapshot, volumes })}
    WHERE NOT is_directory AND ${hasId(fileId)} AND ${withinScope(snapshot) ?? sql`1`}`
  const [facts] = await clickhouse.rows<{ failure: string; details: string }>(detailsOf(keys, volumes), { quick: true })
  const { tracks = [], chapters = [] } = JSON.parse(facts?.details || '{}')
  return { failure: facts?.failure ?? null, tracks, chapters }
}
