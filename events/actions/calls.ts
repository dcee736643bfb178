import { z } from 'zod'
import { AtDate, type Endpoint, endpoint, Flag, IdNumber } from '#events/contract/endpoint.ts'
import { bundles } from '#events/contract/needs.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { type Action, actions, type ActionSelection, jobOf, rightsOf, splitPayload } from './actions.ts'
import { maxPaths, NoPaths, Paths, Started } from './plans.ts'
import { Relocate } from './targets.ts'

/** Bundles whose system is set up, so that actions in it can start. */
export const connectedSystems = endpoint({
  method: 'GET',
  path: '/v1/actions/systems',
  needs: 'snapshots.see',
  limitedBy: { nothing: 'names of connected systems' },
  failure: 'Unable to get the connected systems',
  answer: z.array(z.enum(bundles)),
})

const text = z.string().max(4_096)
const id = z.string().max(255)

/** All results of a search at the snapshot of a day. A search without a limit, such as an empty one, is a 400. */
const SearchResults = z.intersection(z.intersection(SearchFilters, AtDate), z.object({ isDirectory: Flag }))

/** A field of the body with listed files and folders, which is empty in calls for results of a search. */
type Listing = { name: string; listed: z.ZodType; none: z.ZodType }
const fullPaths: Listing = { name: 'dataIntellPaths', listed: Paths, none: NoPaths }
/** A file or folder of ours: the ID of our storage, and the path there or the full path. May be the whole record, whose `fullPath` counts. */
const source = z
  .looseObject({
    name: text,
    path: text,
    fullPath: text.optional(),
    storageId: z.union([id, z.int().transform(String)]),
    isDirectory: z.boolean(),
  })
  .transform(({ name, path, fullPath, storageId, isDirectory }) => {
    return { name, path: fullPath ?? path, storageId, isDirectory }
  })
const sources: Listing = {
  name: 'sources',
  listed: z.array(source).min(1, 'must name a path').max(maxPaths),
  none: z.array(source).max(0).nullable().default(null),
}

type Launch = {
  path: string
  failure: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodRawShape
  listing?: Listing
}

/** A call that plans an action and starts it in one. */
type LaunchCall = Endpoint & {
  answer: typeof Started
  /** Parameters of the query in addition to a search. */
  own: readonly string[]
}

/** The two calls of an action, by the types of their jobs. */
function launchesOf(
  action: Action,
  { path, failure, params, query, body, listing: { name, listed, none } = fullPaths }: Launch,
): Record<string, LaunchCall> {
  const own = Object.keys(query?.shape ?? {})
  const common = {
    ...rightsOf(action),
    method: 'POST',
    failure,
    ...(params && { params }),
    answer: Started,
    own,
  } as const
  const { jobTypes } = actions[action]
  return {
    [jobTypes.files]: {
      ...common,
      path,
      ...(query && { query }),
      hasLargeBody: true,
      body: z.object({ ...body, [name]: listed }),
    },
    [jobTypes.search]: {
      ...common,
      path: `${path}/search`,
      query: query ? z.intersection(SearchResults, query) : SearchResults,
      ...(body && { body: z.object({ ...body, [name]: none }) }),
    },
  }
}

const p5 = { failure: 'Something went wrong while trying to start the archive job. Please try again.' }
const storNext = { failure: 'Something went wrong while trying to start the Storage Manager job. Please try again.' }
const P5Target = z.object({ clientId: id, credentialsId: IdNumber })

/** The specification's calls that start actions, by the types of their jobs. Paths are full paths; `relocate` is a folder, null for the original places. */
export const launchCalls = {
  ...launchesOf('archive', {
    ...p5,
    path: '/v1/archiwares/plans/:planId/archiveselections',
    params: z.object({ planId: id }),
    query: P5Target.extend({ serverId: IdNumber }),
    body: {
      meta: z.array(z.unknown()).max(100).default([]),
      indexroot: text.default(''),
      deltaScanAfter: z.boolean().default(false),
    },
  }),
  ...launchesOf('restore', {
    ...p5,
    path: '/v1/archiwares/restoreselections',
    query: P5Target,
    body: { relocate: Relocate },
  }),
  ...launchesOf('upload', {
    path: '/v1/iconik/jobs',
    failure: 'Something went wrong while trying to start the Iconik job. Please try again.',
    body: { collectionId: id.nullable().default(null), storageId: id.min(1), storageType: id.min(1) },
  }),
  ...launchesOf('store', { ...storNext, path: '/v1/storageManager/archiveselections' }),
  ...launchesOf('retrieve', {
    ...storNext,
    path: '/v1/storageManager/restoreselections',
    body: { relocate: Relocate },
  }),
  ...launchesOf('transfer', {
    path: '/v1/soda/jobs',
    failure: 'Something went wrong while trying to start the data transfer. Please try again.',
    body: {
      /** Alias of the job; without one, the job is named by its number. */
      name: z
        .string()
        .max(255)
        .nullable()
        .default('')
        .transform((name) => name ?? ''),
      transferType: z.enum(['COPY', 'MOVE']),
      conflictHandling: z.enum(['OVERWRITE', 'RENAME', 'SKIP']).default('OVERWRITE'),
      target: z.object({ name: text, path: text, storageId: id, isDirectory: z.literal(true) }),
    },
    listing: sources,
  }),
}

type Fields = Record<string, unknown>
type LaunchInput = Record<'params' | 'query' | 'body', unknown>

/** The action that a call starts, and the day of the snapshot of its search. */
export function launchOf(action: Action, { own }: LaunchCall, { params, query, body }: LaunchInput) {
  const { isDirectory, indexingDate, ...others } = { ...(query as Fields) }
  const ofQuery = (isOwn: boolean) => Object.entries(others).filter(([name]) => own.includes(name) === isOwn)
  const given = { ...(params as Fields), ...Object.fromEntries(ofQuery(true)), ...(body as Fields) }
  const { options, selection } = splitPayload(action, given)
  const isSearch = isDirectory !== undefined
  const found = { isDirectory, filters: Object.fromEntries(ofQuery(false)) } as ActionSelection
  const request = jobOf(action, options, (isSearch ? found : selection) as typeof selection)
  return { request, indexingDate: indexingDate as string | undefined }
}
