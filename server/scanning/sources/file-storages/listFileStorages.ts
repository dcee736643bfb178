import { sql } from 'kysely'
import type { z } from 'zod'
import type { FileStorage, fileStorages } from '#events/sources/fileStorages.ts'
import { sourceOfType } from '#events/sources/kinds.ts'
import type { ShareType } from '#events/sources/mountRules.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { currentPrices } from '#server/content/price-books/index.ts'
import { folderDraft } from '../folderRow.ts'
import type { VolumeRow } from '../sourceTable.ts'

type Query = z.output<(typeof fileStorages)['list']['query']>

/** Types with the meaning of this one: Amazon's has two names. */
function sameTypes(type: string): string[] {
  const { group, types = {} } = sourceOfType(type) ?? {}
  return group === 'object' ? Object.keys(types).filter((other) => types[other] === types[type]) : [type]
}

const sortable = {
  id: sql`volumes.id`,
  name: textOrder('volumes.name'),
  path: textOrder('volumes.path'),
  scanType: sql`volumes.scan_type`,
  'server.name': textOrder('agents.name'),
  'storagePrice.description': textOrder('storagePrices.description'),
}

/** A page of the storages that are set up, of all kinds or of some types, by name by default. */
export const listFileStorages = (db: Db, { filterType, ...query }: Query) =>
  listPage(
    db,
    selectStorages(db).$if(filterType !== undefined, (list) =>
      list.where('volumes.type', 'in', (filterType ?? []).flatMap(sameTypes)),
    ),
    query,
    { sortable, sort: 'name', tie: 'volumes.id', nulls: 'smallest' },
    shown,
  )

export async function findFileStorage(db: Db, id: number): Promise<FileStorage | undefined> {
  const row = await selectStorages(db).where('volumes.id', '=', id).executeTakeFirst()
  return row && shown(row)
}

const selectStorages = (db: Db) =>
  db
    .selectFrom('volumes')
    .innerJoin('agents', 'agents.id', 'volumes.agentId')
    .leftJoin('storagePrices', 'storagePrices.id', 'volumes.storagePriceId')
    .leftJoin(currentPrices(db).as('current'), 'current.storagePriceId', 'volumes.storagePriceId')
    .leftJoin('networkVolumes', 'networkVolumes.volumeId', 'volumes.id')
    .where('volumes.deletedAt', 'is', null)
    .selectAll('volumes')
    .select([
      'agents.name as agentName',
      'storagePrices.description as priceBook',
      'current.currencySymbol',
      'current.price',
      'networkVolumes.type as shareType',
    ])

type Row = VolumeRow & {
  agentName: string
  priceBook: string | null
  currencySymbol: string | null
  price: number | null
  shareType: ShareType | null
}

const shown = (row: Row): FileStorage => ({
  ...folderDraft(row),
  id: row.id,
  name: row.name,
  type: row.type,
  server: { id: row.agentId, name: row.agentName },
  storagePrice:
    row.storagePriceId === null
      ? null
      : {
          id: row.storagePriceId,
          description: row.priceBook ?? '',
          currencySymbol: row.currencySymbol ?? '',
          price: row.price ?? 0,
        },
  mountType: row.shareType ?? (row.type === 'crawl.files' ? 'Local' : null),
  includesMountedFileSystems: row.crossFileSystems,
  policyActions: row.policyActions,
  followsChanges: row.followsChanges,
  readMedia: row.readMedia,
})
