import { type Bucket, BucketDraft, type BucketType, bucketTypes, factsOf } from '#events/sources/buckets.ts'
import { sources } from '#events/sources/kinds.ts'
import { hasVersions, speaksS3 } from '#events/sources/regions.ts'
import { paceOfRequests, type PaceFields } from '../pace/paceForm.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { storagePriceOf } from '#client/settings/price-books/noCosts.ts'

export const typeLabel = (type: BucketType): string => sources.bucket.types[type]

/** Words for what counts as an old version at a provider. */
export const oldVersions = (type: BucketType): string =>
  type === 'AZURE' ? 'versions, snapshots and soft-deleted blobs' : 'old versions and unfinished uploads'

/** The providers to choose from, including the current one. */
export const typesToChoose = (hasDropbox: boolean, chosen?: BucketType): BucketType[] =>
  (Object.keys(bucketTypes) as BucketType[]).filter((type) => type !== 'DROPBOX' || hasDropbox || type === chosen)

/** The fields of the forms of a bucket. Ids are text, and '' if nothing is selected. */
export type BucketFields = PaceFields & {
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
  prefix: string
  requesterPays: boolean
  teamSpace: boolean
}

/** Form of a bucket. */
export const bucketForm = defineForm({
  schema: BucketDraft,
  fields: {
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
    prefix: '',
    requesterPays: false,
    teamSpace: false,
    ...paceOfRequests.fields,
  } as BucketFields,
  fromRow: ({ type, region, namespace, name, path, description, ...bucket }: Bucket) => ({
    type,
    credentials: String(bucket.awsCredentialsId),
    region,
    namespace,
    name: namespace === '' ? name : name.slice(namespace.length + 1),
    path,
    description,
    priceBook: String(bucket.storagePrice?.id ?? ''),
    requestsPerSecond: bucket.requestsPerSecond ?? '',
    countsVersions: bucket.countsVersions,
    inventory: bucket.inventory,
    prefix: bucket.prefix,
    requesterPays: bucket.requesterPays,
    teamSpace: bucket.teamSpace,
    ...paceOfRequests.fromRow(bucket.pace),
  }),
  toDraft,
  inputFor: { awsCredentialsId: 'credentials', storagePrice: 'priceBook', ...paceOfRequests.inputFor },
  labels: {
    description: 'DataIntell Name',
    name: 'Bucket Name',
    awsCredentialsId: 'Credentials',
    inventory: 'S3 Inventory',
    ...paceOfRequests.labels,
  },
  check: paceOfRequests.check,
})

const noOptions = { requestsPerSecond: '', inventory: '', requesterPays: false }

/** The draft to send. Fields that the provider does not use are empty. */
function toDraft({ type, region, namespace, name, path, description, ...fields }: BucketFields): BucketDraft {
  const { hasRegion, hasNamespace, hasPath } = factsOf(type)
  const { requestsPerSecond, inventory, requesterPays } = speaksS3(type) ? fields : noOptions
  return {
    type,
    name: hasNamespace && name.trim() !== '' && namespace.trim() !== '' ? `${namespace.trim()}.${name.trim()}` : name,
    description,
    region: hasRegion ? region : '',
    namespace: hasNamespace ? namespace : '',
    path: hasPath ? path : '',
    awsCredentialsId: Number(fields.credentials),
    storagePrice: storagePriceOf(fields.priceBook),
    requestsPerSecond: requestsPerSecond === '' ? null : Number(requestsPerSecond),
    countsVersions: hasVersions(type) && fields.countsVersions,
    inventory,
    prefix: hasPath ? '' : fields.prefix,
    requesterPays,
    teamSpace: hasPath === true && fields.teamSpace,
    pace: paceOfRequests.toDraft(fields),
  }
}
