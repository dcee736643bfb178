import { ScanFailed, StoreBusy } from '../system.ts'
import type { Client } from './client.ts'
import { LoginRejected } from './failures.ts'
import { readObject } from './lists.ts'
import { segmentOf } from './names.ts'
import { propertyOf, textOf } from './unconfirmed.ts'

/** Failed lookups that are repeated. Fewer than a folder may fail: no folder is unreadable for want of a label. */
const maxRepeats = 4

/** Volumes that are looked up. Others are shown by their IDs. */
const maxVolumes = 10_000

/** Labels of volumes (tapes), each of which is looked up once. A volume that P5 can't describe is shown by its ID. */
export function newVolumes(client: Client) {
  const labels = new Map<string, Promise<string>>()
  let repeats = 0

  async function look(id: string, signal: AbortSignal): Promise<string> {
    try {
      const volume = await client.general(`volumes/${segmentOf(id)}`, { read: readObject, signal })
      return textOf(propertyOf(volume, 'label')) || textOf(propertyOf(volume, 'barcode')) || id
    } catch (error) {
      // A scan is worth as much without labels.
      if (error instanceof ScanFailed && !(error instanceof LoginRejected)) return id
      if (error instanceof StoreBusy && repeats++ >= maxRepeats) return id
      labels.delete(id)
      throw error
    }
  }
  const label = (id: string, signal: AbortSignal): Promise<string> => {
    const found = labels.get(id) ?? (labels.size < maxVolumes ? look(id, signal) : Promise.resolve(id))
    if (labels.size < maxVolumes) labels.set(id, found)
    return found
  }

  return {
    /** Labels by ID for the volumes of entries. One request at a time, so that pages that run side by side stay few requests. */
    async labels(ids: Iterable<string>, signal: AbortSignal): Promise<Map<string, string>> {
      const found = new Map<string, string>()
      for (const id of ids) found.set(id, await label(id, signal))
      return found
    },
  }
}
export type Volumes = ReturnType<typeof newVolumes>
