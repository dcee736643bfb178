import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import type { PriceBook } from '#events/price-books.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { currentPrices } from './currentPrices.ts'

const sortable = {
  id: sql`storage_prices.id`,
  description: sql`lower(description)`,
  currencySymbol: sql`lower(currency_symbol)`,
  price: sql`price`,
}

/** A page of the price books that are there, each with all its prices; by number unless asked otherwise. */
export async function listPriceBooks(db: Db, { page, size, sort = 'id', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
  const living = db.selectFrom('storagePrices').where('deletedAt', 'is', null)
  const rows = await living
    .innerJoin(currentPrices(db).as('current'), 'current.storagePriceId', 'storagePrices.id')
    .select(['storagePrices.id', 'description', 'currencySymbol', 'price', historyOf.as('history')])
    .orderBy(sortable[sort], direction)
    .orderBy('storagePrices.id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await living.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { elements: rows, page, size, total, sort, direction }
}

const historyOf = sql<PriceBook['history']>`(
  SELECT json_agg(json_build_object('since', since, 'currencySymbol', currency_symbol, 'price', price) ORDER BY since DESC)
  FROM storage_price_changes WHERE storage_price_id = storage_prices.id)`
