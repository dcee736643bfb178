import type { EntryRow } from '#events/scans/entryRow.ts'
import { rootEntry } from '../objectEntry.ts'
import type { Page, PagedSystem } from '../system.ts'
import { type IndexEntry, rowsOf } from './entries.ts'
import { NotFound, P5Busy, TooLarge } from './failures.ts'
import type { Inventory, Segments } from './inventory.ts'
import { DumpUnusable } from './dump/knownIndex.ts'
import type { IndexDumps } from './dump/indexDumps.ts'
import { shownPath } from './names.ts'
import type { Volumes } from './volumes.ts'

/** `scannedPath` is relative to the storage, as paths of `isIgnored` are. */
export type ListingOptions = { scannedPath: string; isIgnored: (path: string) => boolean }

type Parts = {
  inventory: Inventory
  volumes: Volumes
  requests: () => number
  /** Dumps of the index, if all of it is scanned, and the baseline of the last scan. */
  dumps?: IndexDumps | undefined
  baseline?: string | undefined
  /** Receives the reason why all of the index is listed although there is a baseline. */
  onFullList?: (reason: string) => void
}

type RowsIn = (path: string, entries: IndexEntry[], signal: AbortSignal) => Promise<Iterable<EntryRow>>

/** P5 documents no number of requests that it answers at once. Its server also runs backups, so a scan makes few. */
const requestsAtOnce = 4
/** A folder that failed this number of times, while P5 answered other requests, is unreadable. */
const maxFailures = 5

const nothing: Page = { entries: [], rest: [] }

/**
 * Pages of an index, each a folder. A part is a folder of the storage, as the segments that lead there. Pages throw what the client
 * throws.
 */
export function newListing(parts: Parts, { scannedPath, isIgnored }: ListingOptions): PagedSystem {
  const { inventory, volumes, requests, dumps } = parts
  const pageInstead = newRecovery(inventory)

  const rowsIn = newRows(volumes)

  async function pageOf(folder: Segments, signal: AbortSignal): Promise<Page> {
    const entries = await inventory.list(folder, signal)
    const path = shownPath(folder)
    const folders = entries.filter(({ isDirectory, name }) => isDirectory && !isIgnored(`${path}/${name}`))
    const rows = await rowsIn(path, entries, signal)
    dumps?.add(path, entries)
    return {
      entries: rows,
      rest: folders.map(({ segment }) => [...folder, segment].join('/')),
    }
  }

  /** The scanned folder with its own entry and those of the folders above it. Throws `NotFound` if it is gone. */
  async function firstPage(signal: AbortSignal): Promise<Page> {
    const above: EntryRow[] = []
    let folder: Segments = []
    for (const name of scannedPath.split('/').slice(1)) {
      const entries = await inventory.list(folder, signal)
      const found = entries.find((entry) => entry.isDirectory && entry.name === name)
      if (!found) return nothing
      above.push(...(await rowsIn(shownPath(folder), [found], signal)))
      folder = [...folder, found.segment]
    }
    const page = await pageOf(folder, signal)
    return { ...page, entries: both(above, page.entries) }
  }

  return {
    async page(part, { signal }) {
      if (part !== '') {
        const folder = part.split('/')
        return pageOf(folder, signal).catch(async (error: unknown) => {
          const page = await pageInstead(error, folder, signal)
          if (page.unreadable) dumps?.lacksPart()
          return page
        })
      }
      await inventory.checkIndex(signal)
      const changed = await changedPage(parts, rowsIn, signal)
      if (changed) return changed
      if (scannedPath === '') return { ...(await firstPage(signal)), root: rootEntry() }
      return firstPage(signal).catch(orNothing)
    },
    requests,
    requestsAtOnce,
  }
}

const newRows =
  (volumes: Volumes): RowsIn =>
  async (path, entries, signal) => {
    const ids = new Set(entries.flatMap(({ volumeIds }) => volumeIds))
    return rowsOf(entries, path, await volumes.labels(ids, signal))
  }

function orNothing(error: unknown): Page {
  if (error instanceof NotFound) return nothing
  throw error
}

/** The changes since the baseline, as far as dumps have them; undefined if all of the index has to be listed. */
async function changedPage(
  { dumps, baseline, onFullList }: Parts,
  rowsIn: RowsIn,
  signal: AbortSignal,
): Promise<Page | undefined> {
  if (!dumps) return undefined
  dumps.start()
  if (baseline === undefined) return undefined
  try {
    const { listed, gone } = await dumps.changes(baseline, signal)
    const rows: EntryRow[] = []
    for (const [path, entries] of listed) for (const row of await rowsIn(path, entries, signal)) rows.push(row)
    return { entries: rows, gone: [...gone].map((path) => ({ path })), rest: [], isDelta: true }
  } catch (error) {
    if (!(error instanceof DumpUnusable)) throw error
    onFullList?.(error.message)
    return undefined
  }
}

function* both<T>(first: Iterable<T>, second: Iterable<T>) {
  yield* first
  yield* second
}

/** Gives the page of a folder below the top that can't be listed, or throws for another try, or to end the scan. */
function newRecovery(inventory: Inventory) {
  const failures = new Map<string, number>()
  return async (error: unknown, folder: Segments, signal: AbortSignal): Promise<Page> => {
    const path = shownPath(folder)
    const unreadable = (error: string): Page => ({ ...nothing, unreadable: [{ path, error }] })
    if (error instanceof TooLarge) return unreadable(error.message)
    if (!(error instanceof P5Busy || error instanceof NotFound)) throw error
    // Throws if the index is gone. If P5 gives no answer, the folder is not to blame.
    await inventory.checkIndex(signal)
    if (error instanceof NotFound) {
      const isNamed = await isNamedAbove(inventory, folder, signal)
      return isNamed ? unreadable('Archiware P5 names this folder, but does not list it') : nothing
    }
    const count = (failures.get(path) ?? 0) + 1
    failures.set(path, count)
    if (count < maxFailures) throw error
    return unreadable(error.message)
  }
}

async function isNamedAbove(inventory: Inventory, folder: Segments, signal: AbortSignal): Promise<boolean> {
  try {
    const entries = await inventory.list(folder.slice(0, -1), signal)
    return entries.some(({ isDirectory, segment }) => isDirectory && segment === folder.at(-1))
  } catch (error) {
    if (error instanceof NotFound) return false
    throw error
  }
}
