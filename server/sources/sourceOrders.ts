import type { SourceOrder } from '#events/scans/order.ts'
import { type SourceKind, sourceOfType } from '#events/sources/kinds.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { storeOf } from './buckets/storeOf.ts'
import { mountOf } from './network-shares/mountOf.ts'

type Stores = Pick<Platform, 'db' | 'config'>
type Volume = { id: number; type: string; path: string }

const sourceOrders: Record<SourceKind, (platform: Stores, volume: Volume) => Promise<SourceOrder>> = {
  fileStorage: async (_, { path }) => ({ kind: 'fileStorage', path }),
  networkShare: async (platform, { id, path }) => ({ kind: 'networkShare', mount: await mountOf(platform, id), path }),
  bucket: async (platform, { id }) => ({ kind: 'bucket', store: await storeOf(platform, id) }),
  powerScale: cannotScan,
  archiware: cannotScan,
}

/**
 * The system that an agent opens to scan a volume. Passwords and keys in it go to that agent and nowhere else. Throws 409 when the key
 * of this server doesn't open them, and for a kind that this version can't scan.
 */
export async function sourceOrderOf(platform: Stores, volume: Volume): Promise<SourceOrder> {
  const source = sourceOfType(volume.type)
  return source ? sourceOrders[source.kind](platform, volume) : cannotScan()
}

async function cannotScan(): Promise<never> {
  return conflict("This version can't scan storages of this type")
}
