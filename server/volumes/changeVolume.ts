import { sql } from 'kysely'
import type { z } from 'zod'
import { VolumeSettingDraft } from '#events/volume-settings.ts'
import { recordChange } from '#server/platform/audit.ts'
import { type Actor, type Trx, system } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict, invalid, notFound } from '#server/platform/problem.ts'
import { checkPriceBook, givePriceBook } from '#server/price-books/index.ts'
import { draftOf, rowOf } from './volumeRow.ts'

/** Sets up a file storage and returns its id; throws 400 for a name that is taken and an agent that does not exist. */
export async function createVolume(
  db: Db,
  given: z.input<typeof VolumeSettingDraft>,
  by: Actor = system,
): Promise<number> {
  const draft = VolumeSettingDraft.parse(given)
  return db.transaction().execute(async (trx) => {
    await checkDraft(trx, draft)
    const { id } = await trx.insertInto('volumes').values(rowOf(draft)).returning('id').executeTakeFirstOrThrow()
    await givePriceBook(trx, id, draft.storagePrice)
    await recordChange(trx, streamOf(id), by, { after: draft })
    return id
  })
}

/** Changes a file storage; a scan that runs goes on with what it began with. */
export async function updateVolume(db: Db, id: number, draft: VolumeSettingDraft, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = draftOf(await lockVolume(trx, id))
    await checkDraft(trx, draft, id)
    await trx.updateTable('volumes').set(rowOf(draft)).where('id', '=', id).execute()
    await givePriceBook(trx, id, draft.storagePrice)
    await recordChange(trx, streamOf(id), by, { before, after: draft })
  })
}

/** Deletes a file storage and takes it out of the newest date; older dates keep it. Throws 409 while it is scanned. */
export async function removeVolume(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
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
    await recordChange(trx, streamOf(id), by, { before: draftOf(volume) })
  })
}

const streamOf = (id: number): string => `volume-${id}`

/** The row, which nobody else changes or begins to scan until the transaction is over. */
async function lockVolume(trx: Trx, id: number) {
  const volumes = trx.selectFrom('volumes').selectAll().where('deletedAt', 'is', null)
  return (await volumes.where('id', '=', id).forUpdate().executeTakeFirst()) ?? notFound('file storage', id)
}

async function checkDraft(trx: Trx, { name, server, storagePrice }: VolumeSettingDraft, own = 0): Promise<void> {
  const taken = await trx
    .selectFrom('volumes')
    .select('id')
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .where('deletedAt', 'is', null)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (taken) invalid('name', `should be unique, ${name} already exists`)
  // Held until the storage is there, so that the agent is not deleted meanwhile.
  const agent = await trx
    .selectFrom('agents')
    .select('id')
    .where('id', '=', server.id)
    .where('deletedAt', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (!agent) invalid('server.id', 'must be an agent that exists')
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
