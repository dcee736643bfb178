import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { writtenInt } from '#events/contract/numbers.ts'
import { Storages } from '#events/contract/storages.ts'

/** A folder in which files grow, not counting those in its subfolders. Bytes a minute over the requested minutes; the path is relative to the storage. */
export const GrowingNow = z.object({
  volumeId: z.int(),
  volumeName: z.string(),
  path: z.string(),
  /** The owner of most of the new bytes; '' if unknown. */
  owner: z.string(),
  bytesPerMinute: z.number(),
  filesPerMinute: z.number(),
})
export type GrowingNow = z.infer<typeof GrowingNow>

/** Folders of live storages that grow now, largest first. */
export const growingNow = endpoint({
  method: 'GET',
  path: '/v1/live/growing',
  needs: 'snapshots.see',
  limitedBy: 'entries',
  failure: 'Unable to fetch what grows now',
  query: z.intersection(
    Storages,
    z.object({ minutes: writtenInt(1, 60).default(5), size: writtenInt(1, 100).default(10) }),
  ),
  answer: z.object({
    folders: z.array(GrowingNow),
    /** Milliseconds UTC of the newest change that is counted; null if no storage is live. */
    asOf: z.number().nullable(),
  }),
})
