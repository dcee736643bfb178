import { z } from 'zod'
import { AtTime, endpoint } from '#events/contract/endpoint.ts'
import { StorageSize, StorageTrend } from '#events/dashboard.ts'
import { StoragePrice } from '#events/price-books.ts'
import { StorageState } from './storageStates.ts'

/** Days of `points`, before the snapshot. */
export const overviewDays = 30

/** A storage in the snapshot of a date, with its price then, and its used bytes by date, oldest first. */
export const StorageInSnapshot = StorageSize.extend({
  storagePrice: StoragePrice.nullable(),
  points: StorageTrend.shape.points,
})
export type StorageInSnapshot = z.infer<typeof StorageInSnapshot>

/** A configured storage. `account` is the sign-in, null for folders; `snapshot` is null if the snapshot doesn't contain it. */
export const StorageOverview = StorageState.extend({
  account: z.string().nullable(),
  snapshot: StorageInSnapshot.nullable(),
})
export type StorageOverview = z.infer<typeof StorageOverview>

/** All configured storages, by name, with their figures on a date. */
export const storageOverview = endpoint({
  method: 'GET',
  path: '/v1/storages/overview',
  needs: 'snapshots.see',
  limitedBy: 'storages',
  failure: 'Unable to fetch the storages',
  query: AtTime,
  answer: z.array(StorageOverview),
})
