import { z } from 'zod'
import { ObjectStore } from './buckets.ts'

/** A question of the server to an agent: whether a store can be listed, or the names of the buckets that its keys may list. */
export const BucketQuestion = z.object({ type: z.enum(['access', 'names']), store: ObjectStore })
export type BucketQuestion = z.infer<typeof BucketQuestion>

/** `reason` says why it can't be listed; `names` are those of the buckets, in order. */
export const BucketAnswer = z.object({ reason: z.string().nullable(), names: z.array(z.string()) })
export type BucketAnswer = z.infer<typeof BucketAnswer>
