import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { Entry } from '#events/entries.ts'
import { actionRights, NoPaths, Paths, SearchResults, Started } from './plans.ts'
import { Relocate } from './targets.ts'

const common = {
  method: 'POST',
  failure: 'Something went wrong while trying to start the Storage Manager job. Please try again.',
  answer: Started,
} as const

/** Stores files and folders on tape, or all results of a search, with Quantum StorNext. `dataIntellPaths` are full paths. */
export const storeFiles = endpoint({
  ...common,
  ...actionRights.ARCHIVE_STORAGE_MANAGER_FILES,
  path: '/v1/storageManager/archiveselections',
  hasLargeBody: true,
  body: z.object({ dataIntellPaths: Paths }),
})
export const storeResults = endpoint({
  ...common,
  ...actionRights.ARCHIVE_STORAGE_MANAGER_SEARCH_RESULT,
  path: '/v1/storageManager/archiveselections/search',
  query: SearchResults,
})

/** Retrieves files from tape; `relocate` is a folder as the agent sees it, null for the original places. */
export const retrieveFiles = endpoint({
  ...common,
  ...actionRights.RESTORE_STORAGE_MANAGER_FILES,
  path: '/v1/storageManager/restoreselections',
  hasLargeBody: true,
  body: z.object({ relocate: Relocate, dataIntellPaths: Paths }),
})
export const retrieveResults = endpoint({
  ...common,
  ...actionRights.RESTORE_STORAGE_MANAGER_SEARCH_RESULT,
  path: '/v1/storageManager/restoreselections/search',
  query: SearchResults,
  body: z.object({ relocate: Relocate, dataIntellPaths: NoPaths }),
})

/**
 * A file or folder by its ID. For a file on a storage that is mapped to Quantum StorNext, the metadata include what the Storage Manager knows
 * about it: where it is, its policy class, copies, media and checksums. 502 if it can't say, 503 if the agent doesn't answer.
 */
export const storageManagerFile = endpoint({
  method: 'GET',
  path: '/v1/storageManager/files/:fileId',
  needs: 'snapshots.see',
  bundle: 'storageManager',
  failure: 'Unable to get the file',
  params: z.object({ fileId: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number') }),
  query: AtDate,
  answer: Entry,
})
