import { sql } from 'kysely'
import type { VolumeSetting, VolumeSettingDraft } from '#events/volume-settings.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { conflict, invalid, notFound } from '#server/platform/problem.ts'
import { checkPriceBook, givePriceBook } from '#server/price-books/index.ts'
import { draftOf, rowOf } from './volumeRow.ts'

/** A kind of file storage, and what its form calls the fields that may be refused. */
export type Kind = { type: VolumeSetting['type']; fields: { name: string; server: string } }
const localFolder: Kind = { type: 'crawl.files', fields: { name: 'name', server: 'server.id' } }

/** The stream of the event log that tells of a file storage. */
export const streamOf = (id: number): string => `volume-${id}`

/** Adds the row; throws 400 for a name that is taken and an agent that does not exist. The caller records the change. */
export async function insertVolume(trx: Trx, draft: VolumeSettingDraft, kind = localFolder): Promise<number> {
  await checkDraft(trx, draft, kind)
  const row = { ...rowOf(draft), type: kind.type }
  const { id } = await trx.insertInto('volumes').values(row).returning('id').executeTakeFirstOrThrow()
  await givePriceBook(trx, id, draft.storagePrice)
  return id
}

/** Changes the row and returns what it was; a scan that runs goes on with what it began with. */
export async function rewriteVolume(
  trx: Trx,
  id: number,
  draft: VolumeSettingDraft,
  kind = localFolder,
): Promise<VolumeSettingDraft> {
  const before = await lockVolume(trx, id)
  if (before.type !== kind.type) conflict(`${before.name} is a network volume and is changed as one`)
  await checkDraft(trx, draft, kind, id)
  await trx
    .updateTable('volumes')
    .set({ ...rowOf(draft), type: kind.type })
    .where('id', '=', id)
    .execute()
  await givePriceBook(trx, id, draft.storagePrice)
  return draftOf(before)
}

/** Ends a file storage and takes it out of the newest date; older dates keep it. Throws 409 while it is scanned. */
export async function endVolume(trx: Trx, id: number): Promise<VolumeSettingDraft> {
  const volume = await lockVolume(trx, id)
  await checkNoScan(trx, id, volume.name)
  await trx
    .updateTable('volumes')
    .set({ deletedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await trx
    .deleteFrom('snapshots')
    .where('volumeId', '=', id)
    .where('indexingDate', '=', (of) =>
      of.selectFrom('snapshots').select(({ fn }) => fn.max('indexingDate').as('newest')),
    )
    .execute()
  return draftOf(volume)
}

/** The row, which nobody else changes or begins to scan until the transaction is over. */
async function lockVolume(trx: Trx, id: number) {
  const volumes = trx.selectFrom('volumes').selectAll().where('deletedAt', 'is', null)
  return (await volumes.where('id', '=', id).forUpdate().executeTakeFirst()) ?? notFound('file storage', id)
}

async function checkDraft(
  trx: Trx,
  { name, server, storagePrice }: VolumeSettingDraft,
  { fields }: Kind,
  own = 0,
): Promise<void> {
  const taken = await trx
    .selectFrom('volumes')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('deletedAt', 'is', null)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (taken) invalid(fields.name, `should be unique, ${name} already exists`)
  // Held until the storage is there, so that the agent is not deleted meanwhile.
  const agent = await trx
    .selectFrom('agents')
    .select('id')
    .where('id', '=', server.id)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (!agent) invalid(fields.server, 'must be an agent that exists')
  if (storagePrice) await checkPriceBook(trx, storagePrice.id)
}

async function checkNoScan(trx: Trx, id: number, name: string): Promise<void> {
  const scan = await trx
    .selectFrom('scans')
    .select('id')
    .where('volumeId', '=', id)
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .executeTakeFirst()
  if (scan) conflict(`A scan of ${name} is waiting or running; it can be deleted when that is over`)
}
