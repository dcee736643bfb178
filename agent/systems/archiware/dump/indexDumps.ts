import type { P5DumpFolder } from '#agent/config.ts'
import { lineOf, mergeLines, newSortedRecords, newSpillFile, recordOf, type SpillFile } from '../../sortedRecords.ts'
import type { Client } from '../client.ts'
import type { IndexEntry } from '../entries.ts'
import type { IndexFolder, Inventory } from '../inventory.ts'
import { shownPath, typedSegments } from '../names.ts'
import { type DumpedEntry, dumpedEntryIn } from '../unconfirmed.ts'
import { DumpUnusable, keyOf, knownIn, newKnownIndex, type Packed, packedOf } from './knownIndex.ts'
import { type Changes, findChanged, isGone, listChanged } from './listChanged.ts'
import { type DumpTimes, readDump } from './readDump.ts'

/** Folder in which P5 writes dumps. Of an index with fewer entries, none is requested: it takes few requests anyway. */
export type DumpOptions = P5DumpFolder & { times?: DumpTimes; minEntries?: number }
const defaultMinEntries = 100_000

/** Folders that are remembered as named by paths of a dump. */
const maxImplied = 100_000

type Options = {
  place: DumpOptions
  client: Client
  inventory: Inventory
  source: IndexFolder
  isIgnored: (path: string) => boolean
  /** Folder of the agent. */
  state: string
  product: string
  volumeId: number
}

/**
 * Finds what changed in an index by comparing a dump with the entries of the last scan, which are in a file in the agent's folder. Dumps only
 * say which folders are listed again, so a dump that is cut, or read wrongly, costs requests and no entries.
 */
export function newIndexDumps({ place, state, product, volumeId, ...options }: Options) {
  const files = newKnownIndex(state, product, volumeId)
  const spill = newSpillFile(state, (reason) => new DumpUnusable(reason))
  const listed = newSortedRecords<Packed>(spill)
  const { minEntries = defaultMinEntries } = place
  let count = 0
  let isWhole = false
  let written: string | undefined
  return {
    isBaseline: files.isName,
    /** Changes since the scan of this baseline. Throws `DumpUnusable` if they aren't known. */
    async changes(baseline: string, signal: AbortSignal): Promise<Changes> {
      const known = () => files.lines(baseline)
      const dumped = newDumpedRecords(spill, options)
      const name = `dataintell-${product}-${volumeId}.tsv`
      try {
        files.check(baseline)
        await readDump(options.client, { ...options.source, place, name, times: place.times, signal }, dumped.add)
        const changed = await findChanged(knownEntries(known()), dumped.read(), signal)
        const changes = await listChanged(changed, { ...options, signal })
        written = await files.write(changedLines(known(), changes), signal)
        return changes
      } finally {
        spill.close()
      }
    },
    /** Listing starts at the top: if it is of all of the index, `add` gets all of it, unless a part is missing. */
    start: () => void (isWhole = true),
    add(folder: string, entries: IndexEntry[]): void {
      count += entries.length
      try {
        if (isWhole)
          for (const entry of entries) listed.add(keyOf({ folder, name: entry.name }), packedOf(folder, entry))
      } catch (error) {
        if (!(error instanceof DumpUnusable)) throw error
        isWhole = false
      }
    },
    /** A part of the index was not listed. */
    lacksPart: () => void (isWhole = false),
    /** Name of the file with the entries of this scan; undefined without one. Throws `DumpUnusable` if it can't be written. */
    async finish(baseline: string | undefined, signal: AbortSignal): Promise<string | undefined> {
      if (written === undefined && isWhole && count >= minEntries) written = await files.write(listed.lines(), signal)
      // That of the last scan is kept until the next one, in case that this scan is not recorded.
      if (written !== undefined) await files.keepOnly([written, baseline])
      return written
    },
    close: spill.close,
  }
}
export type IndexDumps = ReturnType<typeof newIndexDumps>

function* knownEntries(lines: Iterable<string>) {
  for (const line of lines) yield knownIn(line)
}

/** Sorts the entries of a dump that are in the storage, and the folders that their paths name. */
function newDumpedRecords(spill: SpillFile, { source, isIgnored }: Pick<Options, 'source' | 'isIgnored'>) {
  const records = newSortedRecords<DumpedEntry>(spill)
  const root = shownPath(typedSegments(source.path))
  const implied = new Set<string>()
  const put = (entry: DumpedEntry) => {
    if (!isIgnored(entry.folder)) records.add(keyOf(entry), entry)
  }
  const imply = (path: string) => {
    for (let at = path; at !== '' && !implied.has(at);) {
      if (implied.size === maxImplied) implied.clear()
      implied.add(at)
      const nameAt = at.lastIndexOf('/')
      put({ folder: at.slice(0, nameAt), name: at.slice(nameAt + 1) })
      at = at.slice(0, nameAt)
    }
  }
  return {
    add(line: string): void {
      const entry = dumpedEntryIn(line)
      if (!entry || !`${entry.folder}/`.startsWith(`${root}/`)) return
      const folder = entry.folder.slice(root.length)
      put({ ...entry, folder })
      imply(folder)
    },
    read: records.read,
  }
}

/** Lines of the file after these changes. */
function changedLines(known: Iterable<string>, { listed, gone }: Changes): Iterable<string> {
  const added = [...listed].flatMap(([folder, entries]) =>
    entries.map((entry) => lineOf(keyOf({ folder, name: entry.name }), packedOf(folder, entry))),
  )
  return mergeLines([unchangedLines(known, { listed, gone }), added.sort().values()])
}

function* unchangedLines(known: Iterable<string>, { listed, gone }: Changes): Generator<string> {
  let last = { folder: '', isKept: !listed.has('') }
  for (const line of known) {
    const [folder] = recordOf<Packed>(line)
    if (folder !== last.folder) last = { folder, isKept: !listed.has(folder) && !isGone(folder, gone) }
    if (last.isKept) yield line
  }
}
