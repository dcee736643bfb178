import type { ArchiwareOrder } from '#events/sources/archiwares.ts'
import type { TransportOptions } from '../http/transport.ts'
import { messageOf, type OpenedSystem } from '../system.ts'
import { newClient } from './client.ts'
import { newInventory } from './inventory.ts'
import { newListing } from './listing.ts'
import { newVolumes } from './volumes.ts'

/*
 * P5 has no feed of changes, so that a delta reads all of the index. `archive/overview` would not do instead: it names directories as
 * clients see them, not the index nor the folders in it, and nothing that was removed by an administrator. A removed entry that stays
 * known would call a file archived that no tape has.
 */

export { clientsOf, namesOfIndexes, plansOf } from './lists.ts'

type Options = {
  ignoredPaths: string[]
  scannedPath: string
  /** That of the last scan, if changes since then are enough. */
  baseline?: string | undefined
  signal: AbortSignal
  transport?: TransportOptions
}

/** Says to the next scan only that there was one. */
const baseline = 'all of the index'

/**
 * An archive index, open for a scan. Nothing is requested before its first page. Throws the reason why it can't be scanned, as pages and
 * `check` do.
 */
export async function openArchiware(source: ArchiwareOrder, options: Options): Promise<OpenedSystem> {
  const { signal, scannedPath, ignoredPaths, transport } = options
  const client = newClient(source, transport)
  const inventory = newInventory(client, source)
  const parts = { inventory, volumes: newVolumes(client), requests: client.requests }
  return {
    listing: 'pages',
    pages: newListing(parts, { scannedPath, ignoredPaths }),
    signal,
    server: client.host,
    check: () => inventory.check(signal),
    reasonOf: messageOf,
    capacity: async () => undefined,
    baseline: () => baseline,
    note: () =>
      options.baseline === undefined ? undefined : 'Archiware P5 lists no changes; all of the index was read',
    close: async () => client.close(),
  }
}
