import { z } from 'zod'
import type { Bundle, Needs } from '#events/contract/needs.ts'
import type { EntrySummary } from '#events/entries.ts'
import { type SearchSelection, SelectedByCriteria, SelectedByFilters } from '#events/selections.ts'
import { Relocate } from './targets.ts'

type Entries = readonly EntrySummary[]

/** Listed files and folders as their full paths. */
const byPath = {
  fields: { dataIntellPaths: z.array(z.string()) },
  of: (entries: Entries) => ({ dataIntellPaths: entries.map(({ fullPath }) => fullPath) }),
}

const place = { name: z.string(), path: z.string(), storageId: z.string() }
const Source = z.strictObject({ ...place, isDirectory: z.boolean() })
export type Source = z.infer<typeof Source>

/** Listed files and folders with their storage, and their full path or the path there. */
const bySource = {
  fields: { sources: z.array(Source) },
  of: (entries: Entries) => ({
    sources: entries.map(({ name, fullPath: path, volumeId, isDirectory }): Source => {
      return { name, path, storageId: String(volumeId), isDirectory }
    }),
  }),
}

type Listing = typeof byPath | typeof bySource
type Row = {
  /** Types of its jobs, which the log and the specification's calls name: for listed entries, and for all results of a search. */
  jobTypes: { files: string; search: string }
  labels: Record<'files' | 'search', string>
  /** Permission to start it. */
  needs: Needs
  bundle?: Bundle
  /** Fields of the payload of its jobs, in addition to the selection. */
  options: z.ZodObject
  listing: Listing
}
const action = <const R extends Row>(row: R): R => row

/** `ofJob`: the job that moved the files to quarantine. Without listed paths, all that are there. */
const ofQuarantine = z.strictObject({ ofJob: z.int() })

/** The actions on selected files, in the order of their job types. Names of jobs, payloads and labels in the log never change. */
export const actions = {
  archive: action({
    jobTypes: { files: 'ARCHIVE_ARCHIWARE_FILES', search: 'ARCHIVE_ARCHIWARE_SEARCH_RESULT' },
    labels: { files: 'Archive Archiware files', search: 'Archive Archiware search results' },
    needs: 'archiware.archive',
    bundle: 'archiwareP5',
    options: z.strictObject({
      planId: z.string(),
      clientId: z.string(),
      serverId: z.int(),
      credentialsId: z.int(),
      meta: z.array(z.unknown()),
      indexroot: z.string(),
      deltaScanAfter: z.boolean(),
    }),
    listing: byPath,
  }),
  restore: action({
    jobTypes: { files: 'RESTORE_ARCHIWARE_FILES', search: 'RESTORE_ARCHIWARE_SEARCH_RESULT' },
    labels: { files: 'Restore Archiware files', search: 'Restore Archiware search results' },
    needs: 'archiware.restore',
    bundle: 'archiwareP5',
    options: z.strictObject({ clientId: z.string(), credentialsId: z.int(), relocate: Relocate }),
    listing: byPath,
  }),
  transfer: action({
    jobTypes: { files: 'SODA_TRANSFER', search: 'SODA_TRANSFER_SEARCH_RESULT' },
    labels: { files: 'Data transfer', search: 'Data transfer from search results' },
    needs: 'soda.use',
    bundle: 'soda',
    options: z.strictObject({
      name: z.string(),
      transferType: z.enum(['COPY', 'MOVE']),
      conflictHandling: z.enum(['OVERWRITE', 'RENAME', 'SKIP']),
      target: z.strictObject({ ...place, isDirectory: z.literal(true) }),
    }),
    listing: bySource,
  }),
  store: action({
    jobTypes: { files: 'ARCHIVE_STORAGE_MANAGER_FILES', search: 'ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT' },
    labels: { files: 'Archive Storage Manager files', search: 'Archive Storage Manager search results' },
    needs: 'storNext.archive',
    bundle: 'storageManager',
    options: z.strictObject({}),
    listing: byPath,
  }),
  retrieve: action({
    jobTypes: { files: 'RESTORE_STORAGE_MANAGER_FILES', search: 'RESTORE_STORAGE_MANAGER_SEARCH_RESULT' },
    labels: { files: 'Restore Storage Manager files', search: 'Restore Storage Manager search results' },
    needs: 'storNext.restore',
    bundle: 'storageManager',
    options: z.strictObject({ relocate: Relocate }),
    listing: byPath,
  }),
  upload: action({
    jobTypes: { files: 'ICONIK_UPLOAD', search: 'ICONIK_UPLOAD_SEARCH_RESULT' },
    labels: { files: 'Iconik upload', search: 'Iconik upload from search results' },
    needs: 'iconik.use',
    bundle: 'iconik',
    options: z.strictObject({ collectionId: z.string().nullable(), storageId: z.string(), storageType: z.string() }),
    listing: byPath,
  }),
  compare: action({
    jobTypes: { files: 'COMPARE_FILES', search: 'COMPARE_SEARCH_RESULT' },
    labels: { files: 'Compare contents', search: 'Compare contents of search results' },
    needs: 'contents.compare',
    /** `includesOffline`: also compares files that are not on disk, which recalls them. */
    options: z.strictObject({ includesOffline: z.boolean().optional() }),
    listing: byPath,
  }),
  readMedia: action({
    jobTypes: { files: 'READ_MEDIA_FILES', search: 'READ_MEDIA_SEARCH_RESULT' },
    labels: { files: 'Read selected media files', search: 'Read media files' },
    needs: 'contents.compare',
    options: z.strictObject({}),
    listing: byPath,
  }),
  quarantine: action({
    jobTypes: { files: 'QUARANTINE_FILES', search: 'QUARANTINE_SEARCH_RESULT' },
    labels: { files: 'Move files to quarantine', search: 'Move search results to quarantine' },
    needs: 'policies.edit',
    options: z.strictObject({}),
    listing: byPath,
  }),
  putBack: action({
    jobTypes: { files: 'PUT_BACK_FILES', search: 'PUT_BACK_SEARCH_RESULT' },
    labels: { files: 'Put files back from quarantine', search: 'Put search results back from quarantine' },
    needs: 'policies.edit',
    options: ofQuarantine,
    listing: byPath,
  }),
  deleteQuarantined: action({
    jobTypes: { files: 'DELETE_QUARANTINED_FILES', search: 'DELETE_QUARANTINED_SEARCH_RESULT' },
    labels: { files: 'Delete files in quarantine', search: 'Delete search results in quarantine' },
    needs: 'policies.edit',
    options: ofQuarantine,
    listing: byPath,
  }),
}

