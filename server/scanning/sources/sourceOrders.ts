import { lockedMessages } from '#events/contract/needs.ts'
import type { SourceOrder } from '#events/sources/scanOrder.ts'
import { type SourceKind, sourceOfType } from '#events/sources/kinds.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict, Problem } from '#server/platform/problem.ts'
import { archiwareOrder } from './archiwares/archiwareOrder.ts'
import { storeOf } from './buckets/storeOf.ts'
import { mountOf } from './network-shares/mountOf.ts'
import { powerScaleOrder } from './power-scales/powerScaleOrder.ts'

type Stores = Pick<Platform, 'db' | 'config'>
type Volume = { id: number; type: string; path: string }
/** `isDelta` reads only changes since the last scan, if the kind supports it. */
export type OrderOptions = { isDelta: boolean }
type OrderOf = (platform: Stores, volume: Volume, options: OrderOptions) => Promise<SourceOrder>

const sourceOrders: Record<SourceKind, OrderOf> = {
  fileStorage: async (_, { path }) => ({ kind: 'fileStorage', path }),
  networkShare: async (platform, { id, path }) => ({ kind: 'networkShare', mount: await mountOf(platform, id), path }),
  bucket: async (platform, { id }) => ({ kind: 'bucket', store: await storeOf(platform, id) }),
  powerScale: (platform, { id }, options) => powerScaleOrder(platform, id, options),
  archiware: (platform, { id }) => archiwareOrder(platform, id),
}

/**
 * The system that an agent opens to scan a volume. Passwords and keys in it go to that agent and nowhere else. Throws
 * 409 if they were encrypted with a different server key, and 403 without the bundle that the kind needs.
 */
export async function sourceOrderOf(platform: Stores, volume: Volume, options: OrderOptions): Promise<SourceOrder> {
  const source = sourceOfType(volume.type)
  if (!source) return cannotScan()
  if (source.bundle && !platform.config.bundles.includes(source.bundle))
    throw new Problem(403, lockedMessages[source.bundle], { code: 'bundle' })
  return sourceOrders[source.kind](platform, volume, options)
}

async function cannotScan(): Promise<never> {
  return conflict("This version can't scan storages of this type")
}
