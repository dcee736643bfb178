import type { Client } from './client.ts'
import { folderEntry, type IndexEntry, readInventory } from './entries.ts'
import { NotFound, P5Failed } from './failures.ts'
import { listIndexes } from './lists.ts'
import { segmentOf, typedSegments } from './names.ts'
import { rootPaths, usualTopFolders } from './unconfirmed.ts'

/** A folder as the segments of URLs that lead there. */
export type Segments = readonly string[]

/** An index from the folder `path` on, which is the storage; '/' is all of it. */
export type IndexFolder = { index: string; path: string }

/** Lists folders of an index, each in one request: P5 has no pages. Throws what the client throws. */
export function newInventory(client: Client, { index, path }: IndexFolder) {
  const base = `archive/indexes/${segmentOf(index)}`
  const root = typedSegments(path)
  // The walk repeats a request that fails, with longer pauses.
  const listPath = (path: string, signal: AbortSignal) =>
    client.call('GET', `${base}/${path}`, { read: readInventory, isLevel: true, signal, tries: 1 })
  const listSegments = (folder: Segments, signal: AbortSignal) =>
    folder.length === 0 ? listTop(listPath, signal) : listPath(`inventory/${folder.join('/')}`, signal)

  async function checkIndex(signal: AbortSignal): Promise<void> {
    const names = await listIndexes(client, signal)
    if (names.includes(index)) return
    throw new P5Failed(
      `Archiware P5 at ${client.host} has no index ${index}. Choose one of its indexes in the settings of the storage`,
      `Indexes: ${names.join(', ')}`,
    )
  }

  /** Lists a folder of the storage. Throws `NotFound` if it is not there, another `P5Failed` if the storage itself is not. */
  async function list(folder: Segments, signal: AbortSignal): Promise<IndexEntry[]> {
    try {
      return await listSegments([...root, ...folder], signal)
    } catch (error) {
      if (folder.length > 0 || !(error instanceof NotFound)) throw error
      throw new P5Failed(root.length > 0 ? noFolder : noTop, error.debugMessage)
    }
  }
  const noFolder = `The index ${index} has no folder ${path}. Correct the path of the storage`
  const noTop = `Archiware P5 does not list the top of the index ${index}. Enter a folder of it as the path of the storage`

  return {
    list,
    /** Throws if the index is gone. */
    checkIndex,
    /** Throws if the index, or the folder that is the storage, is gone. */
    async check(signal: AbortSignal): Promise<void> {
      await checkIndex(signal)
      if (root.length > 0) await list([], signal)
    },
  }
}
export type Inventory = ReturnType<typeof newInventory>

type ListPath = (path: string, signal: AbortSignal) => Promise<IndexEntry[]>

/** Lists the top level of an index. If P5 can't, its entries are the default folders that exist. */
async function listTop(list: ListPath, signal: AbortSignal): Promise<IndexEntry[]> {
  let missing: NotFound | undefined
  let isListed = false
  for (const path of rootPaths) {
    const top = await list(path, signal).catch(orNotFound)
    if (top instanceof NotFound) missing ??= top
    else if (top.length > 0) return top
    else isListed = true
  }
  const found: IndexEntry[] = []
  for (const name of usualTopFolders) {
    const folder = await list(`inventory/${name}`, signal).catch(orNotFound)
    if (!(folder instanceof NotFound)) found.push(folderEntry(name))
  }
  if (missing && found.length === 0 && !isListed) throw missing
  return found
}

function orNotFound(error: unknown): NotFound {
  if (error instanceof NotFound) return error
  throw error
}
