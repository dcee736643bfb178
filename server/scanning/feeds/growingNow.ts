import type { GrowingNow, growingNow } from '#events/feeds/growingNow.ts'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { isSeenPath } from '#server/content/snapshots/reading/withinScope.ts'
import { readLiveStates } from './liveStates.ts'

/** Folders of live storages in which files grew within the last minutes, as far as the scope shows them. */
export async function listGrowingNow(
  { db, clickhouse }: Stores,
  scope: Scope,
  { storages, minutes, size }: Input<typeof growingNow>['query'],
): Promise<Answer<typeof growingNow>> {
  const snapshot = await snapshotOrEmpty(db, scope)
  const asked = snapshot.volumes.filter(({ volumeId }) => storages.length === 0 || storages.includes(volumeId))
  const liveStateOf = await readLiveStates(
    db,
    asked.map(({ volumeId }) => volumeId),
  )
  const volumes = asked.filter(({ volumeId }) => liveStateOf(volumeId).state === 'LIVE')
  if (volumes.length === 0) return { folders: [], asOf: null }
  const folder = sql`substring(parent_path, 1, length(parent_path) - 1)`
  const seen = isSeenPath({ volumes, partial: snapshot.partial }, folder)
  const rows = await clickhouse.rows<Omit<GrowingNow, 'volumeName'> & { asOf: number }>(sql`
    SELECT toUInt32(volume) AS volumeId, if(folder = '', '/', folder) AS path, argMax(owner, added) AS owner,
      sum(bytes) / ${minutes} AS bytesPerMinute, sum(files) / ${minutes} AS filesPerMinute,
      toFloat64(toUnixTimestamp64Milli(max(newest))) AS asOf
    FROM (
      SELECT volume, ${folder} AS folder, owner, max(at) AS newest, sum(added_bytes) AS added,
        toFloat64(added) - toFloat64(sum(removed_bytes)) AS bytes, toFloat64(sum(created)) - toFloat64(sum(deleted)) AS files
      FROM live_changes
      WHERE volume IN ${volumes.map(({ volumeId }) => volumeId)} AND at > subtractMinutes(now64(3), ${minutes}) AND ${seen ?? sql`true`}
      GROUP BY volume, folder, owner)
    GROUP BY volume, folder HAVING bytesPerMinute > 0
    ORDER BY bytesPerMinute DESC, volume, folder LIMIT ${size}`)
  const names = new Map(volumes.map(({ volumeId, name }) => [volumeId, name]))
  const folders = rows.map(({ asOf: _, ...row }) => ({ ...row, volumeName: names.get(row.volumeId) ?? '' }))
  return { folders, asOf: Math.max(0, ...rows.map(({ asOf }) => asOf)) || Date.now() }
}
