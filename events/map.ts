import { z } from 'zod'
import { StorageId, FolderPath } from './browse.ts'
import { AtDate, endpoint } from './endpoint.ts'

/** How many levels below a folder a map shows at most. */
const mostLevels = 5

/**
 * An entry of a map. Bytes; a folder's last access and modification are those of the files below it. `delta` is by how much
 * the size changed since the previous date, null when that is not known or no previous date was given.
 */
export const MapEntry = z.object({
  /** The folder that it is in, by its place in the list; null for the folder that is mapped. */
  folder: z.int().nullable(),
  name: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
  extension: z.string(),
  owner: z.string(),
  lastAccess: z.string(),
  lastModified: z.string(),
  delta: z.number().nullable(),
  /** It was not there on the previous date. */
  isCreated: z.boolean(),
  /**
   * Of a folder that was looked into: how many entries directly in it are not in the list, and the bytes of the folder that
   * no entry of the list has, those of files without a record too.
   */
  smaller: z.object({ count: z.number(), size: z.number() }).nullable(),
})
export type MapEntry = z.infer<typeof MapEntry>

/**
 * A folder, then the largest entries in it, then the largest in those, level by level. An entry without size is not in the
 * list; a folder too small to be drawn with anything in it is not looked into.
 */
export const FolderMap = z.object({
  path: z.string(),
  indexingDate: z.string(),
  previousIndexingDate: z.string().nullable(),
  entries: z.array(MapEntry),
})
export type FolderMap = z.infer<typeof FolderMap>

/** A folder and the date that it is compared with; `most` is how many children of each folder are wanted. */
const AskedMap = z
  .object({
    path: FolderPath,
    storageId: StorageId.optional(),
    volumeId: StorageId.optional(),
    levels: z.coerce.number<number>().int().min(1).max(mostLevels).default(3),
    most: z.coerce.number<number>().int().min(1).max(1000).default(200),
    previousDate: z.iso.date('must be a date of the form yyyy-MM-dd').optional(),
  })
  .refine(({ storageId, volumeId }) => (storageId ?? volumeId) !== undefined, {
    path: ['storageId'],
    message: 'is required',
  })
  .transform(({ storageId = 0, volumeId = 0, ...asked }) => ({ ...asked, storageId: storageId || volumeId }))

/** A map of a folder on any date; 400 when the previous date is the later one. */
export const mapOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/map',
  needs: 'snapshots.see',
  failure: 'Unable to get the map of the folder',
  query: z.intersection(AskedMap, AtDate),
  answer: FolderMap,
})
