import { z } from 'zod'
import { AtTime, endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { Criteria } from '#events/search/criteria.ts'
import { SearchFilters } from '#events/search/filters.ts'

/**
 * Totals of the media files of a search. `files` are those with an extension of video, images or audio, `read` those that were
 * read without a failure; `duration` is their sum in seconds.
 */
export const MediaTotals = z.object({ files: z.int(), read: z.int(), duration: z.number() })
export type MediaTotals = z.infer<typeof MediaTotals>

export const searchMedia = endpoint({
  method: 'GET',
  path: '/files/search/media',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the media of the search',
  query: z.intersection(SearchFilters, AtTime),
  answer: MediaTotals,
})

export const searchEntriesMedia = endpoint({
  method: 'POST',
  path: '/v1/search/media',
  isReading: true,
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the media of the search',
  query: AtTime,
  body: Criteria,
  answer: MediaTotals,
})

/** Tracks and chapters of a file, as `MediaDetails`. `failure` says why its content could not be read; null if it wasn't tried yet. */
export const mediaOfFile = endpoint({
  method: 'GET',
  path: '/v1/media/files/:volumeId/:fileId',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to get the tracks of the file',
  params: z.object({
    volumeId: writtenInt(1, 2 ** 31 - 1),
    fileId: z.string().regex(/^[0-9a-fA-F]{1,16}$/, 'must be a hexadecimal number'),
  }),
  query: AtTime,
  answer: z.object({
    failure: z.string().nullable(),
    tracks: z.array(
      z.object({ kind: z.enum(['video', 'audio', 'text', 'other']), facts: z.record(z.string(), z.string()) }),
    ),
    chapters: z.array(z.object({ start: z.number(), title: z.string() })),
  }),
})
