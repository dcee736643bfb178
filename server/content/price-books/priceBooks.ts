import { isDeepStrictEqual } from 'node:util'
import { streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import type { PriceBook, PriceBookDraft } from '#events/price-books.ts'
import { today } from '#server/platform/days.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { checkUnused } from '#server/platform/crud/checkUnused.ts'
import { notFound } from '#server/platform/problem.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { openDay } from './openDay.ts'
import { inEffectOn } from './storagePriceOn.ts'

export async function createPriceBook(change: Change, draft: PriceBookDraft): Promise<number> {
  const { trx, record } = change
  const { description } = draft
  await checkName(trx, description)
  const { id } = await trx.insertInto('storagePrices').values({ description }).returning('id').executeTakeFirstOrThrow()
  await setPrice(change, id, draft)
  await record(streamNames.priceBook(id), { after: draft })
  return id
}

/**
 * Changes a price book: its name at once, its prices from `since` on. Of two changes for one day the last one counts. Throws 400 for a
 * day of a closed month.
 */
export async function updatePriceBook(change: Change, id: number, draft: PriceBookDraft): Promise<void> {
  const { trx, record } = change
  const before = await lockPriceBook(trx, id, draft.since ?? today())
  await checkName(trx, draft.description, id)
  await trx.updateTable('storagePrices').set({ description: draft.description }).where('id', '=', id).execute()
  if (!isDeepStrictEqual(pricesOf(before), pricesOf(draft))) await setPrice(change, id, draft)
  await record(streamNames.priceBook(id), { before, after: draft })
}

/** Deletes a price book; past dates keep its prices. Throws 409 with the storages that use it. */
export async function removePriceBook({ trx, record }: Change, id: number): Promise<void> {
  const before = await lockPriceBook(trx, id)
  await checkUnused(
    trx.selectFrom('volumes').select('name').where('storagePriceId', '=', id).where('deletedAt', 'is', null).execute(),
    (storages) => `Price book ${before.description} is used by ${storages}. Assign another price book to each first.`,
  )
  await trx
    .updateTable('storagePrices')
    .set({ deletedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await record(streamNames.priceBook(id), { before })
}

/**
 * Locks a price book: no one changes it or assigns it to a storage until the transaction ends. Returns it with the prices of a day.
 */
async function lockPriceBook(trx: Trx, id: number, day = today()): Promise<PriceBookDraft> {
  const living = trx.selectFrom('storagePrices').select('description').where('deletedAt', 'is', null)
  const book = await living.where('id', '=', id).forUpdate().executeTakeFirst()
  const price = await currentPrices(trx, day).where('storagePriceId', '=', id).executeTakeFirst()
  if (!book || !price) return notFound('price book', id)
  return { ...book, ...pricesOf(price) }
}

const pricesOf = ({ currencySymbol, price, classPrices }: Omit<PriceBookDraft, 'description'>) => ({
  currencySymbol,
  price,
  classPrices,
})

const checkName = (trx: Trx, value: string, own?: number): Promise<void> =>
  checkUnique(trx.selectFrom('storagePrices').where('deletedAt', 'is', null), {
    column: 'description',
    value,
    own,
    message: 'must be unique',
  })

async function setPrice({ trx, by }: Change, storagePriceId: number, draft: PriceBookDraft): Promise<void> {
  const since = draft.since ?? today()
  await openDay(trx, { table: 'storagePriceChanges', owner: 'storagePriceId', id: storagePriceId }, since, 'since')
  const prices = { ...pricesOf(draft), classPrices: JSON.stringify(draft.classPrices) }
  const entry = { ...prices, changedBy: by.name, changedAt: new Date() }
  await trx
    .insertInto('storagePriceChanges')
    .values({ storagePriceId, since, ...entry })
    .onConflict((on) => on.columns(['storagePriceId', 'since']).doUpdateSet(entry))
    .execute()
}

const sortable = {
  id: sql`storage_prices.id`,
  description: textOrder('description'),
  currencySymbol: textOrder('currencySymbol'),
  price: sql`price`,
}

/** A page of the price books, each with all its prices; sorted by number by default. */
export const listPriceBooks = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('storagePrices')
      .where('deletedAt', 'is', null)
      .innerJoin(currentPrices(db).as('current'), 'current.storagePriceId', 'storagePrices.id')
      .select(['storagePrices.id', 'description', 'currencySymbol', 'price', 'classPrices', historyOf.as('history')]),
    query,
    { sortable, sort: 'id', tie: 'storagePrices.id' },
  )

const historyOf = sql<PriceBook['history']>`(
  SELECT json_agg(json_build_object('since', since, 'currencySymbol', currency_symbol, 'price', price, 'classPrices', class_prices,
    'changedBy', changed_by, 'changedAt', to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) ORDER BY since DESC)
  FROM storage_price_changes WHERE storage_price_id = storage_prices.id)`

/** The prices of each price book on a day. */
export const currentPrices = (db: Db | Trx, day = today()) =>
  db
    .selectFrom('storagePriceChanges')
    .distinctOn('storagePriceId')
    .select(['storagePriceId', 'currencySymbol', 'price', 'classPrices'])
    .orderBy('storagePriceId')
    .orderBy(inEffectOn(sql`${day}::date`))
