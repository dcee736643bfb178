import { today } from '#server/platform/days.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'

/** Throws 400 for a price book that does not exist, and holds one that does: it is not deleted until the transaction is over. */
export async function checkPriceBook(trx: Trx, id: number): Promise<void> {
  const living = trx.selectFrom('storagePrices').select('id').where('deletedAt', 'is', null)
  const found = await living.where('id', '=', id).forKeyShare().executeTakeFirst()
  if (!found) invalid('storagePrice.id', 'must be a price book that exists')
}

/** Notes which price book a volume has from today on, or that it has none any more. Of two changes on one day the last counts. */
export async function givePriceBook(trx: Trx, volumeId: number, priceBook: { id: number } | null): Promise<void> {
  const storagePriceId = priceBook?.id ?? null
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
