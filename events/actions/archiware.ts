import { z } from 'zod'
import { endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { actionRights, NoPaths, Paths, SearchResults, Started } from './plans.ts'
import { Relocate } from './targets.ts'

const archiveFailure = 'Something went wrong while trying to start the archive job. Please try again.'
const text = z.string().max(4_096)

const Plan = z.object({ planId: z.string().max(255) })
const Target = z.object({ clientId: z.string().max(255), credentialsId: IdNumber })
const ArchiveTarget = Target.extend({ serverId: IdNumber })

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
  hasLargeBody: true,
  body: z.object({ ...archived, dataIntellPaths: Paths }),
  answer: Started,
})
export const archiveResults = endpoint({
  ...actionRights.ARCHIVE_ARCHIWARE_SEARCH_RESULT,
  method: 'POST',
  path: '/v1/archiwares/plans/:planId/archiveselections/search',
  failure: archiveFailure,
  params: Plan,
  query: z.intersection(SearchResults, ArchiveTarget),
  body: z.object({ ...archived, dataIntellPaths: NoPaths }),
  answer: Started,
})

/** Restores entries of archive indexes to a client of P5; `relocate` is a folder there, null for the original places. */
export const restoreFiles = endpoint({
  ...actionRights.RESTORE_ARCHIWARE_FILES,
  method: 'POST',
  path: '/v1/archiwares/restoreselections',
  failure: archiveFailure,
  query: Target,
  hasLargeBody: true,
  body: z.object({ relocate: Relocate, dataIntellPaths: Paths }),
  answer: Started,
})
export const restoreResults = endpoint({
  ...actionRights.RESTORE_ARCHIWARE_SEARCH_RESULT,
  method: 'POST',
  path: '/v1/archiwares/restoreselections/search',
  failure: archiveFailure,
  query: z.intersection(SearchResults, Target),
  body: z.object({ relocate: Relocate, dataIntellPaths: NoPaths }),
  answer: Started,
})
