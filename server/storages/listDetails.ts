import { sql } from 'kysely'
import type { Answer, Input } from '#events/endpoint.ts'
import type { detailedVolume } from '#events/storages.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { storagePriceOn } from '#server/price-books/index.ts'
import { readStatistics } from './readStatistics.ts'

const milliseconds = sql<number | null>`round(extract(epoch FROM finished_at - started_at) * 1000)`

const sortable = {
  indexingDate: sql`snapshots.indexing_date`,
  total: sql`capacity_total`,
  used: sql`capacity_used`,
  free: sql`capacity_free`,
  sizeOfFiles: sql`bytes`,
  numberOfFiles: sql`files`,
  numberOfFolders: sql`folders`,
  crawlDuration: milliseconds,
}

/** A page of a volume's snapshots between two days, newest first; each counts ages from its own day. */
export async function listDetails(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  id: number,
  { page, size, sort = 'indexingDate', direction = 'desc', from, indexingDate, to = indexingDate, statistics }: Query,
): Promise<Answer<typeof detailedVolume>> {
  checkSort(sort, sortable)
  await checkVolume(db, id)
  const between = selectSnapshots(db, id)
    .$if(from !== undefined, (query) => query.where('snapshots.indexingDate', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('snapshots.indexingDate', '<=', to ?? ''))
  const { total } = await between.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await between
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.path', 'snapshots.indexingDate', 'scanId'])
    .select(['scans.state', 'agents.id as agentId', 'agents.name as agentName'])
    .select(['capacityTotal as total', 'capacityFree as free', 'capacityUsed as used', 'bytes as sizeOfFiles'])
    .select(['files as numberOfFiles', 'folders as numberOfFolders', milliseconds.as('crawlDuration')])
    .select(storagePriceOn('volumes.id', 'snapshots.indexingDate').as('storagePrice'))
    .orderBy(sortable[sort], (order) => (direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast()))
    .orderBy('snapshots.indexingDate', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const statisticsAt = await readStatistics(clickhouse, id, statistics === 'true' ? rows : [])
  const elements = rows.map(({ scanId: _, state, agentId, agentName, ...row }) => ({
    ...row,
    server: agentId === null || agentName === null ? null : { id: agentId, name: agentName },
    productName: null,
    isPartial: state === 'partial',
    statistics: statisticsAt(row.indexingDate),
  }))
  return { elements, page, total, size, sort, direction }
}

type Query = Input<typeof detailedVolume>['query']

const selectSnapshots = (db: Db, id: number) =>
  db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .leftJoin('agents', 'agents.id', 'scans.agentId')
    .where('snapshots.volumeId', '=', id)

/** One that was deleted still has its past. */
async function checkVolume(db: Db, id: number): Promise<void> {
  const volume = await db.selectFrom('volumes').select('id').where('id', '=', id).executeTakeFirst()
  if (!volume) notFound('storage', id)
}
