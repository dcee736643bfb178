import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { countFolders } from '#server/work/projects/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import type { asUser } from '#server/testing.ts'

const gib = 2 ** 30

/** The following calls happen at noon of this day. */
export const itIs = (day: string) => vi.useFakeTimers({ now: new Date(`${day}T12:00:00`), toFake: ['Date'] })

export async function newBook(db: Db, currencySymbol: string): Promise<number> {
  const row = db.insertInto('storagePrices').values({ description: currencySymbol }).returning('id')
  return (await row.executeTakeFirstOrThrow()).id
}

type Price = { storagePriceId: number; since: string; price: number; currencySymbol: string }

/** Sets a price per GiB and year from a day on. */
export const addPrice = (db: Db, price: Price) =>
  db
    .insertInto('storagePriceChanges')
    .values({ ...price, classPrices: '[]' })
    .execute()

/**
 * Empties the stores and creates the project Rushes on 1 January: in January 31 GiB for 10 days and 62 GiB for 21, in
 * February 62 GiB for 14 days and then nothing, at €12, and €24 from 21 January on.
 */
export async function createRushes(db: Db, manager: ReturnType<typeof asUser>) {
  const tables = sql`volumes, scans, snapshots, projects, project_statements, storage_prices, events, deliveries`
  await sql`TRUNCATE ${tables} RESTART IDENTITY CASCADE`.execute(db)
  const films = await createFileStorage(db, { name: '=Films', path: '/films' })
  const book = await newBook(db, '€')
  await addPrice(db, { storagePriceId: book, since: '2026-01-01', price: 12, currencySymbol: '€' })
  await addPrice(db, { storagePriceId: book, since: '2026-01-21', price: 24, currencySymbol: '€' })
  await db
    .insertInto('volumePriceChanges')
    .values({ volumeId: films, since: '2026-01-01', storagePriceId: book })
    .execute()
  itIs('2026-01-01')
  const paths = ['/a', '/a/b'].map((path) => ({ volumeId: films, path }))
  const made = await manager('POST', '/api/projects', { name: 'Rushes', allocatedSize: 1, paths }).expect(200)
  await countFolders(db, films, '2026-01-01', { '/a': 31 * gib, '/a/b': gib })
  await countFolders(db, films, '2026-01-11', { '/a': 62 * gib, '/a/b': gib })
  await countFolders(db, films, '2026-02-15', { '/a': 0, '/a/b': 0 })
  return { films, book, id: made.body.id as number }
}
