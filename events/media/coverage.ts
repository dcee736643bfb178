import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'

/** Failed files that a coverage names at most. */
export const maxMediaFailures = 100

/**
 * Media files of the newest snapshot by their extensions: all, those that were read, and those that can't be parsed, with the first of them by path.
 * The others are still to be read, are not on disk, or are in a storage whose media files aren't read.
 */
export const MediaCoverage = z.object({
  files: z.number(),
  read: z.number(),
  failed: z.number(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })),
})
export type MediaCoverage = z.infer<typeof MediaCoverage>

/** Coverage of one storage, or of all that the caller sees. */
export const mediaCoverage = endpoint({
  method: 'GET',
  path: '/v1/media/coverage',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to count the media files',
  query: z.object({ volumeId: z.coerce.number().int().min(1).optional() }),
  answer: MediaCoverage,
})
