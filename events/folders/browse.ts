import { z } from 'zod'
import { AsOf, AtDate, AtTime, endpoint } from '#events/contract/endpoint.ts'
import { PreviousDate, Storages } from '#events/contract/storages.ts'
import { Cursor, Entry, EntryPage, entrySorts, PathText, TypedPath, SummaryPage } from '#events/entries.ts'
import { beginningQuery, pageOf, pageQuery } from '#events/contract/page.ts'

const defaultSize = 500

const emptyIsNone = (text: unknown): unknown => (text === '' ? undefined : text)
/** Path of a folder in its volume; '/' is the root of the volume. */
export const FolderPath = z.preprocess(emptyIsNone, PathText.startsWith('/', 'must begin with /').default('/'))

const PageRequest = z.intersection(z.intersection(AtTime, Storages), z.intersection(Cursor, pageQuery(defaultSize)))

/** Hidden folders, by their own name or that of a folder above them, are only shown on request. */
const ShownFolders = z.object({ path: FolderPath, showHiddenDirectories: z.stringbool().default(false) })

/** Files directly in a folder, including hidden ones. By default sorted by size, largest first. */
export const filesOfFolder = endpoint({
  method: 'GET',
  path: '/files/directory',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the files of the folder',
  query: z.intersection(z.object({ directoryPath: FolderPath }), PageRequest),
  answer: EntryPage,
})

/** Folders directly in a folder, sorted in the same way. */
export const foldersOfFolder = endpoint({
  method: 'GET',
  path: '/directories',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the folders of the folder',
  query: z.intersection(ShownFolders, PageRequest),
  answer: EntryPage,
})

/**
 * First `size` folders and files of a folder, folders before files. If the folders alone fill `size`, the same number
 * of files is added. Each list continues with its own cursor and contains entry summaries.
 */
export const FolderContents = z.object({ folders: SummaryPage, files: SummaryPage })
export type FolderContents = z.infer<typeof FolderContents>

/** Both lists in one call, for opening a folder. */
export const contentsOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/contents',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the contents of the folder',
  query: z.intersection(ShownFolders, z.intersection(z.intersection(AtTime, Storages), beginningQuery(defaultSize))),
  answer: FolderContents,
})

/** The two lists of a folder, in display order. */
export const partsOfFolder = ['folders', 'files'] as const
export type PartOfFolder = (typeof partsOfFolder)[number]

/** A page of one of the two lists. */
export const partOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/contents/:part',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the contents of the folder',
  params: z.object({ part: z.enum(partsOfFolder, 'must be folders or files') }),
  query: z.intersection(ShownFolders, PageRequest),
  answer: SummaryPage,
})

/**
 * Suggests folders for a path that is being typed, within a storage or in full. Text that starts with '/' matches folders directly in the folder
 * before its last '/' whose name contains the rest. Other text matches folders anywhere, by a part of their name or, as
 * in 'films/rough', by their parent folder and the start of their own name. Ignores case.
 */
export const folderSuggestions = endpoint({
  method: 'GET',
  path: '/v1/directories/paths',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to search the folders',
  query: z.intersection(z.object({ path: PathText.default('') }), PageRequest),
  answer: EntryPage,
})

/**
 * Looks up a typed path. The folder is the one with exactly this path, otherwise one whose path differs only in case or in the
 * encoding of accents. If no folder has the path, `exists` is false, and the folder is the one with the most similar path.
 */
export const folderByPath = endpoint({
  method: 'GET',
  path: '/v1/directories/lookup',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to look up the folder',
  query: z.intersection(z.object({ path: TypedPath }), z.intersection(AtTime, Storages)),
  answer: AsOf.extend({
    exists: z.boolean(),
    folder: z.object({ volumeId: z.int(), path: z.string() }).nullable(),
  }),
})

/**
 * An entry compared with an earlier date. `delta` is the change of its size, null if one of the sizes is unknown. A
 * removed entry has its last attributes, a size of -1 and its former size as a negative delta. It is `deleted` if a
 * scan found it deleted, not if it was moved or is outside the scope of scans now.
 */
export const ComparedEntry = Entry.extend({
  delta: z.number().nullable(),
  isCreated: z.boolean(),
  isRemoved: z.boolean(),
})
export type ComparedEntry = z.infer<typeof ComparedEntry>

/** `absoluteDelta` is the size change without its sign. */
export const comparedSorts = [...entrySorts, 'delta', 'absoluteDelta'] as const

/** A page of compared entries, with the day that is shown and the previous one; null if nothing was indexed by then. */
export const ComparedPage = pageOf(ComparedEntry).extend({
  indexingDate: z.string().nullable(),
  previousIndexingDate: z.string().nullable(),
})
export type ComparedPage = z.infer<typeof ComparedPage>

const Compared = z.intersection(
  z.object({ path: FolderPath }),
  z.intersection(z.intersection(AtDate, Storages), pageQuery(defaultSize)),
)

/**
 * Files directly in a folder, each compared with a previous date, and the files removed since. By default sorted by
 * size, largest first; 400 when the previous date is the later one.
 */
export const filesSince = endpoint({
  method: 'GET',
  path: '/v1/files/snapshots/:previousDate',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the files of the folder',
  params: PreviousDate,
  query: Compared,
  answer: ComparedPage,
})

/** Folders directly in a folder, compared in the same way; hidden folders can be left out. */
export const foldersSince = endpoint({
  method: 'GET',
  path: '/v1/directories/snapshots/:previousDate',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to compare the folders of the folder',
  params: PreviousDate,
  query: z.intersection(Compared, z.object({ showHiddenDirectories: z.stringbool().default(true) })),
  answer: ComparedPage,
})
