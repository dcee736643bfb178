import type { EntryRow } from '#events/scans/entryRow.ts'
import { pathRules } from '#events/scans/rules.ts'
import { rootEntry } from '../objectEntry.ts'
import type { Page, PagedSystem } from '../system.ts'
import { type IndexEntry, rowsOf } from './entries.ts'
import { NotFound, P5Busy, TooLarge } from './failures.ts'
import type { Inventory, Segments } from './inventory.ts'
import { shownPath } from './names.ts'
import type { Volumes } from './volumes.ts'

/** `scannedPath` and `ignoredPaths` are relative to the storage. */
export type ListingOptions = { scannedPath: string; ignoredPaths: string[] }

/** P5 documents no number of requests that it answers at once. Its server also runs backups, so a scan makes few. */
const requestsAtOnce = 4
/** A folder that failed this number of times, while P5 answered other requests, is unreadable. */
const maxFailures = 5

const nothing: Page = { entries: [], rest: [] }

/**
 * Pages of an index, each a folder. A part is a folder of the storage, as the segments that lead there. Pages throw what the client
 * throws.
 */
export function newListing(
  { inventory, volumes, requests }: { inventory: Inventory; volumes: Volumes; requests: () => number },
  { scannedPath, ignoredPaths }: ListingOptions,
): PagedSystem {
  const isIgnored = pathRules(ignoredPaths)
  const pageInstead = newRecovery(inventory)

  async function rowsIn(folder: Segments, entries: IndexEntry[], signal: AbortSignal): Promise<Iterable<EntryRow>> {
    const ids = new Set(entries.flatMap(({ volumeIds }) => volumeIds))
    return rowsOf(entries, shownPath(folder), await volumes.labels(ids, signal))
  }

  async function pageOf(folder: Segments, signal: AbortSignal): Promise<Page> {
    const entries = await inventory.list(folder, signal)
    const path = shownPath(folder)
    const folders = entries.filter(({ isDirectory, name }) => isDirectory && !isIgnored(`${path}/${name}`))
    return {
      entries: await rowsIn(folder, entries, signal),
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
      above.push(...(await rowsIn(folder, [found], signal)))
      folder = [...folder, found.segment]
    }
    const page = await pageOf(folder, signal)
    return { ...page, entries: both(above, page.entries) }
  }

  return {
    async page(part, { signal }) {
      if (part !== '') {
        const folder = part.split('/')
        return pageOf(folder, signal).catch((error: unknown) => pageInstead(error, folder, signal))
      }
      await inventory.checkIndex(signal)
      if (scannedPath === '') return { ...(await firstPage(signal)), root: rootEntry() }
      return firstPage(signal).catch((error: unknown) => {
        if (error instanceof NotFound) return nothing
        throw error
      })
    },
    requests,
    requestsAtOnce,
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
