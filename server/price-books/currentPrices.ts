import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'

/** The last price of each price book. */
export const currentPrices = (db: Db | Trx) =>
  db
    .selectFrom('storagePriceChanges')
    .distinctOn('storagePriceId')
    .select(['storagePriceId', 'currencySymbol', 'price'])
    .orderBy('storagePriceId')
    .orderBy('since', 'desc')
