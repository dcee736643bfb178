import type { PlannedFile } from '#events/actions/files.ts'
import type { Client } from '../client.ts'
import { type IndexEntry, readInventory } from '../entries.ts'
import { NotFound, TooLarge } from '../failures.ts'
import { receivedName, segmentOf, typedSegments } from '../names.ts'
import { shownName } from '#events/sources/p5Names.ts'
import type { Handles, Match } from './handles.ts'
import { inParallel } from '../../inParallel.ts'
import { requestsAtOnce } from './timing.ts'

/** Matches by position; files without an entry are missing. */
export type Matches = Map<number, Match>

/** Files to look up before all others are. */
const probedFiles = 5

type HandleOf = (file: PlannedFile) => string | undefined
type Options = { client: Client; handles: Handles; index: string; indexRoot: string }

export type IndexSearch = ReturnType<typeof newIndexSearch>

/**
 * Looks up files of a client in the index. P5 keeps the path of a file whole there, or else without its folders, which no public source
 * confirms. Throws what the client throws.
 */
export function newIndexSearch({ client, handles, index, indexRoot }: Options) {
  const root = typedSegments(indexRoot)
  const base = `archive/indexes/${segmentOf(index)}/inventory`

  async function searchLevels(
    files: PlannedFile[],
    folderOf: (file: PlannedFile) => string[],
    signal: AbortSignal,
  ): Promise<Matches> {
    const matches: Matches = new Map()
    const folders = Map.groupBy(files, (file) => folderOf(file).join('/'))
    await inParallel([...folders], requestsAtOnce, async ([folder, filesOfFolder]) => {
      const names = folder === '' ? [] : folder.split('/')
      const entries = new Map((await listLevel(client, [base, ...names], signal)).map((entry) => [entry.name, entry]))
      for (const file of filesOfFolder) {
        const entry = entries.get(shownName(receivedName(namesOf(file).at(-1) ?? '')))
        if (entry && !entry.isDirectory) matches.set(file.position, isSame(entry, file) ? 'same' : 'other')
      }
    })
    return matches
  }

  async function searchEach(files: PlannedFile[], handleOf: HandleOf, signal: AbortSignal): Promise<Matches> {
    const matches: Matches = new Map()
    await inParallel(files, requestsAtOnce, async (file) => {
      const handle = handleOf(file) ?? (await handles.find(file, signal))
      const match = handle && (await handles.match(handle, file, signal))
      if (match) matches.set(file.position, match)
    })
    return matches
  }

  return {
    /** Reads the folders that may have the files. */
    async byFolder(files: PlannedFile[], signal: AbortSignal): Promise<Matches> {
      const whole = await searchLevels(files, (file) => [...root, ...segmentsOf(file).slice(0, -1)], signal)
      if (whole.size > 0) return whole
      const flat = await searchLevels(files, () => root, signal)
      return [...flat.values()].includes('same') ? flat : whole
    },
    /** Looks up each file, unless none of the first ones is there. `handleOf` gives the handles that are known. */
    async byFile(files: PlannedFile[], handleOf: HandleOf, signal: AbortSignal): Promise<Matches> {
      const first = await searchEach(files.slice(0, probedFiles), handleOf, signal)
      if (first.size === 0) return first
      const others = await searchEach(files.slice(probedFiles), handleOf, signal)
      return new Map([...first, ...others])
    },
  }
}

/** Entries of a folder of an index; none if it is not there, or too large for an answer. */
async function listLevel(client: Client, path: string[], signal: AbortSignal): Promise<IndexEntry[]> {
  return client.call('GET', path.join('/'), { read: readInventory, isLevel: true, signal }).catch((error: unknown) => {
    if (error instanceof NotFound || error instanceof TooLarge) return []
    throw error
  })
}

const namesOf = ({ place }: PlannedFile): string[] => place.split('/').filter((name) => name !== '')
const segmentsOf = (file: PlannedFile): string[] => namesOf(file).map((name) => segmentOf(receivedName(name)))

const isSame = ({ size, modified }: IndexEntry, file: PlannedFile): boolean =>
  size === file.size && modified === Math.floor(file.modified)
