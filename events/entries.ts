import { z } from 'zod'
import { pageOf } from './contract/page.ts'

const Moment = z.string().nullable()

/** Characters that the path of an entry has at most, within its volume. */
export const longestPath = 32_768
/** A path, or a part of one, as a question names it. */
export const PathText = z.string().max(longestPath)

/**
 * A file or folder as a snapshot has it. Sizes are bytes, -1 is unknown; a folder's size is that of all files below it.
 * Moments are ISO 8601 in UTC, null when unknown. `path` is that within the volume, with the name, and begins with `/`;
 * `fullPath` is what users write to get there, from the root of the machine or from the share on.
 */
export const Entry = z.object({
  /** The same on every date; another after a move. Hexadecimal. */
  fileId: z.string(),
  name: z.string(),
  path: z.string(),
  fullPath: z.string(),
  volumeId: z.int(),
  volumeName: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
  allocatedSize: z.number(),
  extension: z.string(),
  owner: z.string(),
  group: z.string(),
  creationDate: Moment,
  lastAccess: Moment,
  lastModified: Moment,
  /** Of the folder itself; its `lastAccess` and `lastModified` are those of the files below it. */
  lastAccessFolder: Moment,
  lastModifiedFolder: Moment,
  backupDate: Moment,
  /** The day of the scan that a snapshot shows of the volume. */
  indexingDate: z.string(),
  /** Of folders: all below. */
  numberOfFiles: z.number().nullable(),
  numberOfFolders: z.number().nullable(),
  deleted: z.boolean(),
  /**
   * Whether the whole snapshot has another copy. Null in lists of a folder on an older date where all entries would have to be
   * read to know it; searches and single entries tell it on any date.
   */
  dupe: z.boolean().nullable(),
  /** What copies share, hexadecimal; empty where nothing can be a copy. */
  identificationHash: z.string(),
  customTag: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
  inode: z.string(),
  mode: z.int(),
  numberOfLinks: z.int(),
  linkTarget: z.string(),
  eTag: z.string(),
  storageClass: z.string(),
  /** Where the entry was before it was moved or renamed; empty when it never was. */
  previousPath: z.string(),
  /** A folder that could not be read whole. */
  unreadable: z.boolean(),
})
export type Entry = z.infer<typeof Entry>

/** What a row shows of an entry: where a folder is opened, the rest is left to be asked of the one that is looked at. */
export const EntrySummary = Entry.pick({
  fileId: true,
  name: true,
  path: true,
  fullPath: true,
  volumeId: true,
  volumeName: true,
  isDirectory: true,
  size: true,
  extension: true,
  owner: true,
  group: true,
  creationDate: true,
  lastAccess: true,
  lastModified: true,
  lastAccessFolder: true,
  lastModifiedFolder: true,
  indexingDate: true,
  numberOfFiles: true,
  numberOfFolders: true,
  deleted: true,
  customTag: true,
  unreadable: true,
})
export type EntrySummary = z.infer<typeof EntrySummary>

/** What lists of entries can be sorted by. */
export const entrySorts = [
  'name',
  'path',
  'volumeName',
  'size',
  'allocatedSize',
  'extension',
  'owner',
  'group',
  'creationDate',
  'lastAccess',
  'lastModified',
  'lastAccessFolder',
  'lastModifiedFolder',
  'backupDate',
  'indexingDate',
  'numberOfFiles',
  'numberOfFolders',
] as const
export type EntrySort = (typeof entrySorts)[number]

/** Beside these, files and folders that are copies of each other can stand together: by size, and by what copies share. */
export const listSorts = [...entrySorts, 'duplicateSet'] as const
export type ListSort = (typeof listSorts)[number]

/** The farthest entry that pages reach; a cursor goes on. */
export const resultWindow = 10_000

/** Characters of a cursor at most: packed, the longest path takes 140,000, in letters of mixed case and in no order. */
const longestCursor = 200_000

/** How a list of entries is asked for beyond its page: `cursor` is where the page before ended; then `page` says nothing. */
export const Cursor = z.object({
  cursor: z
    .string()
    .max(longestCursor)
    .optional()
    .transform((cursor) => cursor || undefined),
})

/** A page of entries, of the day that answers; `cursor` asks for the next one, however far, null at the end. */
export const EntryPage = pageOf(Entry).extend({ indexingDate: z.string().nullable(), cursor: z.string().nullable() })
export type EntryPage = z.infer<typeof EntryPage>

/** Likewise, of what rows show. */
export const SummaryPage = EntryPage.extend({ elements: z.array(EntrySummary) })
export type SummaryPage = z.infer<typeof SummaryPage>
