import type { ImportOrigin } from '#events/imports/formats.ts'
import { isPartial } from '#server/content/snapshots/reading/imported.ts'
import { sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { productOfType } from '#events/sources/kinds.ts'
import type { DetailedVolume, detailedVolume } from '#events/storages.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Stores } from '#server/platform/platform.ts'
import {
  foldersIn,
  type LimitedScope,
  type Scope,
  showsScan,
  shownStorages,
  showsStorage,
  wholeStorages,
} from '#server/platform/callers/scope.ts'
import { countParts } from '#server/content/snapshots/reading/limitStorages.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import {
  asShownVolume,
  diskColumns,
  otherSizes,
  shareOfVolume,
  shownDisk,
} from '#server/content/snapshots/reading/shownVolume.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import { readStatistics } from './readStatistics.ts'

const durationMs = sql<number | null>`round(extract(epoch FROM finished_at - started_at) * 1000)`

const sortable = {
  indexingDate: sql`snapshots.indexing_date`,
  total: sql`disk_total`,
  used: sql`disk_used`,
  free: sql`disk_free`,
  sizeOfFiles: sql`bytes`,
  numberOfFiles: sql`files`,
  numberOfFolders: sql`folders`,
  crawlDuration: durationMs,
}

/**
 * A page of a volume's snapshots between two days, newest first; each counts ages from its own day. Throws 404, also for a volume that the
 * scope doesn't show, and 400 for another order of one that it shows in part.
 */
export async function listDetails(
  { db, clickhouse }: Stores,
  scope: Scope,
  id: number,
  { from, indexingDate, to = indexingDate, statistics, ...query }: Query,
): Promise<Answer<typeof detailedVolume>> {
  await checkVolume(db, scope, id)
  const isPart = scope !== 'everything' && !wholeStorages(scope).includes(id)
  if (isPart && (query.sort ?? 'indexingDate') !== 'indexingDate')
    invalid('sort', 'must be indexingDate for a storage that you see in part')
  const between = selectSnapshots(db, scope, id)
    .$if(from !== undefined, (some) => some.where('snapshots.indexingDate', '>=', from ?? ''))
    .$if(to !== undefined, (some) => some.where('snapshots.indexingDate', '<=', to ?? ''))
  const page = await listPage(db, between, query, {
    sortable,
    sort: 'indexingDate',
    direction: 'desc',
    tie: 'snapshots.indexingDate',
    nulls: 'smallest',
  })
  const statisticsAt = await readStatistics(clickhouse, id, statistics === 'true' && !isPart ? page.elements : [])
  const elements = page.elements.map(({ scanId: _, imported, agentId, agentName, ...row }) => ({
    ...asShownVolume(row),
    server: agentId === null || agentName === null ? null : { id: agentId, name: agentName },
    productName: productOfType(row.type),
    ...(imported && { imported }),
    statistics: statisticsAt(row.indexingDate),
  }))
  return {
    ...page,
    elements: isPart ? await partsOf({ db, clickhouse }, scope, id, page.elements, elements) : elements,
  }
}

/** The snapshots of a storage that the scope shows in part. Each scan is counted once. */
async function partsOf(
  stores: Stores,
  scope: LimitedScope,
  volumeId: number,
  shown: readonly { scanId: number; imported: ImportOrigin | null }[],
  all: readonly DetailedVolume[],
): Promise<DetailedVolume[]> {
  const volume = await stores.db
    .selectFrom('volumes')
    .select(['generation', 'layers', 'committedScan', 'sizeBasis'])
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  const { generation, layers, committedScan, sizeBasis } = volume
  const origins = new Map(shown.map(({ scanId, imported }) => [scanId, imported ?? undefined]))
  const parts = [...origins].map(([scanId, imported]) => {
    // A storage that was never scanned has imports only.
    const read = { generation: generation ?? 0, layers, committedScan: committedScan ?? 0 }
    const scan = { volumeId, scanId, imported, ...read }
    return { ...scan, folders: foldersIn(scope, scan), isApparent: sizeBasis === 'apparent' }
  })
  const limit = await countParts(stores, parts)
  return all.map((whole, at) => limit({ ...whole, ...ofWholeScan }, shown[at]?.scanId ?? 0))
}
const ofWholeScan = {
  server: null,
  crawlDuration: null,
  lacksSizesOnDisk: false,
  mayShareSpace: false,
  notEntered: { count: 0, folders: [] },
  versions: null,
  versionsFailure: null,
  inventoryAt: null,
}

type Query = Input<typeof detailedVolume>['query']

const selectSnapshots = (db: Db, scope: Scope, id: number) =>
  db
    .selectFrom('snapshots')
    .innerJoin('scans', 'scans.id', 'snapshots.scanId')
    .innerJoin('volumes', 'volumes.id', 'snapshots.volumeId')
    .leftJoin('agents', 'agents.id', 'scans.agentId')
    .where('snapshots.volumeId', '=', id)
    .where(showsScan(scope, sql`snapshots.volume_id`, sql`snapshots.scan_id`))
    .select(['volumes.id', 'volumes.name', 'volumes.type', 'volumes.path', 'snapshots.indexingDate', 'scanId'])
    .select(sql<boolean>`coalesce((scans.announced ->> 'withoutBlocks')::bigint, 0) > 0`.as('lacksSizesOnDisk'))
    .select(sql<boolean>`coalesce(scans.announced ? 'sharesSpace', false)`.as('mayShareSpace'))
    .select([announced('versions'), announced('versionsFailure'), announced('inventoryAt')])
    .select([
      'scans.indexingDate as scannedOn',
      isPartial.as('isPartial'),
      'scans.imported',
      'scans.notEntered',
      'scans.accessTimes',
      'agents.id as agentId',
      'agents.name as agentName',
    ])
    .innerJoin(shownDisk(scope), (join) => join.onTrue())
    .select([...diskColumns, 'scans.fileSystem', ...otherSizes, shareOfVolume, sharedWith(scope)])
    .select([
      'bytes as sizeOfFiles',
      'files as numberOfFiles',
      'folders as numberOfFolders',
      durationMs.as('crawlDuration'),
    ])
    .select(storagePriceOn('volumes.id', 'snapshots.indexingDate').as('storagePrice'))

/** A named value of the agent's message at the end of the scan. */
const announced = <Name extends 'versions' | 'versionsFailure' | 'inventoryAt'>(name: Name) =>
  sql<DetailedVolume[Name]>`scans.announced -> ${sql.lit(name)}`.as(name)

/** The names of the date's other storages on the same file system, if the scope shows them as a whole. */
const sharedWith = (scope: Scope) =>
  sql<string[]>`ARRAY(
  SELECT others.name FROM snapshots AS beside
  JOIN scans AS theirs ON theirs.id = beside.scan_id
  JOIN volumes AS others ON others.id = beside.volume_id
  WHERE beside.indexing_date = snapshots.indexing_date AND beside.volume_id != snapshots.volume_id
    AND theirs.file_system = scans.file_system AND ${showsStorage(scope, sql`others.id`)} AND ${showsStorage(scope, sql`snapshots.volume_id`)}
  ORDER BY lower(others.name), others.id)`.as('sharedWith')

/** A deleted volume still has a history. */
async function checkVolume(db: Db, scope: Scope, id: number): Promise<void> {
  const volume = await db.selectFrom('volumes').select('id').where('id', '=', id).executeTakeFirst()
  if (!volume || (scope !== 'everything' && !shownStorages(scope).includes(id))) notFound('storage', id)
}
