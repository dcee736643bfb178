import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { OneFolder } from './calls.ts'
import { writtenInt } from '#events/contract/numbers.ts'

/** How many levels below a folder a map shows at most. */
const mostLevels = 5

/**
 * An entry of a map. Bytes; a folder's last access and modification are those of the files below it, null when unknown.
 * `delta` is by how much the size changed since the previous date, null when that is not known or no previous date was given.
 */
export const MapEntry = z.object({
  /** The folder that it is in, by its place in the list; null for the folder that is mapped. */
  folder: z.int().nullable(),
  name: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
  extension: z.string(),
  owner: z.string(),
  lastAccess: z.string().nullable(),
  lastModified: z.string().nullable(),
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

/** A folder, and how far below it is looked. */
const AskedFolder = z.intersection(OneFolder, z.object({ levels: writtenInt(1, mostLevels).default(3) }))

/** How a map is asked for: `most` is how many children of each folder are wanted, `previousDate` what it is compared with. */
const AskedMap = z.object({
  most: writtenInt(1, 1000).default(200),
  previousDate: Day.optional(),
})

/** A map of a folder on any date; 400 when the previous date is the later one. */
export const mapOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/map',
  needs: 'snapshots.see',
  failure: 'Unable to get the map of the folder',
  query: z.intersection(z.intersection(AskedFolder, AskedMap), AtDate),
  answer: FolderMap,
})

/** How long ago files were accessed, before the end of the day that is shown: each age up to so many days. */
export const mapAges = [
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: '30 to 90 days' },
  { days: 180, label: '90 to 180 days' },
  { days: 365, label: '180 to 365 days' },
  { days: Infinity, label: 'Over a year' },
] as const

/** The seconds before which a file is of each age but the first, as seen from the end of a day. */
export function agesBegin(on: string): number[] {
  const daySeconds = 86_400
  const end = Date.parse(on) / 1000 + daySeconds
  return mapAges.slice(0, -1).map(({ days }) => end - days * daySeconds)
}

/** The place in `mapAges` of what was last accessed at a moment, as seen from a day. */
export const ageOn = (on: string, lastAccess: string): number =>
  agesBegin(on).filter((first) => Date.parse(lastAccess) / 1000 < first).length

/** By what folders can be told apart: the extension of the files below them, their owner, or how long ago they were accessed. */
export const dominantFields = ['extension', 'owner', 'age'] as const
export type DominantField = (typeof dominantFields)[number]

/**
 * What a folder mostly consists of: the extension, the owner, or the age (its place in `mapAges`), with the most bytes of all
 * files below it, hidden ones too, and how many bytes those are; of equally large ones the first in alphabetical order. Files
 * without a record of their own have none, so the bytes can be few of those of the folder. `ages` are the bytes below it of
 * each age, told where ages are asked for: a folder has no one date.
 */
export const Dominant = z.object({
  path: z.string(),
  value: z.string(),
  size: z.number(),
  ages: z.array(z.number()).optional(),
})
export type Dominant = z.infer<typeof Dominant>

/**
 * What the folders of a map mostly consist of, the mapped folder too, largest first. A folder without a file that has a
 * record and a size is not in the list.
 */
export const DominantBelow = z.object({
  storageId: z.int(),
  path: z.string(),
  by: z.enum(dominantFields),
  indexingDate: z.string(),
  folders: z.array(Dominant),
})
export type DominantBelow = z.infer<typeof DominantBelow>

/** It reads every file below the folder, so it is asked apart from the map, and only where colours need it. */
export const dominantBelow = endpoint({
  method: 'GET',
  path: '/v1/directories/map/dominant',
  needs: 'snapshots.see',
  failure: 'Unable to get what the folders consist of',
  query: z.intersection(z.intersection(AskedFolder, z.object({ by: z.enum(dominantFields) })), AtDate),
  answer: DominantBelow,
})
