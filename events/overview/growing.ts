import { z } from 'zod'
import { AtDate, endpoint } from '#events/contract/endpoint.ts'
import { PreviousDate, Storages } from '#events/contract/storages.ts'

/** A folder that grew, with everything below it. Bytes; the path is relative to the storage. */
export const GrowingFolder = z.object({
  volumeId: z.int(),
  volumeName: z.string(),
  path: z.string(),
  growth: z.number(),
  size: z.number(),
})
export type GrowingFolder = z.infer<typeof GrowingFolder>

/**
 * The folders that grew most since a date, up to ten, largest growth first, as deep as one of them explains the growth. None
 * is in another one. Only storages that both dates show.
 */
export const growingFolders = endpoint({
  method: 'GET',
  path: '/v1/comparisons/:previousDate/growing',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to fetch the growing folders',
  params: PreviousDate,
  query: z.intersection(AtDate, Storages),
  answer: z.object({
    folders: z.array(GrowingFolder),
    /** The compared days; null if nothing was indexed by then. */
    indexingDate: z.string().nullable(),
    previousIndexingDate: z.string().nullable(),
  }),
})
