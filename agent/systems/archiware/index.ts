import type { ArchiwareOrder } from '#events/sources/archiwares.ts'
import { pathRules } from '#events/scans/rules.ts'
import type { TransportOptions } from '../http/transport.ts'
import { messageOf, type OpenedSystem } from '../system.ts'
import { newClient } from './client.ts'
import { type DumpOptions, newIndexDumps } from './dump/indexDumps.ts'
import { DumpUnusable } from './dump/knownIndex.ts'
import { newInventory } from './inventory.ts'
import { newListing } from './listing.ts'
import { newVolumes } from './volumes.ts'

/*
 * P5 has no feed of changes, so that a delta reads all of the index, or its dump where the agent sees the files of a P5 client. `archive/overview`
 * would not do instead: it names directories as clients see them, not the index nor the folders in it, and nothing that was removed by an
 * administrator. A removed entry that stays known would call a file archived that no tape has.
 */

export { clientsOf, namesOfIndexes, plansOf } from './lists.ts'

type Options = {
  ignoredPaths: string[]
  scannedPath: string
  /** That of the last scan, if changes since then are enough. */
  baseline?: string | undefined
  product?: string
  volumeId?: number
  /** Folder of the agent. */
  state?: string
  /** Undefined if the agent has no folder for dumps. */
  p5Dumps?: DumpOptions | undefined
  signal: AbortSignal
  transport?: TransportOptions
}

/** Baseline without a list of entries: says to the next scan only that there was one. */
const plainBaseline = 'all of the index'

/**
 * An archive index, open for a scan. Nothing is requested before its first page. Throws the reason why it can't be scanned, as pages and
 * `check` do.
 */
export async function openArchiware(source: ArchiwareOrder, options: Options): Promise<OpenedSystem> {
  const { signal, scannedPath, product = '', volumeId = 0, state, p5Dumps: place, transport } = options
  const client = newClient(source, transport)
  const inventory = newInventory(client, source)
  const isIgnored = pathRules(options.ignoredPaths)
  const dumps =
    place && state !== undefined && scannedPath === ''
      ? newIndexDumps({ place, client, inventory, source, isIgnored, state, product, volumeId })
      : undefined
  const isListed = options.baseline !== undefined && dumps?.isBaseline(options.baseline)
  const baseline = isListed ? options.baseline : undefined
  let note = options.baseline === baseline ? undefined : 'Archiware P5 lists no changes; all of the index was read'
  const onFullList = (reason: string) => (note = `All of the index was read: ${reason}`)
  const parts = { inventory, volumes: newVolumes(client), requests: client.requests, dumps, baseline, onFullList }
  return {
    listing: 'pages',
    pages: newListing(parts, { scannedPath, isIgnored }),
    signal,
    server: client.host,
    check: () => inventory.check(signal),
    reasonOf: messageOf,
    capacity: async () => undefined,
    async baseline() {
      try {
        return (await dumps?.finish(baseline, signal)) ?? plainBaseline
      } catch (error) {
        if (!(error instanceof DumpUnusable)) throw error
        note ??= `The next scan reads all of the index: ${error.message}`
        return plainBaseline
      }
    },
    note: () => note,
    async close() {
      dumps?.close()
      client.close()
    },
  }
}
