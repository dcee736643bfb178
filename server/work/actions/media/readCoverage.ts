import { type MediaCoverage, maxMediaFailures } from '#events/media/coverage.ts'
import { mediaExtensions } from '#events/media/extensions.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import { forCaller } from '#server/platform/clickhouse/forCaller.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { withFullPaths } from '#server/questions/selections/index.ts'
import { contentKey } from '#server/content/media/contentKey.ts'

/** Counts the media files of the newest snapshot that were read, of one storage or of all that the caller sees. */
export async function readCoverage(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  volumeId: number | undefined,
  by: Caller,
): Promise<MediaCoverage> {
  const engine = forCaller(by, clickhouse)
  const whole = await snapshotOrEmpty(db, by.scope)
  const snapshot = volumeId === undefined ? whole : inStorages(whole, [volumeId])
  const ids = snapshot.volumes.map((volume) => volume.volumeId)
  if (ids.length === 0) return { files: 0, read: 0, failed: 0, failures: [] }
  const files = sql`
    SELECT volume, ${contentKey} AS content, concat(parent_path, name) AS path FROM ${entriesAt(snapshot)}
    WHERE NOT is_directory AND size >= 0 AND extension IN ${mediaExtensions} AND ${withinScope(snapshot) ?? sql`1`}`
  const facts = sql`SELECT volume, content, failure, 1 AS known FROM media_facts FINAL WHERE volume IN ${ids}`
  const counts = await engine.one<Omit<MediaCoverage, 'failures'>>(
    sql`
      SELECT count() AS files, countIf(known = 1 AND failure = '') AS read, countIf(failure != '') AS failed
      FROM (${files}) AS files LEFT JOIN (${facts}) AS facts USING (volume, content)`,
    { heavy: true },
  )
  if (counts.failed === 0) return { ...counts, failures: [] }
  const failed = await engine.rows<{ volumeId: number; path: string; reason: string }>(
    sql`
      SELECT volume AS volumeId, path, failure AS reason
      FROM (${files}) AS files INNER JOIN (${facts} AND failure != '') AS facts USING (volume, content)
      ORDER BY volume, path LIMIT ${maxMediaFailures}`,
    { heavy: true },
  )
  const named = await withFullPaths(db, failed)
  return { ...counts, failures: named.map(({ fullPath: path, reason }) => ({ path, reason })) }
}
