import { isDeepStrictEqual } from 'node:util'
import { sql as kysely } from 'kysely'
import type { Input } from '#events/contract/endpoint.ts'
import type { MetricFolder, metricFolders } from '#events/overview/metrics.ts'
import { streamNames } from '#events/streams.ts'
import { rowsAt } from '#server/content/entries/places.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import { billedBytes } from '#server/content/snapshots/reading/billedBytes.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'

/** Replaces the chosen folders. Throws 400 for a storage that doesn't exist. */
export async function chooseFolders({ trx, record }: Change, { folders }: ChosenFolders): Promise<void> {
  await kysely`LOCK TABLE metric_folders IN SHARE ROW EXCLUSIVE MODE`.execute(trx)
  const known = await trx.selectFrom('volumes').select('id').where('deletedAt', 'is', null).execute()
  const unknown = folders.findIndex(({ storageId }) => known.every(({ id }) => id !== storageId))
  if (unknown >= 0) invalid(`folders.${unknown}.storageId`, 'is unknown')
  const before = await placesOf(trx)
  await trx.deleteFrom('metricFolders').execute()
  const rows = folders.map(({ storageId: volumeId, path }) => ({ volumeId, path }))
  if (rows.length > 0)
    await trx
      .insertInto('metricFolders')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
  const after = await placesOf(trx)
  if (!isDeepStrictEqual(before, after))
    await record(streamNames.metrics, { before: { folders: before }, after: { folders: after } })
}
type ChosenFolders = Input<typeof metricFolders.choose>['body']

const placesOf = async (trx: Trx) => (await chosenFolders(trx)).map(({ storageId, path }) => ({ storageId, path }))

/** The chosen folders of existing storages, by storage and path. */
const chosenFolders = (db: Db | Trx) =>
  db
    .selectFrom('metricFolders')
    .innerJoin('volumes', 'volumes.id', 'volumeId')
    .select(['volumeId as storageId', 'volumes.name as storageName', 'metricFolders.path'])
    .where('deletedAt', 'is', null)
    .orderBy(kysely`lower(volumes.name)`)
    .orderBy('volumeId')
    .orderBy('metricFolders.path')
    .execute()

/** Makes a function that reads the chosen folders with their bytes: each once for a scan that the newest snapshot shows. */
export function openFolders({ db, clickhouse }: Stores): () => Promise<MetricFolder[]> {
  let read = new Map<string, number | null>()
  return async () => {
    const [chosen, snapshot] = [await chosenFolders(db), await snapshotOrEmpty(db, 'everything')]
    const scans = new Map(
      snapshot.volumes.map(({ volumeId, scanId, generation }) => [volumeId, { scanId, generation }]),
    )
    const keyOf = ({ storageId, path }: { storageId: number; path: string }) =>
      JSON.stringify([storageId, snapshot.apparentVolumes.includes(storageId), scans.get(storageId), path])
    const unread = chosen.filter((folder) => scans.has(folder.storageId) && !read.has(keyOf(folder)))
    const { from, where } = sourceAt(snapshot)
    const rows = await rowsAt<{ bytes: number }>(
      clickhouse,
      unread.map(({ storageId, path }) => ({ volumeId: storageId, path: pathOf(path), isDirectory: true })),
      { columns: sql`toFloat64(${billedBytes(snapshot)}) AS bytes`, from, where: sql`is_directory AND ${where}` },
    )
    const found = new Map(
      rows.map(({ volumeId, path, bytes }) => [keyOf({ storageId: volumeId, path: path || '/' }), bytes]),
    )
    const bytesOf = (key: string) => found.get(key) ?? read.get(key) ?? null
    const folders = chosen.map((folder) => ({ ...folder, bytes: bytesOf(keyOf(folder)) }))
    read = new Map(folders.filter(({ storageId }) => scans.has(storageId)).map((one) => [keyOf(one), one.bytes]))
    return folders
  }
}

/** The stored path of a folder; that of the storage itself is empty. */
const pathOf = (path: string): string => childrenOf(path).slice(0, -1)
