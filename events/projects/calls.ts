import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { AtDate, endpoint, Id, IdNumber } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { PageQuery, pageOf } from '#events/contract/page.ts'
import { PathText } from '#events/entries.ts'
import { StoragePrice } from '#events/price-books.ts'

/** A folder that a project tracks. `path` is relative to the volume: '/' is all of it, else as '/a/b'; its blanks are part of names. */
export const TrackedFolder = z.object({
  path: PathText.min(1, "can't be empty")
    .startsWith('/', 'must begin with /')
    .transform((path) => (path === '/' ? path : path.replace(/\/+$/, '')) || '/'),
  volumeId: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
  /** As the caller knew it; the volume's own name is what counts. */
  volumeName: z.string().max(255).optional(),
})
export type TrackedFolder = z.infer<typeof TrackedFolder>

const sameFolder = ({ volumeId, path }: TrackedFolder): string => `${volumeId}:${path}`

/** What a project is made or changed with. `allocatedSize` is a soft limit in bytes, rounded to whole ones. A folder is tracked once. */
export const ProjectDraft = z.object({
  name: z.string().trim().min(1, 'must not be blank').max(255, 'must be between 1 and 255 characters'),
  description: z.string().trim().max(1_000, 'must be at most 1000 characters').default(''),
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

/** The ages by which the files of a project are counted, youngest first, as those of a storage are; 'older' is beyond a year. */
export const projectAges = ['1 week', '1 month', '3 month', '6 month', '1 year', 'older'] as const
export type ProjectAge = (typeof projectAges)[number]

const Classes = z.record(z.string(), z.number())

/** Bytes and files; `classes` are the bytes by storage class, of files that have any, else left out. */
const Counted = z.object({ sizeOfFiles: z.number(), numberOfFiles: z.number(), classes: Classes.optional() })
export type Counted = z.infer<typeof Counted>
const Ages = z.partialRecord(z.enum(projectAges), Counted)

/**
 * Files by age, and those that are duplicates of any file of the date; `reclaimable` is what all copies but one of each set take that
 * lie in a folder, and the sum of that over folders. Bytes; an age that no file has is left out.
 */
export const ProjectStatistics = z.object({
  DUPLICATE: z.object({ duplicate: Counted, reclaimable: Counted }),
  MODIFIED_DATE: Ages,
  ACCESS_DATE: Ages,
})
export type ProjectStatistics = z.infer<typeof ProjectStatistics>

const moment = z.iso.datetime().nullable()

/** A tracked folder as a date shows it. */
export const ProjectItem = z.object({
  id: z.int(),
  volumeId: z.int(),
  volumeName: z.string(),
  path: z.string(),
  /** As its users write it. */
  fullPath: z.string(),
  sizeOfFiles: z.number(),
  numberOfFiles: z.number(),
  lastModifiedDate: moment,
  lastAccessDate: moment,
  statistics: ProjectStatistics,
  /** The date has no such folder. */
  isGone: z.boolean(),
  /** It lies in another folder of the project, with which it is counted. */
  isNested: z.boolean(),
})
export type ProjectItem = z.infer<typeof ProjectItem>

/** What a project has on one storage. `volumeName` of one that was deleted is 'Invalid'. */
export const ProjectShare = z.object({
  volumeId: z.int(),
  volumeName: z.string(),
  type: z.string(),
  isDeleted: z.boolean(),
  ...Counted.shape,
  /** The price that applied on the date; null without a price book. */
  storagePrice: StoragePrice.nullable(),
  statistics: ProjectStatistics,
  projectItems: z.array(ProjectItem),
})
export type ProjectShare = z.infer<typeof ProjectShare>

const Figures = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  allocatedSize: z.number(),
  /** Of all folders; what lies in two of them is counted once. */
  sizeOfFiles: z.number(),
  numberOfFiles: z.number(),
  numberOfFolders: z.number(),
  lastAccessDate: moment,
  lastModifiedDate: moment,
  /** The date that answers; null while nothing is indexed. */
  indexingDate: z.string().nullable(),
  /** Folders of the date are still being counted: figures are of those that are. */
  loadingReport: z.boolean(),
})

/** What a project costs a year on a date, in each currency. */
const Costs = z.array(z.object({ currencySymbol: z.string(), perYear: z.number() }))
export type Costs = z.infer<typeof Costs>

export const ListedProject = Figures.extend({ costs: Costs })
export type ListedProject = z.infer<typeof ListedProject>
export const Project = Figures.extend({ projectShares: z.array(ProjectShare) })
export type Project = z.infer<typeof Project>

