import { type Bucket, type BucketDraft, type BucketType, buckets, factsOf } from '#events/sources/buckets.ts'
import { call, CallError } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { paceOfRequests } from '../pace/paceForm.ts'
import { AddSourceWizard, type Review, type SourceWizard } from '../SourceWizard.tsx'
import { accessConnection, signInConnection } from './bucketChecks.ts'
import { bucketCredentialsTable, useBucketCredentials } from './bucketCredentials.tsx'
import { type BucketFields, bucketForm, oldVersions } from './bucketForm.ts'
import { typeLabel } from './TypeSelect.tsx'

/** Sets up a bucket, step by step. */
export const AddBucket = ({ type, onClose }: { type: BucketType; onClose: () => void }) => (
  <AddSourceWizard source={newBucket} known={useBucketCredentials().data} initial={{ type }} onClose={onClose} />
)

const newBucket: SourceWizard<BucketFields, Bucket, BucketDraft> = {
  title: 'Add Object Storage',
  kind: 'bucket',
  form: bucketForm,
  nameOf: ({ description }) => description,
  create: (body) => unlessWarned(async () => (await call(buckets.create, { body })).id),
  credentials: {
    table: bucketCredentialsTable,
    initial: ({ type }) => ({ type }),
  },
  steps: [
    {
      title: 'Configure Cloud Credentials',
      inputs: ['type', 'credentials', 'region', 'namespace'],
      chosen: ({ type }) => typeLabel(type),
      connection: signInConnection,
    },
    {
      title: 'Configure Bucket',
      inputs: [
        'name',
        'path',
        'teamSpace',
        'description',
        'prefix',
        'countsVersions',
        'readMedia',
        'mediaFilesPerSecond',
        'requestsPerSecond',
        'requesterPays',
        'inventory',
        'queue',
        ...paceOfRequests.names,
      ],
      chosen: ({ description }) => description,
      connection: accessConnection,
    },
  ],
  review: (fields, { credentials }) => reviewOf(fields, credentials),
}

/** Saves a bucket. A saved bucket that can't be listed is shown as a warning, and has no result. */
export async function unlessWarned<R>(save: () => Promise<R>): Promise<R | undefined> {
  try {
    return await save()
  } catch (error) {
    const isSaved = error instanceof CallError && /^bucket-(created|updated)$/.test(error.code ?? '')
    if (!isSaved) throw error
    toast({ kind: 'warning', message: error.message })
    return undefined
  }
}

function reviewOf(fields: BucketFields, credentials: string | undefined): Review {
  const { type, name, path, region, namespace, prefix, requestsPerSecond, inventory, queue } = fields
  const isSet = ([, value]: Review[number]) => value !== ''
  const optional: Review = [
    ['Requests per second', String(requestsPerSecond)],
    ['Counted', fields.countsVersions ? oldVersions(type) : ''],
    ['Media files', fields.readMedia ? 'Read after each scan' : ''],
    ['Requester pays', fields.requesterPays ? 'Yes' : ''],
    ['S3 Inventory', inventory],
    ['Queue of notifications', queue],
  ]
  return [
    ['Cloud', typeLabel(type)],
    ['Credentials', credentials],
    ...(
      [
        ['Region', region],
        ['Namespace', namespace],
      ] satisfies Review
    ).filter(isSet),
    factsOf(type).hasPath ? ['Path', path] : ['Bucket Name', name],
    ...(
      [
        ['Prefix', prefix],
        ['Team space', fields.teamSpace ? 'Included' : ''],
      ] satisfies Review
    ).filter(isSet),
    ['DataIntell Name', fields.description],
    ...optional.filter(isSet),
    ...paceOfRequests.review(fields),
  ]
}
