import { sql } from 'kysely'
import type { PriceBookDraft } from '#events/price-books.ts'
import { recordChange } from '#server/platform/audit.ts'
import { today } from '#server/platform/days.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict, invalid, notFound } from '#server/platform/problem.ts'
import { someNames } from '#server/platform/someNames.ts'
import { currentPrices } from './currentPrices.ts'

/** Adds a price book and returns its id; throws 400 for a name that is taken. */
export async function createPriceBook(db: Db, draft: PriceBookDraft, by: Actor): Promise<number> {
  const id = await db.transaction().execute(async (trx) => {
    const { description } = draft
    await checkName(trx, description)
    const { id } = await trx
      .insertInto('storagePrices')
      .values({ description })
      .returning('id')
      .executeTakeFirstOrThrow()
    await notePrice(trx, id, draft)
    await recordChange(trx, streamOf(id), by, { after: draft })
    return id
  })
  wakeFollowers()
  return id
}

/** Changes a price book: its name at once, its price from today on. Of two changes on one day the last counts. */
export async function updatePriceBook(db: Db, id: number, draft: PriceBookDraft, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockPriceBook(trx, id)
    await checkName(trx, draft.description, id)
    await trx.updateTable('storagePrices').set({ description: draft.description }).where('id', '=', id).execute()
    if (before.price !== draft.price || before.currencySymbol !== draft.currencySymbol) await notePrice(trx, id, draft)
    await recordChange(trx, streamOf(id), by, { before, after: draft })
  })
  wakeFollowers()
}

/** Deletes a price book; dates that it applied to keep it. Throws 409 with the storages that have it. */
export async function removePriceBook(db: Db, id: number, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockPriceBook(trx, id)
    await checkNoStorages(trx, id, before.description)
    await trx
      .updateTable('storagePrices')
      .set({ deletedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await recordChange(trx, streamOf(id), by, { before })
  })
  wakeFollowers()
}

const streamOf = (id: number): string => `storage-price-${id}`

/** What it is, which nobody else changes or gives to a storage until the transaction is over. */
async function lockPriceBook(trx: Trx, id: number): Promise<PriceBookDraft> {
  const living = trx.selectFrom('storagePrices').select('description').where('deletedAt', 'is', null)
  const found = await living.where('id', '=', id).forUpdate().executeTakeFirst()
  const price = await currentPrices(trx).where('storagePriceId', '=', id).executeTakeFirst()
  if (!found || !price) return notFound('price book', id)
  return { ...found, currencySymbol: price.currencySymbol, price: price.price }
}

async function checkName(trx: Trx, description: string, own = 0): Promise<void> {
  const taken = await trx
    .selectFrom('storagePrices')
    .select('id')
    .where(sql`lower(description)`, '=', sql`lower(${description})`)
    .where('deletedAt', 'is', null)
    .where('id', '!=', own)
    .executeTakeFirst()
  if (taken) invalid('description', 'must be unique')
}

async function notePrice(trx: Trx, storagePriceId: number, { currencySymbol, price }: PriceBookDraft): Promise<void> {
  await trx
    .insertInto('storagePriceChanges')
    .values({ storagePriceId, since: today(), currencySymbol, price })
    .onConflict((on) => on.columns(['storagePriceId', 'since']).doUpdateSet({ currencySymbol, price }))
    .execute()
}

async function checkNoStorages(trx: Trx, id: number, description: string): Promise<void> {
  const volumes = trx.selectFrom('volumes').select('name').where('storagePriceId', '=', id)
  const rows = await volumes.where('deletedAt', 'is', null).orderBy('name').execute()
  if (rows.length === 0) return
  const storages = someNames(rows.map(({ name }) => name))
  conflict(`Price book ${description} is used by ${storages}. Give each another price book first.`)
}
