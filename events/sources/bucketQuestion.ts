import { z } from 'zod'
import { externalText } from '#events/contract/externalText.ts'
import { endpoint } from '#events/contract/endpoint.ts'
import { BucketCredentialDraft, BucketFields, ObjectStore } from './buckets.ts'
import { ConnectionCheck, FailedField } from './sourceField.ts'

/** A question of the server to an agent: whether a store can be listed, or the names of the buckets that its keys may list. */
export const BucketQuestion = z.object({ type: z.enum(['access', 'names']), store: ObjectStore })
export type BucketQuestion = z.infer<typeof BucketQuestion>

/** Maximum length of the list. */
export const maxBuckets = 100_000

/**
 * `reason` says why it can't be listed, and `field` which input is wrong; `names` are those of the buckets, in order; `hasMore` if
 * they don't fit into an answer, so that the last ones are missing.
 * `isDenied`: the store knows the credentials, and they have no right to this request.
 */
export const BucketAnswer = z.object({
  reason: externalText(4_096).nullable(),
  field: FailedField,
  isDenied: z.boolean().default(false),
  names: z.array(externalText(4_096)).max(maxBuckets),
  hasMore: z.boolean().optional(),
})
export type BucketAnswer = z.infer<typeof BucketAnswer>

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

/** Has the agent that scans buckets sign in at a provider, or list a bucket. Nothing is changed. */
export const bucketCheck = endpoint({
  method: 'POST',
  path: '/v1/buckets/check',
  needs: 'settings.edit',
  failure: 'Unable to test the connection',
  body: BucketOfSource,
  answer: ConnectionCheck,
})

/** Credentials that are not saved yet. Secrets that are null are those of the stored credentials `id`. */
export const BucketCredentialOfSource = z.object({ id: z.int().nullable(), draft: BucketCredentialDraft })
export type BucketCredentialOfSource = z.infer<typeof BucketCredentialOfSource>

/**
 * Has the agent that scans buckets sign in with credentials. Nothing is changed. Providers that need the region of a bucket for that
 * are not tried, nor is Dropbox, whose codes are valid once.
 */
export const bucketCredentialCheck = endpoint({
  method: 'POST',
  path: '/v1/bucket-credentials/check',
  needs: 'settings.edit',
  failure: 'Unable to test the connection',
  body: BucketCredentialOfSource,
  answer: ConnectionCheck,
})
