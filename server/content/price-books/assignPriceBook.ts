import type { PriceBookOfStorage } from '#events/sources/fileStorages.ts'
import { today } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'
import { invalid } from '#server/platform/problem.ts'
import { openDay } from './openDay.ts'

/** Throws 400 for an unknown price book; locks an existing one, so it can't be deleted until the transaction ends. */
export async function checkPriceBook(trx: Trx, id: number): Promise<void> {
  const living = trx.selectFrom('storagePrices').where('deletedAt', 'is', null)
  await checkExists(living, { id, field: 'storagePrice.id', what: 'a price book that exists' })
}

/**
 * Sets the price book of a volume from a day on, by default today, or removes it. Of two changes for one day the last one counts. Throws
 * 400 for a later day, and for one in a closed month.
 */
export async function assignPriceBook(trx: Trx, volumeId: number, book: PriceBookOfStorage): Promise<void> {
  const storagePriceId = book?.id ?? null
  const since = book?.since ?? today()
  if (since > today()) invalid('storagePrice.since', 'must be today or earlier')
  if (since === today() && storagePriceId === (await lastGiven(trx, volumeId))) return
  await openDay(trx, { table: 'volumePriceChanges', owner: 'volumeId', id: volumeId }, since, 'storagePrice.since')
  await trx.deleteFrom('volumePriceChanges').where('volumeId', '=', volumeId).where('since', '>', since).execute()
  await trx
    .insertInto('volumePriceChanges')
    .values({ volumeId, since, storagePriceId })
    .onConflict((on) => on.columns(['volumeId', 'since']).doUpdateSet({ storagePriceId }))
    .execute()
}

async function lastGiven(trx: Trx, volumeId: number): Promise<number | null> {
  const given = trx.selectFrom('volumePriceChanges').select('storagePriceId').where('volumeId', '=', volumeId)
  return (await given.orderBy('since', 'desc').limit(1).executeTakeFirst())?.storagePriceId ?? null
}
