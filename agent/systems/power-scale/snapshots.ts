import { ScanFailed } from '../system.ts'
import { z } from 'zod'
import type { Client } from './client.ts'
import { Refused } from './failures.ts'

const Id = z.union([z.number(), z.bigint()])

/** A snapshot of OneFS. Its name is null while it is being deleted. Times are seconds UTC. */
const Snapshot = z.object({
  id: Id,
  name: z.string().nullish(),
  path: z.string().nullish(),
  state: z.string().nullish(),
  created: z.number().nullish(),
  expires: z.number().nullish(),
})
export type Snapshot = z.infer<typeof Snapshot>

const pageSize = 1_000
/** Pages of snapshots. A cluster has 20,000 at most. */
const maxPages = 1_000

const List = z.object({ snapshots: z.array(Snapshot).max(10 * pageSize), resume: z.string().nullish() })

const address = '/platform/1/snapshot/snapshots'
const privilege = 'ISI_PRIV_SNAPSHOT'
const secondsOfDay = 86_400

const expiryAfter = (days: number): number => Math.floor(Date.now() / 1_000) + days * secondsOfDay

/** Days for which a snapshot was made to last. */
export const daysOf = ({ created, expires }: Snapshot): number =>
  Math.max(0, Math.round(((expires ?? 0) - (created ?? 0)) / secondsOfDay))

export const isActive = ({ state, name }: Snapshot): boolean =>
  typeof name === 'string' && name !== '' && (state ?? 'active') === 'active'

/** A snapshot by its id or name; undefined if it does not exist. */
export async function findSnapshot(client: Client, id: string, signal: AbortSignal): Promise<Snapshot | undefined> {
  const path = `${address}/${encodeURIComponent(id)}`
  return client
    .patiently({ path, purpose: `read the snapshot ${id}`, privilege, read: List }, signal)
    .then(({ snapshots }) => snapshots[0])
    .catch(absent)
}

type NewSnapshot = { name: string; path: string; days: number }

/**
 * Creates a snapshot, which expires after a number of days. Where an answer was lost, the snapshot exists already: it is the same one,
 * because only one scan uses its name.
 */
export async function createSnapshot(
  client: Client,
  { name, path, days }: NewSnapshot,
  signal: AbortSignal,
): Promise<Snapshot> {
  const body = { name, path, expires: expiryAfter(days) }
  const purpose = `create a snapshot of ${path}`
  const call = { method: 'POST', path: address, body, purpose, privilege, read: Snapshot } as const
  try {
    // Very old releases answer without the name.
    return { ...(await client.patiently(call, signal)), name, path }
  } catch (error) {
    if (!(error instanceof Refused) || (error.status !== 409 && error.status !== 400)) throw error
    const existing = await findSnapshot(client, name, signal)
    if (!existing || !isActive(existing)) throw error
    return existing
  }
}

export async function setExpiry(client: Client, id: string, days: number, signal: AbortSignal): Promise<void> {
  const body = { expires: expiryAfter(days) }
  const purpose = `extend the snapshot ${id}`
  await client.patiently({ method: 'PUT', path: `${address}/${id}`, body, purpose, privilege }, signal)
}

/** Deletes a snapshot, unless it is locked or already gone. */
export async function deleteSnapshot(client: Client, id: string, signal: AbortSignal): Promise<void> {
  const call = { method: 'DELETE', path: `${address}/${id}`, purpose: `delete the snapshot ${id}`, privilege } as const
  await client.patiently(call, signal).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
  })
}

/** Active snapshots whose names have a prefix. OneFS lists all snapshots of the cluster for it. */
async function snapshotsNamed(client: Client, prefix: string, signal: AbortSignal): Promise<Snapshot[]> {
  const found = new Map<string, Snapshot>()
  const known = new Set<string>()
  const hasNew = (items: Snapshot[]) => {
    const before = known.size
    for (const { id } of items) known.add(String(id))
    return known.size > before
  }
  const pages = client.pages(
    { path: `${address}?type=real&limit=${pageSize}`, purpose: 'list the snapshots', privilege, read: List },
    {
      itemsOf: ({ snapshots }) => snapshots,
      endless: (reason) => new ScanFailed(`The cluster does not list its snapshots: ${reason}`),
      limits: { pages: maxPages, idlePages: 10 },
      hasNew,
    },
    signal,
  )
  for await (const page of pages)
    for (const each of page) if (isActive(each) && each.name?.startsWith(prefix)) found.set(String(each.id), each)
  return [...found.values()]
}

/** Deletes the snapshots of earlier scans of a storage, except those with a name or an ID to keep. */
export async function removeLeftovers(
  client: Client,
  prefix: string,
  { name, id }: { name: string; id: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  for (const snapshot of await snapshotsNamed(client, prefix, signal))
    if (snapshot.name !== name && String(snapshot.id) !== id) await deleteSnapshot(client, String(snapshot.id), signal)
}

/** Path of a folder of OneFS, such as '/ifs/data/a', in a snapshot. */
export const pathInSnapshot = (name: string, path: string): string =>
  `/ifs/.snapshot/${name}${path.slice('/ifs'.length)}`

function absent(error: unknown): undefined {
  if (error instanceof Refused && error.status === 404) return undefined
  throw error
}
