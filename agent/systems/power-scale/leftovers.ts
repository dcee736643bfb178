import type { Client } from './client.ts'
import { deleteSnapshot, snapshotsNamed } from './snapshots.ts'

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
