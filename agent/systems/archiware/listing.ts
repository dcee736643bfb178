import { pathRules } from '#events/scans/rules.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { rootEntry } from '../objectEntry.ts'
import type { Page, PagedSystem } from '../system.ts'
import type { Client } from './client.ts'
import { NotFound, P5Busy, P5Failed, TooLarge } from './failures.ts'
import { type IndexEntry, newInventory, rowOf, type Segments } from './inventory.ts'
import { listIndexes } from './lists.ts'
import { shownPath, typedSegments } from './names.ts'
import { newVolumes } from './volumes.ts'

/** An index from the folder `path` on; '/' is all of it. `scannedPath` and `ignoredPaths` are relative to that folder. */
export type ListingOptions = { index: string; path: string; scannedPath: string; ignoredPaths: string[] }

const requestsAtOnce = 4
/** Requests for a folder before it counts as unreadable, while P5 answers others. */
const triesOfFolder = 4

/**
 * Lists an index folder by folder. A part is a folder below `path`, as the segments that lead there. Pages throw what the client
 * throws.
 */
export function newListing(client: Client, { index, path, scannedPath, ignoredPaths }: ListingOptions) {
  const inventory = newInventory(client, index)
  const volumes = newVolumes(client)
  const isIgnored = pathRules(ignoredPaths)
  const root = typedSegments(path)
  const failures = new Map<string, number>()

  async function checkIndex(signal: AbortSignal): Promise<void> {
    const names = await listIndexes(client, signal)
    if (names.includes(index)) return
    throw new P5Failed(
      `Archiware P5 at ${client.host} has no index ${index}. Choose one of its indexes in the settings of the storage`,
      `Indexes: ${names.join(', ')}`,
    )
  }

  async function list(folder: Segments, signal: AbortSignal): Promise<IndexEntry[]> {
    try {
      return await inventory.list([...root, ...folder], signal)
    } catch (error) {
      if (folder.length > 0 || !(error instanceof NotFound)) throw error
      throw missingRoot(error)
    }
  }

  function missingRoot({ debugMessage }: NotFound): P5Failed {
    if (root.length > 0)
      return new P5Failed(`The index ${index} has no folder ${path}. Correct the path of the storage`, debugMessage)
    const message = `Archiware P5 does not list the top of the index ${index}. Enter a folder of it as the path of the storage`
    return new P5Failed(message, debugMessage)
  }

  async function rowsOf(entries: IndexEntry[], folder: Segments, signal: AbortSignal): Promise<Iterable<EntryRow>> {
    const labels = await volumes.labels(new Set(entries.flatMap(({ volumeIds }) => volumeIds)), signal)
    return rowsIn(shownPath(folder), entries, labels)
  }

  async function pageOf(folder: Segments, signal: AbortSignal): Promise<Page> {
    const entries = await list(folder, signal)
    const path = shownPath(folder)
    const folders = entries.filter(({ isDirectory, name }) => isDirectory && !isIgnored(`${path}/${name}`))
    return {
      entries: await rowsOf(entries, folder, signal),
      rest: folders.map(({ segment }) => [...folder, segment].join('/')),
    }
  }

  /** The scanned folder with its own entry and those of the folders above it. Nothing, if it is gone. */
  async function firstPage(signal: AbortSignal): Promise<Page> {
    const above: EntryRow[] = []
    let folder: Segments = []
    for (const name of scannedPath.split('/').slice(1)) {
      const entries = await list(folder, signal)
      const found = entries.find((entry) => entry.isDirectory && entry.name === name)
      if (!found) return nothing
      above.push(...(await rowsOf([found], folder, signal)))
      folder = [...folder, found.segment]
    }
    const page = await pageOf(folder, signal)
    return { ...page, entries: both(above, page.entries) }
  }

  async function pageInstead(error: unknown, part: string, signal: AbortSignal): Promise<Page> {
    const folder = part.split('/')
    const unreadable = (error: string): Page => ({
      entries: [],
      rest: [],
      unreadable: [{ path: shownPath(folder), error }],
    })
    if (error instanceof TooLarge) return unreadable(error.message)
    if (error instanceof NotFound) {
      await checkIndex(signal)
      const isNamed = await isNamedAbove(folder, signal)
      return isNamed ? unreadable('Archiware P5 names this folder, but does not list it') : nothing
    }
    if (!(error instanceof P5Busy)) throw error
    const count = (failures.get(part) ?? 0) + 1
    failures.set(part, count)
    if (count < triesOfFolder) throw error
    // Throws if the index is gone, or if P5 answers nothing at all.
    await checkIndex(signal)
    return unreadable(error.message)
  }

  async function isNamedAbove(folder: Segments, signal: AbortSignal): Promise<boolean> {
    try {
      const entries = await list(folder.slice(0, -1), signal)
      return entries.some(({ isDirectory, segment }) => isDirectory && segment === folder.at(-1))
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  }

  const pages: PagedSystem = {
    async page(part, { signal }) {
      if (part !== '')
        return pageOf(part.split('/'), signal).catch((error: unknown) => pageInstead(error, part, signal))
      await checkIndex(signal)
      if (scannedPath === '') return { ...(await firstPage(signal)), root: rootEntry() }
      return firstPage(signal).catch((error: unknown) => {
        if (error instanceof NotFound) return nothing
        throw error
      })
    },
    requests: client.requests,
    requestsAtOnce,
  }
  return {
    pages,
    /** Throws if the index, or the folder that is the storage, is gone. */
    async check(signal: AbortSignal): Promise<void> {
      await checkIndex(signal)
      if (root.length > 0) await list([], signal)
    },
  }
}

const nothing: Page = { entries: [], rest: [] }

function* rowsIn(folder: string, entries: IndexEntry[], labels: Map<string, string>) {
  for (const entry of entries) yield rowOf(entry, folder, entry.volumeIds.map((id) => labels.get(id) ?? id).join(', '))
}

function* both<T>(first: Iterable<T>, second: Iterable<T>) {
  yield* first
  yield* second
}
