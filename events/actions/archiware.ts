import { z } from 'zod'
import { AtDate, endpoint, Flag, IdNumber } from '#events/contract/endpoint.ts'
import { SearchFilters } from '#events/search/filters.ts'
import { actionRights } from './plans.ts'

const Started = z.object({ jobId: z.int() })
const archiveFailure = 'Something went wrong while trying to start the archive job. Please try again.'
const text = z.string().max(4_096)

const Plan = z.object({ planId: z.string().max(255) })
const Target = z.object({ clientId: z.string().max(255), credentialsId: IdNumber })
const ArchiveTarget = Target.extend({ serverId: IdNumber })
const Results = z.intersection(z.intersection(SearchFilters, AtDate), z.object({ isDirectory: Flag }))

/** Maximum number of paths of one request; the results of a search have no limit. */
export const maxPaths = 10_000
export const Paths = z.array(text).min(1, 'must name a path').max(maxPaths)
/** Ignored: the search names the files. */
const noPaths = z.array(text).max(0).nullable().default(null)

const archived = {
  meta: z.array(z.unknown()).max(100).default([]),
  indexroot: text.default(''),
  deltaScanAfter: z.boolean().default(false),
}

/** Archives files and folders with a plan of P5, or all results of a search. `dataIntellPaths` are full paths. */
export const archiveFiles = endpoint({
  ...actionRights.ARCHIVE_ARCHIWARE_FILES,
  method: 'POST',
  path: '/v1/archiwares/plans/:planId/archiveselections',
  failure: archiveFailure,
  params: Plan,
  query: ArchiveTarget,
  body: z.object({ ...archived, dataIntellPaths: Paths }),
  answer: Started,
})
export const archiveResults = endpoint({
  ...actionRights.ARCHIVE_ARCHIWARE_SEARCH_RESULT,
  method: 'POST',
  path: '/v1/archiwares/plans/:planId/archiveselections/search',
  failure: archiveFailure,
  params: Plan,
  query: z.intersection(Results, ArchiveTarget),
  body: z.object({ ...archived, dataIntellPaths: noPaths }),
  answer: Started,
})

const relocated = { relocate: text.nullable().default(null) }

/** Restores entries of archive indexes to a client of P5; `relocate` is a folder there, null for the original places. */
export const restoreFiles = endpoint({
  ...actionRights.RESTORE_ARCHIWARE_FILES,
  method: 'POST',
  path: '/v1/archiwares/restoreselections',
  failure: archiveFailure,
  query: Target,
  body: z.object({ ...relocated, dataIntellPaths: Paths }),
  answer: Started,
})
export const restoreResults = endpoint({
  ...actionRights.RESTORE_ARCHIWARE_SEARCH_RESULT,
  method: 'POST',
  path: '/v1/archiwares/restoreselections/search',
  failure: archiveFailure,
  query: z.intersection(Results, Target),
  body: z.object({ ...relocated, dataIntellPaths: noPaths }),
  answer: Started,
})
