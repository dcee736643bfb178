import { type StorageOverview, overviewDays } from '#events/overview/storageOverview.ts'
import { now } from '#events/contract/endpoint.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Stores } from '#server/platform/platform.ts'
import { limitStorages } from '#server/content/snapshots/reading/limitStorages.ts'
import { volumeTotals } from '#server/content/snapshots/reading/listVolumes.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { readStorages, readTrends } from '#server/scanning/dashboard/index.ts'
import { listStorages } from '#server/scanning/storages/index.ts'
import { readStates } from './readStates.ts'

/** More than anyone sets up. */
const maxStorages = 100_000

/** The configured storages with their figures in the snapshot of a date, or in the newest one, or `now`. */
export async function readOverview(stores: Stores, scope: Scope, date: string | undefined): Promise<StorageOverview[]> {
  const [states, listed, snapshots] = await Promise.all([
    readStates(stores.db, scope),
    listStorages(stores.db, scope, { size: maxStorages, sort: 'NAME', direction: 'asc', endCursor: undefined }),
    readSnapshots(stores, scope, date),
  ])
  const configured = new Map(listed.elements.map((storage) => [storage.id, storage]))
  return states.map((state) => {
    const { account = null, type = state.type } = configured.get(state.volumeId) ?? {}
    return { ...state, account, type, snapshot: snapshots.get(state.volumeId) ?? null }
  })
}

/** The storages of a snapshot by id. */
async function readSnapshots(stores: Stores, scope: Scope, date: string | undefined) {
  const { db } = stores
  const day = (await snapshotAt(db, scope, date))?.indexingDate
  if (day === undefined) return new Map<number, never>()
  const [limit, storages, volumes, trends] = await Promise.all([
    limitStorages(stores, scope, date === now ? now : day),
    readStorages(db, scope, day),
    volumeTotals(db, scope, day),
    readTrends(db, { scope, indexingDate: day, days: overviewDays }),
  ])
  const priceOf = new Map(volumes.map(({ id, storagePrice }) => [id, storagePrice]))
  const pointsOf = new Map(trends.map(({ volumeId, points }) => [volumeId, points]))
  return new Map(
    limit(storages, ({ volumeId }) => volumeId).map((storage) => {
      const { volumeId: id } = storage
      return [id, { ...storage, storagePrice: priceOf.get(id) ?? null, points: pointsOf.get(id) ?? [] }]
    }),
  )
}
