import { z } from 'zod'
import { ObjectStore } from '#events/scans/order.ts'

/**
 * What the server asks an agent: whether a bucket, or a folder of Dropbox, can be listed or, of a store without a bucket and a
 * path, which buckets there are.
 */
export const BucketQuestion = ObjectStore
export type BucketQuestion = z.infer<typeof BucketQuestion>

/** `reason` says why it cannot be listed; `names` are those of the buckets, in order. */
export const BucketAnswer = z.object({ reason: z.string().nullable(), names: z.array(z.string()) })
export type BucketAnswer = z.infer<typeof BucketAnswer>
