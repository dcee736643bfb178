import { sql } from 'kysely'
import {
  type GrowthPoint,
  wallCookie,
  wallFolders,
  wallGrowth,
  WallOptions,
  wallOptions,
  wallSignIn,
  type WallStorage,
  wallTokens,
} from '#events/wall.ts'
import { now } from '#events/contract/endpoint.ts'
import { change } from '#server/platform/log/change.ts'
import { readSeenPlaces } from '#server/access/limits/index.ts'
import { type Scope, showsStorage, shownStorages, wholeStorages } from '#server/platform/callers/scope.ts'
import type { Platform, Stores } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { route } from '#server/platform/http/route.ts'
import { periodStart } from '#server/content/snapshots/reading/periodStart.ts'
import { entriesOf } from '#server/content/entries/selectEntries.ts'
import { sql as clickhouseSql } from '#server/platform/clickhouse/sql.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { changeWall, createToken, endToken, findOptions, listTokens, signInWall } from './wallTokens.ts'

/** Displays read everything again that their limits may change. */
const topics = ['wallTokens', 'limits'] as const

export const wallRoutes = (platform: Pick<Platform, 'db' | 'live' | 'clickhouse'>) => [
  route(wallTokens.list, ({ query }) => listTokens(platform.db, query)),
  route(wallTokens.create, ({ body }, by) => change(platform, by, topics, (change) => createToken(change, body))),
  route(wallTokens.update, ({ params, body }, by) =>
    change(platform, by, topics, (change) => changeWall(change, params.id, body)),
  ),
  route(wallTokens.remove, ({ params }, by) => change(platform, by, topics, (change) => endToken(change, params.id))),
  route(wallSignIn, async ({ body: { token } }, by, cookies) => {
    const display = { token, address: by.address, old: cookies.get(wallCookie) }
    const { sessionId, name } = await change(platform, by, topics, (change) => signInWall(change, display))
    cookies.set(wallCookie, sessionId)
    return { name }
  }),
  route(wallOptions, async (_, { scope }, cookies) => {
    const found = await findOptions(platform.db, cookies.get(wallCookie) ?? '')
    if (!found) return WallOptions.parse({})
    const { wallId, ...options } = found
    const limits = await readSeenPlaces(platform.db, { wallId }, scope)
    return { ...options, ...(limits && { limits }) }
  }),
  route(wallFolders, (_, { scope }) => readFolders(platform, scope)),
  route(wallGrowth, ({ query }, { scope }) => readGrowth(platform.db, scope, query.days)),
]

const newestDate = sql<string>`(SELECT max(indexing_date) FROM snapshots)`

/** Totals of the snapshots of a period up to the newest one; oldest first. None if the scope shows a part of a storage. */
async function readGrowth(db: Db, scope: Scope, days: number): Promise<GrowthPoint[]> {
  if (scope !== 'everything' && wholeStorages(scope).length < shownStorages(scope).length) return []
  return db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .select('snapshots.indexingDate')
    .select(sql<number>`sum(scans.bytes)::float8`.as('sizeOfFiles'))
    .select(sql<boolean>`bool_or(scans.state = 'partial')`.as('isPartial'))
    .where('snapshots.indexingDate', '>=', periodStart(newestDate, days))
    .where(showsStorage(scope, sql`snapshots.volume_id`))
    .groupBy('snapshots.indexingDate')
    .orderBy('snapshots.indexingDate')
    .execute()
}

/** Folders per storage that are legible on a wall. */
const maxFolders = 12

/** The largest top-level folders of each storage now, in bytes; empty before the first snapshot. */
async function readFolders({ db, clickhouse }: Stores, scope: Scope): Promise<WallStorage[]> {
  const snapshot = await snapshotAt(db, scope, now)
  if (!snapshot) return []
  const rows = await clickhouse.rows<{ storageId: number; folder: string; bytes: number }>(clickhouseSql`
    SELECT volume AS storageId, name AS folder, size AS bytes FROM ${entriesOf(snapshot, [])}
    WHERE parent_path = '/' AND is_directory AND name != '' AND size > 0
    ORDER BY size DESC, name LIMIT ${maxFolders} BY volume`)
  return snapshot.volumes.map(({ volumeId, asOf }) => ({
    volumeId,
    asOf,
    folders: rows
      .filter(({ storageId }) => storageId === volumeId)
      .map(({ folder, bytes }) => ({ name: folder, size: bytes })),
  }))
}
