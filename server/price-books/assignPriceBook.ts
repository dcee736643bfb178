import { today } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { checkExists } from '#server/platform/crud/checkExists.ts'

/** Throws 400 for an unknown price book; locks an existing one, so it can't be deleted until the transaction ends. */
export async function checkPriceBook(trx: Trx, id: number): Promise<void> {
  const living = trx.selectFrom('storagePrices').where('deletedAt', 'is', null)
  await checkExists(living, { id, field: 'storagePrice.id', what: 'a price book that exists' })
}

/** Sets the price book of a volume from today on, or removes it. Of two changes on one day the last one counts. */
export async function assignPriceBook(trx: Trx, volumeId: number, storagePriceId: number | null): Promise<void> {
  if (storagePriceId === (await lastGiven(trx, volumeId))) return
  await trx
    .insertInto('volumePriceChanges')
    .values({ volumeId, since: today(), storagePriceId })
    .onConflict((on) => on.columns(['volumeId', 'since']).doUpdateSet({ storagePriceId }))
    .execute()
}

async function lastGiven(trx: Trx, volumeId: number): Promise<number | null> {
  const given = trx.selectFrom('volumePriceChanges').select('storagePriceId').where('volumeId', '=', volumeId)
  return (await given.orderBy('since', 'desc').limit(1).executeTakeFirst())?.storagePriceId ?? null
}
