import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { BucketFields } from './buckets.ts'
import { FailedField } from './sourceField.ts'

const { type, awsCredentialsId, region, namespace, name, path, ...checkedFields } = BucketFields.shape
const { prefix, inventory, requesterPays, teamSpace } = checkedFields

/** A bucket that is not saved yet. Without a name and a path, only the sign-in is checked. */
export const BucketOfSource = z.object({
  type,
  awsCredentialsId,
  region,
  namespace,
  name,
  path,
  prefix,
  inventory,
  requesterPays,
  teamSpace,
})
export type BucketOfSource = z.infer<typeof BucketOfSource>

/** `reason` is null if it can be scanned. `field` is the input that is wrong; null if unknown. */
export const BucketCheck = z.object({ reason: z.string().nullable(), field: FailedField })
export type BucketCheck = z.infer<typeof BucketCheck>

/** Has the agent that scans buckets sign in at a provider, or list a bucket. Nothing is changed. */
export const bucketCheck = endpoint({
  method: 'POST',
  path: '/v1/buckets/check',
  needs: 'settings.edit',
  failure: 'Unable to test the connection',
  body: BucketOfSource,
  answer: BucketCheck,
})
