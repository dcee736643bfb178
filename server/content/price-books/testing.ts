import { sql } from 'kysely'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { snapshotRoutes } from '#server/content/snapshots/index.ts'
import { fileStorageRoutes } from '#server/scanning/sources/index.ts'
import { storageRoutes } from '#server/scanning/storages/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { priceBookRoutes } from './index.ts'

const path = '/api/v1/storage-prices'
const cold = { description: 'Cold', currencySymbol: '€', price: 0.3 }
const volume = { name: 'Films', path: '/films' }

/** An empty list of price books before each test, and calls as an administrator who can set the date. */
export async function testPriceBooks() {
  const platform = await testPlatform()
  const { db } = platform
  const routes = [priceBookRoutes, fileStorageRoutes, snapshotRoutes, storageRoutes].flatMap((of) => of(platform))
  const ask = asUser(createApp(platform, routes), await testSession(db, ['ROLE_ADMIN']))
  beforeEach(async () => {
    await sql`TRUNCATE storage_prices, volumes, scans, snapshots, project_statements, events RESTART IDENTITY CASCADE`.execute(
      db,
    )
  })
  afterEach(() => void vi.useRealTimers())
  return {
    platform,
    routes,
    db,
    ask,
    path,
    cold,
    volume,
    /** The following calls happen at noon of this day. */
    itIs: (day: string) => vi.useFakeTimers({ now: new Date(`${day}T12:00:00`), toFake: ['Date'] }),
    add: async (draft: object = cold): Promise<number> => (await ask('POST', path, draft).expect(200)).body.id,
    change: (id: number, draft: object) => ask('PUT', `${path}/${id}`, { id, ...draft }).expect(204),
    listed: async (query = '') => (await ask('GET', `${path}?${query}`).expect(200)).body.elements,
    setUp: async (priceBook: number, draft = volume): Promise<number> =>
      (await ask('POST', '/api/volumeSettings', { ...draft, storagePrice: { id: priceBook } }).expect(200)).body.id,
    /** Adds scans of the volume on these days. */
    scanned: async (volumeId: number, ...days: string[]) => {
      for (const [place, indexingDate] of days.entries()) {
        const ids = { volumeId, jobId: 1, taskId: volumeId * 100 + place, agentId: 1 }
        const row = db
          .insertInto('scans')
          .values({ ...ids, state: 'done', indexingDate })
          .returning('id')
        const { id } = await row.executeTakeFirstOrThrow()
        await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
      }
    },
    /** The volume's costs on each day, oldest first, from both calls that return them. */
    costs: async (volumeId: number): Promise<(string | null)[]> => {
      const details = await ask('GET', `/api/v1/detailedVolumes/${volumeId}?sort=indexingDate,asc`).expect(200)
      const days: string[] = details.body.elements.map(({ indexingDate }: { indexingDate: string }) => indexingDate)
      const volumes = await Promise.all(
        days.map((day) => ask('GET', `/api/v1/volumes?indexingDate=${day}`).expect(200)),
      )
      const prices = volumes.map(({ body }) => body.elements[0].storagePrice)
      expect(prices).toEqual(details.body.elements.map(({ storagePrice }: { storagePrice: unknown }) => storagePrice))
      return prices.map((price) => price && `${price.description} ${price.currencySymbol}${price.price}`)
    },
  }
}