const HistoryShare = z.object({ volumeId: z.int(), volumeName: z.string(), sizeOfFiles: z.number() })

/** A project on one date. */
export const ProjectAtDate = z.object({
  indexingDate: z.string(),
  sizeOfFiles: z.number(),
  projectShares: z.array(HistoryShare),
})
export type ProjectAtDate = z.infer<typeof ProjectAtDate>

/** A change of the folders that a project tracks; the first is its making. UTC. */
export const FoldersChanged = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
})
export type FoldersChanged = z.infer<typeof FoldersChanged>

/**
 * When a project reaches its allocated size if it goes on as on the last 90 days up to a date: days from that date on, 0 where it
 * is reached already. `earliest` and `latest` are what 95 of 100 such lines say; null is never, as of what does not grow.
 * `bytesPerDay` may be less than 0. All are null where fewer than 3 dates are counted.
 */
export const Forecast = z.object({
  indexingDate: z.string().nullable(),
  days: z.number().nullable(),
  earliest: z.number().nullable(),
  latest: z.number().nullable(),
  bytesPerDay: z.number().nullable(),
})
export type Forecast = z.infer<typeof Forecast>

/** A part of a name or a description. */
const Filter = z
  .string()
  .max(1_000)
  .refine((text) => !text.includes('\0'), 'must not hold a NUL character')
  .default('')

const needs = 'snapshots.see'
const edit = 'projects.edit'

export const projects = {
  list: endpoint({
    method: 'GET',
    path: '/v1/projects',
    needs,
    failure: 'Error while fetching the list of projects',
    query: z.intersection(z.intersection(AtDate, z.object({ filter: Filter })), PageQuery),
    answer: pageOf(ListedProject),
  }),
  find: endpoint({
    method: 'GET',
    path: '/v1/projects/:id',
    needs,
    failure: 'Error while fetching the project',
    params: Id,
    query: AtDate,
    answer: Project,
  }),
  create: endpoint({
    method: 'POST',
    path: '/projects',
    needs: edit,
    failure: 'Unable to create project',
    query: AtDate,
    body: ProjectDraft,
    answer: Id,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/projects',
    needs: edit,
    failure: 'Unable to update project',
    query: AtDate,
    body: ProjectDraft.extend({ id: IdNumber }),
    answer: Id,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/projects/:id',
    needs: edit,
    failure: 'Unable to delete project',
    params: Id,
    query: AtDate,
  }),
  /**
   * The newest dates up to one, newest first, `size` of them; or those of some days. Dates that are still being counted are left out.
   */
  history: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/history',
    needs,
    failure: 'Error while getting projectEntity',
    params: Id,
    query: AtDate.extend({ size: writtenInt(1, 1_000).default(1_000), from: Day.optional(), to: Day.optional() }),
    answer: z.array(ProjectAtDate),
  }),
  /** When folders were added and removed, oldest first. */
  changes: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/changes',
    needs,
    failure: 'Error while getting projectEntity',
    params: Id,
    answer: z.array(FoldersChanged),
  }),
  forecast: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/forecast',
    needs,
    failure: 'Error while getting projectEntity',
    params: Id,
    query: AtDate,
    answer: Forecast,
  }),
  report: endpoint({
    method: 'GET',
    path: '/v1/projects/:id/reports',
    needs,
    failure: 'Unable to download the report',
    params: Id,
    query: AtDate.extend({ type: z.enum(['OVERVIEW', 'FOLDERLIST']).default('OVERVIEW') }),
    download: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  }),
}

/** By how much a project grew in some days, less than 0 where it shrank. Bytes. */
export const ActiveProject = z.object({
  id: z.int(),
  name: z.string(),
  sizeOfFiles: z.number(),
  previousSize: z.number(),
  variation: z.number(),
})
export type ActiveProject = z.infer<typeof ActiveProject>

/**
 * The projects whose size changed most, those that changed most first; others, and those that are still being counted, are left
 * out. Declared before `find`: its path is one of that form.
 */
export const mostActiveProjects = endpoint({
  method: 'GET',
  path: '/v1/projects/mostActiveProjects',
  needs,
  failure: 'Error while getting the most active projects',
  query: AtDate.extend({
    size: writtenInt(1, 100).default(10),
    type: z.literal('days').default('days'),
    duration: writtenInt(1, 3_650).default(30),
  }),
  answer: z.array(ActiveProject),
})