export type Action = keyof typeof actions
type Of<A extends Action> = (typeof actions)[A]
export type OptionsOf<A extends Action> = z.output<Of<A>['options']>
export type ActionJobType = Of<Action>['jobTypes']['files' | 'search']

/** Entries to act on as jobs name them: listed ones, or all results of a search. */
export type ActionSelection<A extends Action = Action> = ReturnType<Of<A>['listing']['of']> | SearchSelection

const rows: Record<Action, Row> = actions
const names = Object.keys(actions) as Action[]

export const jobTypesOf = (action: Action): ActionJobType[] => Object.values(actions[action].jobTypes)
export const actionJobTypes = names.flatMap(jobTypesOf) as [ActionJobType, ...ActionJobType[]]

const actionByType = new Map<string, Action>(names.flatMap((name) => jobTypesOf(name).map((type) => [type, name])))

/** Returns the action of jobs of a type; undefined for jobs that are no actions. */
export function actionOfType(jobType: ActionJobType): Action
export function actionOfType(jobType: string): Action | undefined
export function actionOfType(jobType: string): Action | undefined {
  return actionByType.get(jobType)
}

/** Permission of an action and its bundle, if it needs one. */
export function rightsOf(action: Action): Pick<Row, 'needs' | 'bundle'> {
  const { needs, bundle } = rows[action]
  return { needs, ...(bundle && { bundle }) }
}

/** True for actions that only policies plan and start, and whose next run takes the files that are left. */
export const isOfPolicies = (action: Action): boolean => rows[action].needs === 'policies.edit'

/** Makes a record of all job types from the values of each action. */
const byJobType = <V>(valuesOf: (row: Row) => { files: V; search: V }): Record<string, V> =>
  Object.fromEntries(
    Object.values(rows).flatMap((row) => {
      const { files, search } = valuesOf(row)
      return [
        [row.jobTypes.files, files],
        [row.jobTypes.search, search],
      ]
    }),
  )

/** Labels of the job types. */
export const actionJobLabels = byJobType(({ labels }) => labels) as Record<ActionJobType, string>

/** A payload with these fields for all results of a search, given as filters or as criteria. */
export const forResults = <F extends z.ZodRawShape>(fields: F) =>
  z.union([SelectedByFilters.extend(fields), SelectedByCriteria.extend(fields)])

const forListed = <F extends z.ZodRawShape, L extends z.ZodRawShape>(fields: F, listed: L) =>
  z.strictObject({ ...fields, ...listed })

type Shape<A extends Action> = Of<A>['options']['shape']
type ActionPayloads = {
  [A in Action as Of<A>['jobTypes']['files']]: ReturnType<typeof forListed<Shape<A>, Of<A>['listing']['fields']>>
} & { [A in Action as Of<A>['jobTypes']['search']]: ReturnType<typeof forResults<Shape<A>>> }

/** Payloads of the job types. */
export const actionPayloads = byJobType<z.ZodType>(({ options, listing }) => ({
  files: forListed(options.shape, listing.fields),
  search: forResults(options.shape),
})) as ActionPayloads

const requestOf = <T extends ActionJobType>(jobType: T) =>
  z.object({ jobType: z.literal(jobType), payload: actionPayloads[jobType] })
type RequestSchema = { [T in ActionJobType]: ReturnType<typeof requestOf<T>> }[ActionJobType]

/** An action on files: the type of its job and its payload, with the paths or the search. */
export const ActionRequest = z.discriminatedUnion(
  'jobType',
  actionJobTypes.map(requestOf) as [RequestSchema, ...RequestSchema[]],
)
export type ActionRequest = z.infer<typeof ActionRequest>

/** The job of an action on a selection. */
export const jobOf = <A extends Action>(action: A, options: OptionsOf<A>, selection: ActionSelection<A>) =>
  ({
    jobType: actions[action].jobTypes['isDirectory' in selection ? 'search' : 'files'],
    payload: { ...options, ...selection },
  }) as ActionRequest

/** Splits the fields of a payload into the options of an action and its selection. */
export function splitPayload<A extends Action>(action: A, payload: object) {
  const { shape } = rows[action].options
  const fields = Object.entries(payload)
  return {
    options: Object.fromEntries(fields.filter(([name]) => name in shape)) as OptionsOf<A>,
    selection: Object.fromEntries(fields.filter(([name]) => !(name in shape))) as ActionSelection<A>,
  }
}

/** Returns the options of a job; undefined unless it is this action. */
export const optionsOf = <A extends Action>(
  { type, payload }: { type: string; payload: object },
  action: A,
): OptionsOf<A> | undefined => (actionOfType(type) === action ? splitPayload(action, payload).options : undefined)
