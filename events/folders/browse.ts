import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { AtDate, endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { Cursor, Entry, EntryPage, entrySorts, PathText, SummaryPage } from '#events/entries.ts'
import { beginningQuery, pageOf, pageQuery } from '#events/contract/page.ts'

const usualSize = 500
const mostStorages = 1000

const emptyIsNone = (text: unknown): unknown => (text === '' ? undefined : text)
/** A folder by its path within its volume; '/' is the volume's own root. */
export const FolderPath = z.preprocess(emptyIsNone, PathText.startsWith('/', 'must begin with /').default('/'))

const StorageIds = z.preprocess(separated, z.array(IdNumber).max(mostStorages)).default([])
/** What is given once, several times, or separated by commas, as a list. */
export function separated(value: unknown): unknown {
  const items: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value]
  return items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item])).filter((item) => item !== '')
}

/** Which storages a list is of, by any of the names that this has; all of them when none is named. */
export const Storages = z
  .object({ storageId: StorageIds, volumeId: StorageIds, storageIds: StorageIds })
  .transform(({ storageId, volumeId, storageIds }) => ({ storages: [...storageId, ...volumeId, ...storageIds] }))

const AskedPage = z.intersection(z.intersection(AtDate, Storages), z.intersection(Cursor, pageQuery(usualSize)))

/** Hidden folders, by their own name or by that of a folder above them, are shown when asked for only. */
const ShownFolders = z.object({ path: FolderPath, showHiddenDirectories: z.stringbool().default(false) })

/** The files directly in a folder, hidden ones too; by size, largest first, unless told otherwise. */
export const filesOfFolder = endpoint({
  method: 'GET',
  path: '/files/directory',
  needs: 'snapshots.see',
  failure: 'Unable to get the files of the folder',
  query: z.intersection(z.object({ directoryPath: FolderPath }), AskedPage),
  answer: EntryPage,
})

/** The folders directly in a folder, likewise. */
export const foldersOfFolder = endpoint({
  method: 'GET',
  path: '/directories',
  needs: 'snapshots.see',
  failure: 'Unable to get the folders of the folder',
  query: z.intersection(ShownFolders, AskedPage),
  answer: EntryPage,
})

/**
 * How the folders and the files directly in a folder begin: the first `size` of them, folders before files; where folders are so
 * many, as many files beside them. Each list goes on by its own cursor, and tells of entries what rows show.
 */
export const FolderContents = z.object({ folders: SummaryPage, files: SummaryPage })
export type FolderContents = z.infer<typeof FolderContents>

/** Both lists by one call, as a folder is opened. */
export const contentsOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/contents',
  needs: 'snapshots.see',
  failure: 'Unable to get what is in the folder',
  query: z.intersection(ShownFolders, z.intersection(z.intersection(AtDate, Storages), beginningQuery(usualSize))),
  answer: FolderContents,
})

/** The two lists of a folder, as they stand below each other. */
export const partsOfFolder = ['folders', 'files'] as const
export type PartOfFolder = (typeof partsOfFolder)[number]

/** A page of one of them. */
export const partOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/contents/:part',
  needs: 'snapshots.see',
  failure: 'Unable to get what is in the folder',
  params: z.object({ part: z.enum(partsOfFolder, 'must be folders or files') }),
  query: z.intersection(ShownFolders, AskedPage),
  answer: SummaryPage,
})

/**
 * Folders that a path which is being typed may mean. What begins with '/' means the folders directly in the folder before
 * its last '/' whose name contains the rest; anything else, folders anywhere, by a part of their name or, as in
 * 'films/rough', by the folder they are in and how their own name begins. In whatever case, except for a folder that is
 * written from the root.
 */
export const foldersTyped = endpoint({
  method: 'GET',
  path: '/v1/directories/paths',
  needs: 'snapshots.see',
  failure: 'Unable to search the folders',
  query: z.intersection(z.object({ path: PathText.default('') }), AskedPage),
  answer: EntryPage,
})

/**
 * An entry beside what it was before. `delta` is by how much its size changed, null when one of the two is not known. One
 * that is gone is shown as it was, with a size of -1 and its former size as a negative delta; it is `deleted` when a scan found it so, not when it
 * was moved or scans look there no more.
 */
export const ComparedEntry = Entry.extend({
  delta: z.number().nullable(),
  isCreated: z.boolean(),
  isRemoved: z.boolean(),
})
export type ComparedEntry = z.infer<typeof ComparedEntry>

/** `absoluteDelta` is by how much a size changed, however it went. */
export const comparedSorts = [...entrySorts, 'delta', 'absoluteDelta'] as const

/** A page of them, of the day that answers and the one before it, null when nothing was indexed then. */
export const ComparedPage = pageOf(ComparedEntry).extend({
  indexingDate: z.string().nullable(),
  previousIndexingDate: z.string().nullable(),
})
export type ComparedPage = z.infer<typeof ComparedPage>

/** The day that a later one is compared with. */
export const PreviousDate = z.object({ previousDate: Day })
const Compared = z.intersection(
  z.object({ path: FolderPath }),
  z.intersection(z.intersection(AtDate, Storages), pageQuery(usualSize)),
)

/**
 * The files directly in a folder, each beside what it was on a previous date, and those that are gone since. By size, largest
 * first, unless told otherwise; 400 when the previous date is the later one.
 */
export const filesSince = endpoint({
  method: 'GET',
  path: '/v1/files/snapshots/:previousDate',
  needs: 'snapshots.see',
  failure: 'Unable to compare the files of the folder',
  params: PreviousDate,
  query: Compared,
  answer: ComparedPage,
})

/** The folders directly in a folder, likewise; hidden ones are left out when told so. */
export const foldersSince = endpoint({
  method: 'GET',
  path: '/v1/directories/snapshots/:previousDate',
  needs: 'snapshots.see',
  failure: 'Unable to compare the folders of the folder',
  params: PreviousDate,
  query: z.intersection(Compared, z.object({ showHiddenDirectories: z.stringbool().default(true) })),
  answer: ComparedPage,
})

/** A file or folder by its id, with all its metadata. */
export const storageManagerFile = endpoint({
  method: 'GET',
  path: '/v1/storageManager/files/:fileId',
  needs: 'snapshots.see',
  bundle: 'storageManager',
  failure: 'Unable to get the file',
  params: z.object({ fileId: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') }),
  query: AtDate,
  answer: Entry,
})
