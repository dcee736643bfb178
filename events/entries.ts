import { z } from 'zod'
import { notEnteredReasons } from './scans/notEntered.ts'
import { BilledSize } from './sources/sizeBasis.ts'
import { FileArchive } from './search/archived.ts'
import { isTypedPath } from './sources/fullPath.ts'
import { pageOf } from './contract/page.ts'

const Moment = z.string().nullable()

/** Maximum number of characters in the path of an entry within its volume. */
export const maxPathLength = 32_768
/** A path, or a part of one, in a request. */
export const PathText = z.string().max(maxPathLength)
/** A path within a storage, or a full one as lists show it. */
export const TypedPath = PathText.refine(isTypedPath, 'must begin with /')

/**
 * A file or folder in a snapshot. Sizes are in bytes, -1 if unknown; the size of a folder is that of all files below
 * it. Times are ISO 8601 in UTC, null if unknown. `path` is the path within the volume, with the name, and starts with
 * `/`; `fullPath` is the path that users write, from the root of the machine or from the share.
 */
export const Entry = z.object({
  /** The same on every date, but different after a move. Hexadecimal. */
  fileId: z.string(),
  name: z.string(),
  path: z.string(),
  fullPath: z.string(),
  volumeId: z.int(),
  volumeName: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
  billedSize: BilledSize,
  allocatedSize: z.number(),
  extension: z.string(),
  owner: z.string(),
  group: z.string(),
  creationDate: Moment,
  lastAccess: Moment,
  lastModified: Moment,
  /** Access time of the folder itself; `lastAccess` and `lastModified` of a folder are those of the files below it. */
  lastAccessFolder: Moment,
  lastModifiedFolder: Moment,
  backupDate: Moment,
  /** Null for folders, outside file storages, and without an archive index in the snapshot. */
  archive: FileArchive.nullable(),
  /** Day of the scan that the snapshot shows for the volume. */
  indexingDate: z.string(),
  /** For folders: all files and folders below. */
  numberOfFiles: z.number().nullable(),
  numberOfFolders: z.number().nullable(),
  deleted: z.boolean(),
  /**
   * True if the snapshot has another copy. Null in lists of a folder on an older date, where it would require reading
   * all entries; searches and single entries have it on any date.
   */
  dupe: z.boolean().nullable(),
  /** The same for all copies, hexadecimal. Empty for entries that can't be duplicates. */
  identificationHash: z.string(),
  customTag: z.array(z.string()),
  metadata: z.record(z.string(), z.string()),
  inode: z.string(),
  mode: z.int(),
  numberOfLinks: z.int(),
  linkTarget: z.string(),
  eTag: z.string(),
  storageClass: z.string(),
  /** Path before the last move or rename; empty if the entry was never moved. */
  previousPath: z.string(),
  /** True for a folder that could not be read completely. */
  unreadable: z.boolean(),
  /** The reason why scans do not enter this folder, so that its contents are not included. */
  notEntered: z.object({ reason: z.enum(notEnteredReasons), detail: z.string() }).nullable(),
})
export type Entry = z.infer<typeof Entry>

/** Attributes of an entry in a row of a folder. The details of an entry are requested when it is opened. */
export const EntrySummary = Entry.pick({
  fileId: true,
  name: true,
  path: true,
  fullPath: true,
  volumeId: true,
  volumeName: true,
  isDirectory: true,
  size: true,
  billedSize: true,
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
  notEntered: true,
})
export type EntrySummary = z.infer<typeof EntrySummary>

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
  'customTag',
  'cost',
] as const
export type EntrySort = (typeof entrySorts)[number]

/** `duplicateSet` puts copies next to each other: by size, then by identification hash. */
export const listSorts = [...entrySorts, 'duplicateSet'] as const
export type ListSort = (typeof listSorts)[number]

/** Number of entries that page numbers can reach. A cursor has no such limit. */
export const resultWindow = 10_000

/** Maximum characters of a cursor. Packed, the longest path with random letters of mixed case takes 140,000. */
const maxCursorLength = 200_000

/** Cursor of a list: the end of the previous page. With a cursor, `page` is ignored. */
export const Cursor = z.object({
  cursor: z
    .string()
    .max(maxCursorLength)
    .optional()
    .transform((cursor) => cursor || undefined),
})

/** A page of entries of the day that is shown. `cursor` requests the next page, without a limit; null at the end. */
export const EntryPage = pageOf(Entry).extend({ indexingDate: z.string().nullable(), cursor: z.string().nullable() })
export type EntryPage = z.infer<typeof EntryPage>

/** Same as `EntryPage`, with entry summaries. */
export const SummaryPage = EntryPage.extend({ elements: z.array(EntrySummary) })
export type SummaryPage = z.infer<typeof SummaryPage>
