import { ScanFailed, StoreBusy } from '../system.ts'
import type { Client } from './client.ts'
import { LoginRejected } from './failures.ts'
import { readObject } from './lists.ts'
import { segmentOf } from './names.ts'
import { textOfProperty } from './unconfirmed.ts'

/** Labels of volumes (tapes), each of which is looked up once. A volume that P5 can't describe is shown by its ID. */
export function newVolumes(client: Client) {
  const labels = new Map<string, Promise<string>>()

  async function look(id: string, signal: AbortSignal): Promise<string> {
    try {
      const volume = await client.general(`volumes/${segmentOf(id)}`, { read: readObject, signal })
      return textOfProperty(volume, 'label') || textOfProperty(volume, 'barcode') || id
    } catch (error) {
      // A scan is worth as much without labels.
      if (error instanceof LoginRejected || !(error instanceof ScanFailed || error instanceof StoreBusy)) throw error
      return id
    }
  }
  const label = (id: string, signal: AbortSignal): Promise<string> => {
    const found = labels.get(id) ?? look(id, signal)
    labels.set(id, found)
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
