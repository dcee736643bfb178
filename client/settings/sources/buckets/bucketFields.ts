import { type Bucket, BucketDraft, type BucketType, bucketTypes, factsOf } from '#events/sources/buckets.ts'
import { sources } from '#events/sources/kinds.ts'
import { speaksS3 } from '#events/sources/regions.ts'
import { type Labels, checkedBy } from '#client/app/form.ts'

export const typeLabel = (type: BucketType): string => sources.bucket.types[type]

/** The providers to choose from, including the current one. */
export const typesToChoose = (hasDropbox: boolean, chosen?: BucketType): BucketType[] =>
  (Object.keys(bucketTypes) as BucketType[]).filter((type) => type !== 'DROPBOX' || hasDropbox || type === chosen)

/** The fields of the forms of a bucket. Ids are text, and '' if nothing is selected. */
export type BucketFields = {
  type: BucketType
  credentials: string
  region: string
  namespace: string
  name: string
  path: string
  description: string
  priceBook: string
  /** '' means no limit. */
  requestsPerSecond: string | number
  countsVersions: boolean
  inventory: string
}

export const newBucket: BucketFields = {
  type: 'S3',
  credentials: '',
  region: '',
  namespace: '',
  name: '',
  path: '',
  description: '',
  priceBook: '',
  requestsPerSecond: '',
  countsVersions: false,
  inventory: '',
}

export const fieldsOf = ({
  type,
  awsCredentialsId,
  region,
  namespace,
  name,
  path,
  ...bucket
}: Bucket): BucketFields => ({
  type,
  credentials: String(awsCredentialsId),
  region,
  namespace,
  name: namespace === '' ? name : name.slice(namespace.length + 1),
  path,
  description: bucket.description,
  priceBook: String(bucket.storagePrice?.id ?? ''),
  requestsPerSecond: bucket.requestsPerSecond ?? '',
  countsVersions: bucket.countsVersions,
  inventory: bucket.inventory,
})

/** The draft to send. Fields that the provider does not use are empty. */
export function draftOf({
  type,
  credentials,
  region,
  namespace,
  name,
  path,
  description,
  priceBook,
  ...options
}: BucketFields) {
  const { hasRegion, hasNamespace, hasPath } = factsOf(type)
  const { requestsPerSecond, countsVersions, inventory } = speaksS3(type) ? options : newBucket
  return {
    type,
    name: hasNamespace && name.trim() !== '' && namespace.trim() !== '' ? `${namespace.trim()}.${name.trim()}` : name,
    description,
    region: hasRegion ? region : '',
    namespace: hasNamespace ? namespace : '',
    path: hasPath ? path : '',
    awsCredentialsId: Number(credentials),
    storagePrice: { id: Number(priceBook) },
    requestsPerSecond: requestsPerSecond === '' ? null : Number(requestsPerSecond),
    countsVersions,
    inventory,
  }
}

export const labels: Labels = {
  description: 'DataIntell Name',
  name: 'Bucket Name',
  awsCredentialsId: 'Credentials',
  inventory: 'S3 Inventory',
}

/** The field of a form that shows the message for a field of the call. */
export const shownAt = (field: string): string =>
  field === 'awsCredentialsId' ? 'credentials' : field.startsWith('storagePrice') ? 'priceBook' : field

/** Error messages by field. */
export function bucketErrors(fields: BucketFields): Record<string, string> {
  const errors = Object.entries(checkedBy(BucketDraft, labels)(draftOf(fields)))
  return {
    ...Object.fromEntries(errors.map(([field, message]) => [shownAt(field), message])),
    ...(fields.priceBook === '' && { priceBook: "Price Book can't be empty" }),
  }
}
