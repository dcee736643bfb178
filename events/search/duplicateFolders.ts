import { z } from 'zod'
import { AsOf, AtTime, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { BilledSize } from '#events/contract/sizeBasis.ts'
import { SearchFilters } from './filters.ts'

/** Maximum number of folders that are named of a group. */
export const maxNamedFolders = 10

/**
 * Folders that contain the same files, in the same subfolders or directly. A single folder contains copies of its own files.
 * `folderCount` is the number of all folders with these files, of which at most 10 are in `folders`. `files` is the number of
 * different files, `size` the bytes of one copy of each. Further copies have the `reclaimable` bytes, and costs are for
 * `billedReclaimable`, where they differ. Hard links are counted once.
 */
export const DuplicateFolders = z.object({
  folders: z.array(z.object({ volumeId: z.int(), volumeName: z.string(), path: z.string(), fullPath: z.string() })),
  folderCount: z.int(),
  files: z.number(),
  size: z.number(),
  reclaimable: z.number(),
  billedReclaimable: BilledSize,
})
export type DuplicateFolders = z.infer<typeof DuplicateFolders>

/**
 * Folders that contain duplicates among the matching files, the largest reclaimable bytes first. The sum of `reclaimable` of all
 * groups is that of the search. `isPartial` is true if the smallest combinations of folders were left out.
 */
export const searchDuplicateFolders = endpoint({
  method: 'GET',
  path: '/files/search/duplicateFolders',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the duplicates by folder',
  query: z.intersection(z.intersection(SearchFilters, z.object({ size: writtenInt(1, 1000).default(50) })), AtTime),
  answer: AsOf.extend({ elements: z.array(DuplicateFolders), reclaimable: z.number(), isPartial: z.boolean() }),
})
