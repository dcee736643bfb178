import { z } from 'zod'
import { type ListedObject, secondsIn, sizeIn } from '../objectEntry.ts'
import type { OddRecords } from '../oddRecords.ts'
import type { OwnerNames } from './ownerNames.ts'
import type { SeenPaths } from '../seenPaths.ts'

/** An entry of a list: a file, a folder, or that a path is deleted, which may come while the list is made. */
const Metadata = z.discriminatedUnion('.tag', [
  z.object({
    '.tag': z.literal('file'),
    name: z.string(),
    path_lower: z.string(),
    path_display: z.string(),
    size: z.unknown().optional().transform(sizeIn),
    client_modified: z.string().optional().catch(undefined).transform(secondsIn),
    content_hash: z.string().optional().catch(undefined),
    sharing_info: z.object({ modified_by: z.string().optional() }).optional().catch(undefined),
  }),
  z.object({
    '.tag': z.literal('folder'),
    name: z.string(),
    path_lower: z.string(),
    path_display: z.string(),
  }),
  z.object({ '.tag': z.literal('deleted'), path_lower: z.string() }),
])
type Metadata = z.infer<typeof Metadata>
type File = Extract<Metadata, { '.tag': 'file' }>

/** Entries of a page. Dropbox sends about as many as are requested, 2,000. */
const maxEntries = 10_000

/** Entries are read one by one: an odd one, or one of a kind to come, says nothing about the others. */
export const ListedPage = z.object({
  entries: z.array(z.unknown()).max(maxEntries),
  cursor: z.string().min(1),
  has_more: z.boolean(),
})
export type ListedPage = z.infer<typeof ListedPage>

const Owned = z.object({ sharing_info: z.object({ modified_by: z.string() }) })

/** Folders whose spelling is kept in mind. */
const maxFolders = 100_000

const depthOf = (path: string): number => path.split('/').length - 1

/** A path without its first folders: '/a/b/c' below one of them is '/b/c'. */
function below(path: string, depth: number): string {
  let at = 0
  for (let passed = 0; passed < depth && at >= 0; passed++) at = path.indexOf('/', at + 1)
  return at < 0 ? '' : path.slice(at)
}

type ReaderOptions = { seen: SeenPaths; odd: OddRecords; nameOf: OwnerNames['nameOf'] }

/** Ids of the accounts that changed the files of a page. */
export function ownersIn({ entries }: ListedPage): Set<string> {
  const ids = entries.map((entry) => Owned.safeParse(entry).data?.sharing_info.modified_by)
  return new Set(ids.filter((id) => id !== undefined))
}

/**
 * Makes entries of pages. `listed` is the listed folder, and `scannedPath` its path in the volume. If a path is in a page twice, the last
 * one counts. Paths that an earlier page sent are left out, because no row can be withdrawn: the next scan corrects them. Dropbox ignores
 * case in paths, and spells the folders of one path in different ways: each folder gets one spelling, its own if its entry arrived before.
 */
export function newReader(listed: string, scannedPath: string, { seen, odd, nameOf }: ReaderOptions) {
  const depth = depthOf(listed)
  const spellings = new Map<string, string>()
  const keep = (lower: string, spelling: string): string => {
    if (spellings.size < maxFolders) spellings.set(lower, spelling)
    return spelling
  }
  const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))
  const folder = (lower: string, display: string): string => {
    if (lower === '') return ''
    const name = display.slice(display.lastIndexOf('/'))
    return spellings.get(lower) ?? keep(lower, folder(parentOf(lower), parentOf(display)) + name)
  }
  const pathsOf = (entry: Exclude<Metadata, { '.tag': 'deleted' }>) => {
    const [lower, display] = [below(entry.path_lower, depth), below(entry.path_display, depth)]
    return { lower, parent: folder(parentOf(lower), parentOf(display)) }
  }
  return function* objectsIn({ entries }: ListedPage): Generator<ListedObject> {
    const read = entries.flatMap((entry) => Metadata.safeParse(entry).data ?? [])
    odd.add('noKey', entries.length - read.length)
    const last = new Map(read.map((entry) => [entry.path_lower, entry]))
    for (const entry of last.values()) {
      if (entry['.tag'] !== 'folder') continue
      const { lower, parent } = pathsOf(entry)
      if (lower !== '' && !spellings.has(lower)) keep(lower, `${parent}/${entry.name}`)
    }
    for (const entry of last.values()) {
      if (entry['.tag'] !== 'file' || !seen.isNew(entry.path_lower)) continue
      const { parent } = pathsOf(entry)
      yield objectOf(entry, `${scannedPath}${parent}/${entry.name}`.slice(1), nameOf)
    }
  }
}

function objectOf(file: File, key: string, nameOf: OwnerNames['nameOf']): ListedObject {
  const owner = file.sharing_info?.modified_by
  return {
    key,
    size: file.size,
    modified: file.client_modified,
    // A hash of the hashes of blocks of 4 MiB: like that of another file of Dropbox alone.
    ...(file.content_hash ? { etag: `dropbox:${file.content_hash}` } : {}),
    ...(owner ? { owner: nameOf(owner) } : {}),
  }
}
