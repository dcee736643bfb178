import { type RawBuilder, sql } from 'kysely'
import { type Answer, type Input, now } from '#events/contract/endpoint.ts'
import type { LiveState } from '#events/feeds/liveState.ts'
import type { Storage, storages } from '#events/storages.ts'
import { textOrder } from '#server/platform/crud/listPage.ts'
import { type Scope, showsPart, showsStorage, wholeStorages } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { tablesOfSources } from '#server/platform/postgres/sourceTables.ts'
import { shownDisk } from '#server/content/snapshots/reading/shownVolume.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { livePart, readLiveStates } from '#server/scanning/feeds/index.ts'
import { type Place, readCursor, writeCursor } from './storageCursor.ts'

type Query = Input<typeof storages>['query']
type Row = Omit<Storage, 'createdAt' | 'stats' | 'live'> & {
  createdAt: Date
  diskTotal: number | null
  diskUsed: number | null
  diskFree: number | null
  fileSystem: string | null
  value: string | number
}

/** A Custom S3 at Google's address is shown as Google Cloud Storage. */
const shownType = sql`CASE WHEN bucket_credentials.url ~* '^https?://([^/]+[.])?storage[.]googleapis[.]com([:/]|$)'
  THEN 'GOOGLE' ELSE volumes.type END`

/** Unknown values are before all known ones. */
const values: Record<Query['sort'], RawBuilder<unknown>> = {
  CREATED_AT: sql`(extract(epoch FROM volumes.created_at) * 1000000)::bigint`,
  NAME: textOrder('volumes.name'),
  TYPE: shownType,
  CAPACITY_USED: sql`coalesce(disk_used, -1)`,
  CAPACITY_TOTAL: sql`coalesce(disk_total, -1)`,
}

/** The configured storages from a cursor on; added or removed storages don't cause duplicates or gaps. */
export async function listStorages(db: Db, scope: Scope, query: Query): Promise<Answer<typeof storages>> {
  const { size, sort, direction, endCursor } = query
  const after = endCursor === undefined ? undefined : readCursor(endCursor, sort)
  const [found, hasPreviousPage, snapshot] = await Promise.all([
    readAfter(db, scope, query, after),
    after ? hasUpTo(db, scope, query, after) : false,
    snapshotAt(db, 'everything', query.indexingDate),
  ])
  const rows = found.slice(0, size)
  const liveStateOf = await readLiveStates(
    db,
    rows.map(({ id }) => id),
  )
  const cursorOf = (row: Row | undefined) => (row ? writeCursor({ sort, value: row.value, id: row.id }) : null)
  return {
    elements: rows.map((row) => asStorage(row, scope, liveStateOf(row.id))),
    startCursor: cursorOf(rows[0]),
    endCursor: cursorOf(rows.at(-1)),
    hasNextPage: found.length > size,
    hasPreviousPage,
    size,
    sort,
    direction,
    indexingDate: snapshot?.indexingDate ?? null,
  }
}

/** One more than the page size, to detect a further page. */
async function readAfter(db: Db, scope: Scope, query: Query, after: Place | undefined): Promise<Row[]> {
  const isUp = query.direction === 'asc'
  const { rows } = await sql<Row>`
    SELECT * FROM (${listed(scope, query)}) AS listed
    WHERE ${after ? sql`(value, id) ${isUp ? sql`>` : sql`<`} (${after.value}, ${after.id}::integer)` : sql`true`}
    ORDER BY ${isUp ? sql`value, id` : sql`value DESC, id DESC`} LIMIT ${query.size + 1}`.execute(db)
  return rows
}

/** Returns whether a storage is at or before a place. */
async function hasUpTo(db: Db, scope: Scope, query: Query, place: Place): Promise<boolean> {
  const order = query.direction === 'asc' ? sql`<=` : sql`>=`
  const { rows } = await sql`
    SELECT 1 FROM (${listed(scope, query)}) AS listed
    WHERE (value, id) ${order} (${place.value}, ${place.id}::integer) LIMIT 1`.execute(db)
  return rows.length > 0
}

const withCredentials = Object.values(tablesOfSources).filter((tables) => tables !== undefined)

const joinCredentials = ({ details, credentials }: (typeof withCredentials)[number]) => sql`
  LEFT JOIN ${sql.table(details)} ON ${sql.ref(`${details}.volumeId`)} = volumes.id
  LEFT JOIN ${sql.table(credentials)} ON ${sql.ref(`${credentials}.id`)} = ${sql.ref(`${details}.credentialId`)}`

const listed = (scope: Scope, { sort, indexingDate = now }: Query) => sql`
  SELECT volumes.id, volumes.name, ${shownType} AS type, volumes.created_at,
    disk_total, disk_used, disk_free, scans.file_system,
    CASE WHEN ${showsStorage(scope, sql`volumes.id`)} THEN coalesce(${sql.join(withCredentials.map(({ credentials }) => sql.ref(`${credentials}.name`)))}) END AS account, ${values[sort]} AS value
  FROM volumes
  LEFT JOIN snapshots ON snapshots.volume_id = volumes.id AND ${showsStorage(scope, sql`volumes.id`)}
    AND snapshots.indexing_date = (SELECT max(indexing_date) FROM snapshots WHERE indexing_date <= ${indexingDate === now ? 'infinity' : indexingDate}::date)
  LEFT JOIN scans ON scans.id = snapshots.scan_id
  LEFT JOIN ${shownDisk(scope)} ON true
  ${sql.join(withCredentials.map(joinCredentials), sql` `)}
  WHERE volumes.deleted_at IS NULL AND ${showsPart(scope, sql`volumes.id`)}`

const asStorage = (
  { id, name, account, type, createdAt, diskTotal, diskUsed, diskFree, fileSystem }: Row,
  scope: Scope,
  live: LiveState,
): Storage => ({
  id,
  name,
  account,
  type,
  createdAt: createdAt.toISOString(),
  stats: { capacityUsed: diskUsed, capacityTotal: diskTotal, capacityFree: diskFree, fileSystem },
  live,
  ...(scope !== 'everything' && !wholeStorages(scope).includes(id) && { live: livePart(live), limited: true as const }),
})
