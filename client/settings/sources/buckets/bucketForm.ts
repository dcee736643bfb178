import { type Bucket, BucketDraft, type BucketType, factsOf } from '#events/sources/buckets.ts'
import { hasMedia, hasVersions, speaksS3 } from '#events/sources/regions.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { mediaFilesPerSecond, paceOfRequests } from '../pace/paceForm.ts'
import { credentialsField, priceBookField } from '../sourceFields.tsx'
import { useBucketCredentials } from './bucketCredentials.tsx'
import { BucketNameInput, queueHelp, RegionInput } from './bucketInputs.tsx'
import { TypeSelect } from './TypeSelect.tsx'

type Typed = { type: BucketType }

const foldedUnder = 'Scan options'
const ofS3 = { foldedUnder, isShown: ({ type }: Typed) => speaksS3(type) }
const hasPath = ({ type }: Typed) => factsOf(type).hasPath === true

/** Words for what counts as an old version at a provider. */
export const oldVersions = (type: BucketType): string =>
  type === 'AZURE' ? 'versions, snapshots and soft-deleted blobs' : 'old versions and unfinished uploads'

/** Form of a bucket. An existing bucket keeps its type. */
export const bucketForm = describeForm<Bucket, BucketDraft>()({
  schema: BucketDraft,
  checksOnBlur: true,
  fields: {
    type: {
      label: 'Cloud',
      kind: 'own',
      Input: TypeSelect,
      initial: 'S3' as BucketType,
      isFixed: (edited) => edited !== 'new',
      // Credentials, regions and buckets belong to one provider.
      changes: () => ({ credentials: '', region: '', name: '', path: '' }),
    },
    credentials: {
      ...credentialsField(useBucketCredentials),
      kind: 'own',
      propsOf: (_, { type }) => ({ type }),
      to: 'awsCredentialsId',
      read: ({ awsCredentialsId }) => String(awsCredentialsId),
      write: Number,
    },
    region: {
      label: 'Region',
      description: "If your region isn't listed, type it.",
      kind: 'own',
      Input: RegionInput,
      propsOf: (_, { type }) => ({ type }),
      initial: '',
      isShown: ({ type }) => factsOf(type).hasRegion === true,
    },
    namespace: {
      label: 'Namespace',
      description: 'Of your tenancy, as the Oracle console shows it',
      initial: '',
      isShown: ({ type }) => factsOf(type).hasNamespace === true,
    },
    name: {
      label: 'Bucket Name',
      kind: 'own',
      Input: BucketNameInput,
      propsOf: (edited, fields) => ({
        isAmazon: fields.type === 'S3',
        place: placeOf(fields),
        suggests: edited === 'new',
      }),
      initial: '',
      read: ({ name, namespace }) => (namespace === '' ? name : name.slice(namespace.length + 1)),
      write: (name, { namespace }) =>
        name.trim() !== '' && namespace.trim() !== '' ? `${namespace.trim()}.${name.trim()}` : name,
      // The display name follows the name of a new bucket until it is edited.
      changes: (to, { name, description }, edited) =>
        edited === 'new' && [name, ''].includes(description) ? { description: to } : {},
      isShown: (fields) => !hasPath(fields),
      takesFocus: true,
    },
    path: {
      label: 'Path',
      description: 'Enter / for the whole Dropbox',
      initial: '',
      isShown: hasPath,
      takesFocus: true,
    },
    teamSpace: {
      label: 'Team space',
      description: "The path begins in the team's space, which has the folders of the team and of its members",
      kind: 'checkbox',
      initial: false as boolean,
      isShown: hasPath,
    },
    description: { label: 'DataIntell Name', description: 'Display name in DataIntell', initial: '' },
    prefix: {
      label: 'Prefix',
      description: 'Folder to scan. Leave empty for the whole bucket.',
      placeholder: 'films/2024',
      initial: '',
      isShown: (fields) => !hasPath(fields),
      foldedUnder,
    },
    countsVersions: {
      label: ({ type }) => `Count ${oldVersions(type)}`,
      description: 'Takes more requests at each scan',
      kind: 'checkbox',
      initial: false as boolean,
      isShown: ({ type }) => hasVersions(type),
      foldedUnder,
    },
    readMedia: {
      label: 'Read media files',
      description:
        'After each scan, the agent reads codec, resolution, duration and more. The provider charges 2 to 4 requests and up to 512 KB of traffic for each new or changed media file.',
      kind: 'checkbox',
      initial: false as boolean,
      isShown: ({ type }) => hasMedia(type),
      foldedUnder,
    },
    mediaFilesPerSecond,
    requestsPerSecond: {
      label: 'Requests per second',
      description: 'Maximum requests per second during a scan. Leave empty for no limit.',
      kind: 'number',
      hideControls: true,
      initial: '' as string | number,
      read: ({ requestsPerSecond }) => requestsPerSecond ?? '',
      write: (limit) => (limit === '' ? null : Number(limit)),
      ...ofS3,
    },
    requesterPays: {
      label: 'Requester pays',
      description: 'The owner of the credentials pays for requests, as some buckets require',
      kind: 'checkbox',
      initial: false as boolean,
      ...ofS3,
    },
    inventory: {
      label: 'S3 Inventory',
      description:
        'Folder of the inventory reports. Scans read the newest report instead of listing a huge bucket. Leave empty to list it.',
      placeholder: 's3://reports/inventory/films/daily',
      initial: '',
      ...ofS3,
    },
    queue: {
      label: 'Queue of notifications',
      description: queueHelp,
      placeholder: 'https://sqs.eu-west-1.amazonaws.com/123456789012/films',
      initial: '',
      ...ofS3,
    },
    ...paceOfRequests.rows,
    priceBook: priceBookField,
  },
  saved: ({ description }, edited) => (edited === 'new' ? undefined : `${description.trim()} was updated`),
})

export type BucketFields = typeof bucketForm.fields

/** Credentials, region and namespace whose buckets are listed; undefined until they are filled in. */
function placeOf({
  type,
  credentials,
  region,
  namespace,
}: Typed & Record<'credentials' | 'region' | 'namespace', string>) {
  const { hasRegion, hasNamespace } = factsOf(type)
  if (credentials === '' || (hasRegion && region === '') || (hasNamespace && namespace === '')) return undefined
  return { credentialsId: Number(credentials), ...(hasRegion && { region }), ...(hasNamespace && { namespace }) }
}
