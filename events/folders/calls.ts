import { z } from 'zod'
import { FolderPath } from './browse.ts'
import { Day } from '#events/contract/days.ts'
import { AsOf, AtTime, endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { Entry } from '#events/entries.ts'
import { writtenInt } from '#events/contract/numbers.ts'

/** A folder of one storage. The storage can be named in either way. */
export const OneFolder = z
  .object({ path: FolderPath, storageId: IdNumber.optional(), volumeId: IdNumber.optional() })
  .refine(({ storageId, volumeId }) => (storageId ?? volumeId) !== undefined, {
    path: ['storageId'],
    message: 'is required',
  })
  .refine(({ storageId, volumeId = storageId }) => storageId === undefined || storageId === volumeId, {
    path: ['storageId'],
    message: 'must be the same as volumeId',
  })
  .transform(({ path, storageId = 0, volumeId = 0 }) => ({ path, storageId: storageId || volumeId }))
export type OneFolder = z.output<typeof OneFolder>

/** A folder with the largest files and folders directly in it. */
export const FolderDetails = Entry.extend({ largest: z.array(Entry), ...AsOf.shape })
export type FolderDetails = z.infer<typeof FolderDetails>

/** `size` is the number of largest entries. */
export const folderDetails = endpoint({
  method: 'GET',
  path: '/directories/details',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get detail information about folder with path and storageId',
  query: z.intersection(z.intersection(OneFolder, z.object({ size: writtenInt(0, 1000).default(100) })), AtTime),
  answer: FolderDetails,
})

/**
 * Changes of a folder over all snapshots. Bytes; times are ISO 8601 in UTC and differ if their seconds differ. Unknown
 * times are ignored, and null if none is known.
 */
export const FolderStatistics = z.object({
  numberOfDifferentLastAccessDates: z.int(),
  numberOfDifferentCreationDates: z.int(),
  numberOfDifferentModifiedDates: z.int(),
  oldestLastAccessDate: z.string().nullable(),
  oldestCreationDate: z.string().nullable(),
  oldestModifiedDate: z.string().nullable(),
  numberOfDifferentSizes: z.int(),
  smallestSize: z.number(),
  biggestSize: z.number(),
  numberOfDifferentOwners: z.int(),
  numberOfDifferentGroups: z.int(),
})
export type FolderStatistics = z.infer<typeof FolderStatistics>

export const folderStatistics = endpoint({
  method: 'GET',
  path: '/directories/statistics',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the statistics of the folder with path and storageId',
  query: OneFolder,
  answer: FolderStatistics,
})

/** A folder in the snapshot of a day. Bytes; counts include everything below it; unknown times are null. */
export const FolderAtDate = z.object({
  indexingDate: z.string(),
  size: z.number(),
  lastAccess: z.string().nullable(),
  lastModified: z.string().nullable(),
  creationDate: z.string().nullable(),
  group: z.string(),
  owner: z.string(),
  inode: z.string(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  /** True if the folder could not be read completely. */
  unreadable: z.boolean(),
  /** The reason why the scan did not enter the folder. */
  notEntered: Entry.shape.notEntered,
})
export type FolderAtDate = z.infer<typeof FolderAtDate>

/**
 * A folder in the snapshots from one day to another, both included, oldest first. Days without the folder are left out.
 */
export const folderHistory = endpoint({
  method: 'GET',
  path: '/v1/directories/details',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the folder through time',
  query: z.intersection(OneFolder, z.object({ from: Day.optional(), to: Day.optional() })),
  answer: z.array(FolderAtDate),
})
