import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { blankForNull } from '#events/contract/blank.ts'
import { Day } from '#events/contract/days.ts'
import { AtDate, endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'
import { PathText } from '#events/entries.ts'
import { StoragePrice } from '#events/price-books.ts'
import { ApparentSize } from '#events/contract/sizeBasis.ts'

/** A folder of a project. `path` is relative to the volume: '/' for all of it, otherwise like '/a/b', with all blanks. */
export const TrackedFolder = z.object({
  path: PathText.min(1, "can't be empty")
    .startsWith('/', 'must begin with /')
    // Its moves are looked up for each folder above.
    .refine((path) => path.split('/').length <= 1_000, 'must have fewer than 1000 levels')
    .transform((path) => (path === '/' ? path : path.replace(/\/+$/, '')) || '/'),
  volumeId: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  /** Name known to the caller; the actual name of the volume takes precedence. */
  volumeName: z.string().max(255).optional(),
})
export type TrackedFolder = z.infer<typeof TrackedFolder>

const sameFolder = ({ volumeId, path }: TrackedFolder): string => `${volumeId}:${path}`

/**
 * Fields to create or change a project. `allocatedSize` is a soft limit in bytes, rounded to whole bytes. Each folder
 * can be added once.
 */
export const ProjectDraft = z.object({
  name: nameText({ long: 'must be between 1 and 255 characters' }),
  description: blankForNull(z.string().trim().max(1_000, 'must be at most 1000 characters')),
  allocatedSize: z
    .number('must not be null')
    .min(1, 'must be greater than 0')
    .max(Number.MAX_SAFE_INTEGER, 'must be at most 8 PiB')
    .transform(Math.round),
  paths: z
    .array(TrackedFolder)
    .max(1_000, 'must be at most 1000 folders')
    .transform((folders) => [...new Map(folders.map((folder) => [sameFolder(folder), folder])).values()]),
})
export type ProjectDraft = z.infer<typeof ProjectDraft>

/** Age groups of the files of a project, youngest first, defined as those of storages; 'older' is over a year. */
export const projectAges = ['1 week', '1 month', '3 month', '6 month', '1 year', 'older'] as const
export type ProjectAge = (typeof projectAges)[number]

const Classes = z.record(z.string(), z.number())

/** Bytes by the size basis of the storage, and number of files. `classes` are the bytes by storage class, absent if no file has one. */
const FileTotals = z.object({ sizeOfFiles: z.number(), numberOfFiles: z.number(), classes: Classes.optional() })
export type FileTotals = z.infer<typeof FileTotals>
const Ages = z.partialRecord(z.enum(projectAges), FileTotals)

/**
 * Files by age, and duplicates of any file of the date. `reclaimable` is the size of all copies but one of each set,
 * counted per folder, and summed over the folders. Bytes; ages without files are left out.
 */
export const ProjectStatistics = z.object({
  DUPLICATE: z.object({ duplicate: FileTotals, reclaimable: FileTotals }),
  MODIFIED_DATE: Ages,
  ACCESS_DATE: Ages,
})
export type ProjectStatistics = z.infer<typeof ProjectStatistics>

/** Users with limits don't get duplicates: these may be of files that they don't see. */
const ShownStatistics = ProjectStatistics.partial({ DUPLICATE: true })
export type ShownStatistics = z.infer<typeof ShownStatistics>

const moment = z.iso.datetime().nullable()

/** A folder of a project on a date. */
export const ProjectItem = z.object({
  id: z.int(),
  volumeId: z.int(),
  volumeName: z.string(),
  path: z.string(),
  /** Full path, as its users write it. */
  fullPath: z.string(),
  /** Path on the date; another one if the project followed the folder to a new path since. */
  pathOnDate: z.string(),
  /** The folder is no longer at its path. Scans found it at this one, and no one has rejected to follow it. */
  movedTo: z.object({ path: z.string(), fullPath: z.string() }).nullable(),
  sizeOfFiles: z.number(),
  apparentSize: ApparentSize,
  numberOfFiles: z.number(),
  lastModifiedDate: moment,
  lastAccessDate: moment,
  statistics: ShownStatistics,
  /** The folder does not exist on the date. */
  isGone: z.boolean(),
  /** The folder is inside another folder of the project and counted as part of it. */
  isNested: z.boolean(),
})
export type ProjectItem = z.infer<typeof ProjectItem>

/** The part of a project on one storage. `volumeName` says if the storage was deleted: `Films (removed on 2026-11-29)`. */
export const ProjectShare = z.object({
  volumeId: z.int(),
  volumeName: z.string(),
  type: z.string(),
  isDeleted: z.boolean(),
  ...FileTotals.shape,
  apparentSize: ApparentSize,
  /** The price that applied on the date; null without a price book. */
  storagePrice: StoragePrice.nullable(),
  statistics: ShownStatistics,
  projectItems: z.array(ProjectItem),
})
export type ProjectShare = z.infer<typeof ProjectShare>

const Figures = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  allocatedSize: z.number(),
  /** Size of all folders. Overlapping folders, and files with hard links in several of them, are counted once. */
  sizeOfFiles: z.number(),
  apparentSize: ApparentSize,
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  lastAccessDate: moment,
  lastModifiedDate: moment,
  /** The date that is shown; null before the first snapshot. */
  indexingDate: z.string().nullable(),
  /** True while folders of the date are still being counted. Totals cover the folders counted so far. */
  loadingReport: z.boolean(),
})

