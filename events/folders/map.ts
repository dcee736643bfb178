import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { AsOf, AtTime, endpoint } from '#events/contract/endpoint.ts'
import { OneFolder } from './calls.ts'
import { writtenInt } from '#events/contract/numbers.ts'

/** Maximum number of levels below a folder in a map. */
const maxLevels = 5

/**
 * An entry of a map. Bytes; a folder's last access and modification are those of the files below it, null if unknown.
 * `delta` is the change in size since the previous date, null if unknown or if no previous date was given.
 */
export const MapEntry = z.object({
  /** Index of the parent folder in the list; null for the mapped folder. */
  folder: z.int().nullable(),
  name: z.string(),
  isDirectory: z.boolean(),
  size: z.number(),
  extension: z.string(),
  owner: z.string(),
  lastAccess: z.string().nullable(),
  lastModified: z.string().nullable(),
  delta: z.number().nullable(),
  /** True if the entry did not exist on the previous date. */
  isCreated: z.boolean(),
  /**
   * For folders whose children are in the map: the number of direct children that are left out, and the bytes of the
   * folder that no entry of the list has, including files without a record.
   */
  smaller: z.object({ count: z.number(), size: z.number() }).nullable(),
})
export type MapEntry = z.infer<typeof MapEntry>

/**
 * A folder, then its largest entries, then the largest entries in those, level by level. Entries without size are left
 * out; folders too small to draw their content have no children.
 */
export const FolderMap = AsOf.extend({
  path: z.string(),
  indexingDate: z.string(),
  previousIndexingDate: z.string().nullable(),
  entries: z.array(MapEntry),
})
export type FolderMap = z.infer<typeof FolderMap>

/** A folder, and the number of levels below it. */
const FolderRequest = z.intersection(OneFolder, z.object({ levels: writtenInt(1, maxLevels).default(3) }))

/**
 * Parameters of a map: `most` is the maximum number of children per folder, `previousDate` the date to compare with.
 */
const MapRequest = z.object({
  most: writtenInt(1, 1000).default(200),
  previousDate: Day.optional(),
})

/** Map of a folder on any date; 400 when the previous date is the later one. */
export const mapOfFolder = endpoint({
  method: 'GET',
  path: '/v1/directories/map',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the map of the folder',
  query: z.intersection(z.intersection(FolderRequest, MapRequest), AtTime),
  answer: FolderMap,
})

/**
 * Ages of files by last access, counted back from the end of the day that is shown. Each age covers up to that many
 * days.
 */
export const mapAges = [
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: '30 to 90 days' },
  { days: 180, label: '90 to 180 days' },
  { days: 365, label: '180 to 365 days' },
  { days: Infinity, label: 'Over a year' },
] as const

/** Start times in seconds of all ages but the first, counted back from the end of a day. */
export function ageStarts(on: string): number[] {
  const daySeconds = 86_400
  const end = Date.parse(on) / 1000 + daySeconds
  return mapAges.slice(0, -1).map(({ days }) => end - days * daySeconds)
}

type AccessAndChange = Pick<MapEntry, 'lastAccess' | 'lastModified'>

/** Index in `mapAges` of the last use of a file, its later access or change, seen from a day; undefined if its access is unknown. */
export function ageOn(on: string, { lastAccess, lastModified }: AccessAndChange): number | undefined {
  if (lastAccess === null) return undefined
  const lastUse = Math.max(Date.parse(lastAccess), Date.parse(lastModified ?? lastAccess)) / 1000
  return ageStarts(on).filter((first) => lastUse < first).length
}

/** Fields by which folders are colored: extension, owner or time since the last use of the files below them. */
export const dominantFields = ['extension', 'owner', 'age'] as const
export type DominantField = (typeof dominantFields)[number]

/**
 * The extension, owner or age (index in `mapAges`) with the most bytes of all files below a folder, including hidden
 * ones, and these bytes. Ties go to the first in alphabetical order. Files without a record are not counted, so the
 * bytes can be a small part of the folder. `ages` are the bytes below the folder by age, set only if ages are
 * requested, because a folder has no single date.
 */
export const Dominant = z.object({
  path: z.string(),
  value: z.string(),
  size: z.number(),
  ages: z.array(z.number()).optional(),
})
export type Dominant = z.infer<typeof Dominant>

/**
 * Dominant values of the folders of a map, including the mapped folder, largest first. Folders without a file with a
 * record and a size are left out.
 */
export const DominantBelow = AsOf.extend({
  storageId: z.int(),
  path: z.string(),
  by: z.enum(dominantFields),
  indexingDate: z.string(),
  folders: z.array(Dominant),
})
export type DominantBelow = z.infer<typeof DominantBelow>

/** Reads every file below the folder, so it is a separate call, used only for colors that need it. */
export const dominantBelow = endpoint({
  method: 'GET',
  path: '/v1/directories/map/dominant',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the composition of the folders',
  query: z.intersection(z.intersection(FolderRequest, z.object({ by: z.enum(dominantFields) })), AtTime),
  answer: DominantBelow,
})
