import { z } from 'zod'
import { type Capacity, ScanFailed } from '../system.ts'
import type { Client } from './client.ts'

const Bytes = z.union([z.number(), z.bigint()]).transform(Number)
const Quotas = z.object({
  quotas: z
    .array(
      z.object({
        path: z.string(),
        type: z.string().nullish(),
        container: z.boolean().nullish(),
        ready: z.boolean().nullish(),
        thresholds: z.object({ hard: Bytes.nullish() }).nullish(),
        usage: z.object({ fslogical: Bytes.nullish(), logical: Bytes.nullish() }).nullish(),
      }),
    )
    .max(10_000),
})
const FileSystem = z.object({ f_blocks: Bytes, f_bsize: Bytes, f_bfree: Bytes, f_bavail: Bytes })

type Place = { host: string; path: string }

/** Space of a folder: that of its quota, if users see the quota as the size of the folder, else that of the cluster. */
export async function readCapacity(client: Client, place: Place, signal: AbortSignal): Promise<Capacity | undefined> {
  const quota = await unlessRefused(ofQuota(client, place, signal))
  return quota ?? unlessRefused(ofCluster(client, place, signal))
}

async function ofQuota(client: Client, { host, path }: Place, signal: AbortSignal): Promise<Capacity | undefined> {
  const call = {
    path: `/platform/1/quota/quotas?path=${encodeURIComponent(path)}`,
    purpose: `read the quota of ${path}`,
    privilege: 'ISI_PRIV_QUOTA',
    read: Quotas,
  }
  const { quotas } = await client.patiently(call, signal)
  const quota = quotas.find(
    (each) =>
      each.path === path && (each.type ?? 'directory') === 'directory' && each.container && each.ready !== false,
  )
  const total = quota?.thresholds?.hard ?? 0
  const used = quota?.usage?.fslogical ?? quota?.usage?.logical
  if (total === 0 || used === undefined || used === null) return undefined
  return { total, used, free: Math.max(0, total - used), fileSystem: `OneFS ${host}${path}` }
}

async function ofCluster(client: Client, { host }: Place, signal: AbortSignal): Promise<Capacity> {
  const call = {
    path: '/platform/1/cluster/statfs',
    purpose: 'read the capacity of the cluster',
    privilege: 'ISI_PRIV_STATISTICS',
    read: FileSystem,
  }
  const space = await client.patiently(call, signal)
  const total = space.f_blocks * space.f_bsize
  const used = (space.f_blocks - space.f_bfree) * space.f_bsize
  return { total, used, free: space.f_bavail * space.f_bsize, fileSystem: `OneFS ${host}` }
}

/** A scan is worth as much without its capacity. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ScanFailed) return undefined
    throw error
  }
}
