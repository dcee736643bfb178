import { z } from 'zod'
import { ObjectStore } from './buckets.ts'
import { FailedField } from './sourceField.ts'

/** A question of the server to an agent: whether a store can be listed, or the names of the buckets that its keys may list. */
export const BucketQuestion = z.object({ type: z.enum(['access', 'names']), store: ObjectStore })
export type BucketQuestion = z.infer<typeof BucketQuestion>

/**
 * `reason` says why it can't be listed, and `field` which input is wrong; `names` are those of the buckets, in order.
 * `isDenied`: the store knows the credentials, and they have no right to this request.
 */
export const BucketAnswer = z.object({
  reason: z.string().nullable(),
  field: FailedField,
  isDenied: z.boolean().default(false),
  names: z.array(z.string()),
})
export type BucketAnswer = z.infer<typeof BucketAnswer>