/** Yearly cost of a project on a date, by currency. */
const Costs = z.array(z.object({ currencySymbol: z.string(), perYear: z.number() }))
export type Costs = z.infer<typeof Costs>

export const ListedProject = Figures.extend({
  costs: Costs,
  /** Number of folders that scans found at another path, and that the project may follow. */
  movedFolders: z.int(),
})
export type ListedProject = z.infer<typeof ListedProject>
/** `isManager` if the caller is one of its managers. */
export const Project = Figures.extend({ projectShares: z.array(ProjectShare), isManager: z.literal(true).optional() })
export type Project = z.infer<typeof Project>

const HistoryShare = z.object({ volumeId: z.int(), volumeName: z.string(), sizeOfFiles: z.number() })

/** A project on one date. */
export const ProjectAtDate = z.object({
  indexingDate: z.string(),
  sizeOfFiles: z.number(),
  projectShares: z.array(HistoryShare),
})
export type ProjectAtDate = z.infer<typeof ProjectAtDate>

/** A change of the folders of a project; the first one is its creation. UTC. */
export const FoldersChanged = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
})
export type FoldersChanged = z.infer<typeof FoldersChanged>

/**
 * Days from a date until the project reaches its allocated size, extrapolated from the last 90 days; 0 if already
 * reached. `earliest` and `latest` are the bounds of the 95 % confidence interval; null means never, for example
 * without growth. `bytesPerDay` may be negative. All fields are null with fewer than 3 counted dates.
 */
export const Forecast = z.object({
  indexingDate: z.string().nullable(),
  days: z.number().nullable(),
  earliest: z.number().nullable(),
  latest: z.number().nullable(),
  bytesPerDay: z.number().nullable(),
})
export type Forecast = z.infer<typeof Forecast>

/** Part of a name or description. */
const Filter = z
  .string()
  .max(1_000)
  .refine((text) => !text.includes('\0'), 'must not hold a NUL character')
  .default('')

/** Users with limits see the projects of their limits; others don't exist for them. */
const read = { method: 'GET', needs: 'snapshots.see', limitedBy: 'projects' } as const
const writing = { query: AtDate, record: Project.extend({ paths: z.array(ProjectItem) }), answer: Id } as const

export const projects = {
  list: endpoint({
    ...read,
    path: '/v1/projects',
    failure: 'Error while fetching the list of projects',
    query: z.intersection(z.intersection(AtDate, z.object({ filter: Filter })), PageQuery),
    answer: pageOf(ListedProject),
  }),
  find: endpoint({
    ...read,
    path: '/v1/projects/:id',
    failure: 'Error while fetching the project',
    params: Id,
    query: AtDate,
    answer: Project,
  }),
  create: endpoint({
    ...writing,
    method: 'POST',
    path: '/projects',
    needs: 'projects.edit',
    limitedBy: 'refused',
    failure: 'Unable to create project',
    body: ProjectDraft,
  }),
  /** Users with limits may keep the name and add folders that they see. */
  update: endpoint({
    ...writing,
    method: 'PUT',
    path: '/projects',
    needs: 'projects.manage',
    limitedBy: 'projects',
    failure: 'Unable to update project',
    body: ProjectDraft.extend({ id: IdNumber }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id',
    needs: 'projects.edit',
    limitedBy: 'projects',
    failure: 'Unable to delete project',
    params: Id,
    query: AtDate,
  }),
  /**
   * The newest dates up to a date, newest first, `size` of them; or the dates of a number of days. Dates that are still
   * being counted are left out.
   */
  history: endpoint({
    ...read,
    path: '/v1/projects/:id/history',
    failure: 'Error while getting projectEntity',
    params: Id,
    query: AtDate.extend({ size: writtenInt(1, 1_000).default(1_000), from: Day.optional(), to: Day.optional() }),
    answer: z.array(ProjectAtDate),
  }),
  /** Folder changes, oldest first. */
  changes: endpoint({
    ...read,
    path: '/v1/projects/:id/changes',
    failure: 'Error while getting projectEntity',
    params: Id,
    answer: z.array(FoldersChanged),
  }),
  forecast: endpoint({
    ...read,
    path: '/v1/projects/:id/forecast',
    failure: 'Error while getting projectEntity',
    params: Id,
    query: AtDate,
    answer: Forecast,
  }),
  report: endpoint({
    ...read,
    path: '/v1/projects/:id/reports',
    failure: 'Unable to download the report',
    params: Id,
    query: AtDate.extend({ type: z.enum(['OVERVIEW', 'FOLDERLIST']).default('OVERVIEW') }),
    download: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
}

/** Growth of a project over a number of days, negative if it shrank. Bytes. */
export const ActiveProject = z.object({
  id: z.int(),
  name: z.string(),
  sizeOfFiles: z.number(),
  previousSize: z.number(),
  variation: z.number(),
})
export type ActiveProject = z.infer<typeof ActiveProject>

/**
 * Projects by size change, largest first. Unchanged projects and those still being counted are left out. Must be
 * declared before `find`, whose path would match, too.
 */
export const mostActiveProjects = endpoint({
  ...read,
  path: '/v1/projects/mostActiveProjects',
  failure: 'Error while getting the most active projects',
  query: AtDate.extend({
    size: writtenInt(1, 100).default(10),
    type: z.literal('days').default('days'),
    duration: writtenInt(1, 3_650).default(30),
  }),
  answer: z.array(ActiveProject),
})
