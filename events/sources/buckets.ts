import { z } from 'zod'
import { nameText } from '#events/contract/names.ts'
import { blankForNull } from '#events/contract/blank.ts'
import { crud, endpoint, IdNumber } from '#events/contract/endpoint.ts'
import { PaceOfRequests } from '#events/contract/pace.ts'
import { BucketOptions, optionFaults } from './bucketOptions.ts'
import { connectionStringFault, keyFault, secretFault, urlFault } from './credentialFields.ts'
import { PriceBookOfStorage, sourceFailures } from './fileStorages.ts'
import { s3Types, type S3Type, speaksS3 } from './regions.ts'

/** Fields that a provider needs. Labels are those of its own console; a secret that is left out is not needed. */
type BucketTypeFacts = {
  accessKey: string
  privateKey?: string
  /** The address is typed: an S3 service of any other provider. */
  hasUrl?: true
  hasRegion?: true
  hasNamespace?: true
  /** It has no buckets: a folder of it is scanned, which is typed. */
  hasPath?: true
  /** Machines of the provider may have a role, which signs in without keys. */
  hasRoles?: true
}

/** The providers of object storage; their names for users are in `kinds.ts`. */
export const bucketTypes = {
  S3: { accessKey: 'Access key ID', privateKey: 'Secret access key', hasRegion: true, hasRoles: true },
  ORACLE_OBJECT_STORAGE: { accessKey: 'Access key', privateKey: 'Secret key', hasRegion: true, hasNamespace: true },
  BACKBLAZE_B2: { accessKey: 'keyID', privateKey: 'applicationKey', hasRegion: true },
  WASABI: { accessKey: 'Access key', privateKey: 'Secret access key', hasRegion: true },
  AZURE: { accessKey: 'Connection String' },
  DROPBOX: { accessKey: 'Code', hasPath: true },
  OTHER: { accessKey: 'Access key ID', privateKey: 'Secret access key', hasUrl: true },
} as const satisfies Record<S3Type | 'AZURE' | 'DROPBOX', BucketTypeFacts>
export type BucketType = keyof typeof bucketTypes
export const factsOf = (type: BucketType): BucketTypeFacts => bucketTypes[type]

const typeNames = Object.keys(bucketTypes) as [BucketType, ...BucketType[]]
export const BucketTypeName = z.enum(typeNames, { error: () => `must be one of ${typeNames.join(', ')}` })

const between = (most: number) => `must be between 1 and ${most} characters`
const text = (most: number) => z.string().trim().min(1, between(most)).max(most, between(most))

export const AccessKey = text(10_000)

/** `role`: the agent signs in with the role that Amazon gives its machine, container or pod, so no keys are stored. */
export const SignIn = z.enum(['keys', 'role'])
export type SignIn = z.infer<typeof SignIn>

/**
 * Sign-in to a provider. Keys are write-only; null keeps those that are stored. `privateKey` is empty for providers that have only one
 * secret, `url` is the address of a custom S3 and empty for all others. `sessionToken` belongs to temporary keys of S3: new keys without one
 * remove it. With a role there are no keys, and stored ones are removed.
 */
export const BucketCredentialDraft = z
  .object({
    name: nameText({ blank: between(255), long: between(255) }),
    type: BucketTypeName,
    signIn: SignIn.default('keys'),
    accessKey: z.string().trim().max(10_000, between(10_000)).nullable().default(''),
    privateKey: z.string().trim().max(255, between(255)).nullable().default(''),
    sessionToken: z.string().trim().max(10_000, between(10_000)).nullable().default(''),
    url: blankForNull(z.string().trim().max(255, between(255))),
  })
  .superRefine(({ type, signIn, accessKey, privateKey, sessionToken, url }, { addIssue }) => {
    const { privateKey: label, hasUrl } = factsOf(type)
    const issue = (field: string, message: string | undefined) =>
      message && addIssue({ code: 'custom', path: [field], message })
    issue('url', hasUrl ? urlFault(url) : url === '' ? undefined : 'is for Custom S3 alone')
    if (signIn === 'role') {
      if (!factsOf(type).hasRoles) issue('signIn', 'can only be a role for Amazon S3')
      return forRole({ accessKey, privateKey, sessionToken }, issue)
    }
    if (accessKey === '') issue('accessKey', between(10_000))
    else if (accessKey) issue('accessKey', type === 'AZURE' ? connectionStringFault(accessKey) : keyFault(accessKey))
    for (const [field, secret] of Object.entries({ privateKey, sessionToken })) issue(field, secretFault(secret))
    if (label && privateKey === '') issue('privateKey', between(255))
    if (!label && privateKey) issue('privateKey', 'is for providers that have two keys')
    if (sessionToken && !speaksS3(type)) issue('sessionToken', 'is for S3 alone')
  })
export type BucketCredentialDraft = z.infer<typeof BucketCredentialDraft>

function forRole(keys: Record<string, string | null>, issue: (field: string, message: string) => unknown): void {
  for (const [field, key] of Object.entries(keys)) if (key) issue(field, 'is not used with a role')
}

/** `isPasswordLost`: a key was stored with another key than the server has now, and has to be entered again. */
export const BucketCredential = z.object({
  id: z.int(),
  name: z.string(),
  type: BucketTypeName,
  signIn: SignIn,
  url: z.string(),
  isPasswordLost: z.boolean(),
})
export type BucketCredential = z.infer<typeof BucketCredential>

/**
 * A name that is taken, and new credentials without a key, are 400; what buckets use cannot be deleted: 409. Credentials of
 * Dropbox are added and changed by calls of their own, and are listed and deleted here.
 */
export const bucketCredentials = crud('/v1/bucket-credentials', {
  entity: BucketCredential,
  draft: BucketCredentialDraft,
  secrets: ['accessKey', 'privateKey', 'sessionToken'],
  /** The code is of Dropbox, whose credentials are set up by other calls. */
  record: BucketCredential.extend({ code: z.unknown() }),
  one: 'bucket credential',
  many: 'bucket credentials',
  needs: 'settings.edit',
  failures: { list: 'Something went wrong while fetching the bucket credentials' },
})

/** A folder of Dropbox from its root on, without a slash at its end; '/' is all of it. */
const FolderPath = blankForNull(
  z
    .string()
    .trim()
    .max(32_768)
    .overwrite((path) => path.replace(/(.)\/+$/, '$1')),
)

export const BucketFields = z.object({
  name: blankForNull(z.string().trim().max(1_000)),
  description: nameText({ blank: "DataIntell Name can't be empty" }),
  type: BucketTypeName,
  region: blankForNull(z.string().trim().max(100)),
  path: FolderPath,
  awsCredentialsId: z.int("Credentials can't be empty").min(1, "Credentials can't be empty"),
  storagePrice: PriceBookOfStorage,
  namespace: blankForNull(z.string().trim().max(255)),
  ...BucketOptions,
  /** After a scan, the agent reads what is inside new and changed media files: 2 to 4 requests and up to 512 KB for each. */
  readMedia: z.boolean().default(false),
  pace: PaceOfRequests,
})

/**
 * A bucket that is scanned. `name` is that of the provider, or the ARN of an access point of Amazon, `description` what users call it. Oracle's `name` begins with the
 * namespace and a dot, by which the namespace is known where it is not given. Dropbox has no buckets but a `path`, which is
 * empty for all others; a name that is given is kept.
 */
export const BucketDraft = BucketFields.superRefine(({ type, name, region, path, namespace }, { addIssue }) => {
  const { hasRegion, hasNamespace, hasPath = false } = factsOf(type)
  const issue = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (!hasPath && name === '') issue('name', "Bucket Name can't be empty")
  const wrongPath = pathFault(path, hasPath)
  if (wrongPath) issue('path', wrongPath)
  if (hasRegion && region === '') issue('region', "Region can't be empty")
  if (region !== '' && !/^[a-z0-9-]+$/.test(region)) issue('region', 'must be letters, digits and hyphens')
  if (hasNamespace && namespace === '' && !name.includes('.')) issue('namespace', "Namespace can't be empty")
  if (namespace !== '' && !/^[A-Za-z0-9_-]+$/.test(namespace)) issue('namespace', 'must be letters and digits')
}).superRefine((draft, { addIssue }) => {
  const { type, prefix, teamSpace } = draft
  const issue = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (prefix !== '' && factsOf(type).hasPath) issue('prefix', 'is for buckets: Dropbox has a path')
  if (teamSpace && type !== 'DROPBOX') issue('teamSpace', 'is for Dropbox alone')
  for (const [path, message] of optionFaults(draft)) issue(path, message)
})
export type BucketDraft = z.infer<typeof BucketDraft>

function pathFault(path: string, hasPath: boolean): string | undefined {
  if (!hasPath) return path === '' || path === '/' ? undefined : 'is for Dropbox alone'
  if (path === '') return "Path can't be empty"
  if (!path.startsWith('/')) return 'must begin with /'
  const names = path === '/' ? [] : path.slice(1).split('/')
  return names.some((name) => /^\s*\.{0,2}\s*$/.test(name)) ? 'must name each folder, without . and ..' : undefined
}

/** `volumeSettingId` is the storage as every other call knows it. */
export const Bucket = BucketFields.extend({
  id: z.int(),
  volumeSettingId: z.int(),
  storagePrice: z.object({ id: z.int(), description: z.string() }).nullable(),
})
export type Bucket = z.infer<typeof Bucket>

const fetchFailure = 'Something went wrong while fetching buckets'

/**
 * One that was added or changed, but that its agent cannot list, is 422 with the code `bucket-created` or `bucket-updated` and
 * a message that begins so: it is there, and a scan of it would fail.
 */
export const buckets = crud('/v1/buckets', {
  entity: Bucket,
  draft: BucketDraft,
  one: 'bucket',
  many: 'buckets',
  needs: 'settings.edit',
  failures: { list: fetchFailure, update: 'Unable to update bucket', remove: sourceFailures.remove },
})

/** The names of the buckets that credentials may list, in order; none where they may not list them. */
export const bucketNames = endpoint({
  method: 'POST',
  path: '/v1/buckets/names',
  needs: 'settings.edit',
  failure: fetchFailure,
  query: z.object({
    credentialsId: IdNumber,
    region: z.string().trim().max(100).default(''),
    namespace: z.string().trim().max(255).default(''),
  }),
  answer: z.array(z.string()),
})

/** A bucket of a store that speaks S3. `endpoint` is the address of a custom S3, `namespace` is Oracle's; empty for all others. */
export const S3Store = z.object({
  type: z.enum(s3Types),
  region: z.string(),
  namespace: z.string(),
  endpoint: z.string(),
  bucket: z.string(),
  accessKey: z.string(),
  secretKey: z.string(),
  sessionToken: z.string().optional(),
  /** The agent signs in with the role of its machine. The keys are empty. */
  usesRole: z.boolean().optional(),
  requesterPays: z.boolean().optional(),
  /** The folder to scan, without a slash at its end. */
  prefix: z.string().optional(),
  /** The most requests that may begin in a second; without it there is no limit. */
  requestsPerSecond: z.int().min(1).optional(),
  /** Old versions and unfinished uploads, or snapshots and soft-deleted blobs, are counted, too. */
  countsVersions: z.boolean().optional(),
  /** The folder of the S3 Inventory that is read instead of listing the bucket: `s3://bucket/folder`. */
  inventory: z.string().optional(),
  /** The agent follows changes of the bucket by the notifications in this queue. */
  queue: z.string().optional(),
})
export type S3Store = z.infer<typeof S3Store>

export const AzureStore = S3Store.pick({ prefix: true, countsVersions: true }).extend({
  type: z.literal('AZURE'),
  container: z.string(),
  connectionString: z.string(),
})
export type AzureStore = z.infer<typeof AzureStore>

/** A folder of a Dropbox: '/some/folder', or '/' for all of it. `url` is the address of the calls. */
export const DropboxStore = z.object({
  type: z.literal('DROPBOX'),
  url: z.string(),
  path: z.string(),
  refreshToken: z.string(),
  /** Key of the app that the refresh token belongs to. */
  appKey: z.string(),
  /** Paths begin in the space of the account's team. */
  teamSpace: z.boolean().optional(),
})
export type DropboxStore = z.infer<typeof DropboxStore>

/**
 * An object storage with the keys to sign in. Because of the keys it is only sent to an agent that scans it, and in questions about
 * it.
 */
export const ObjectStore = z.discriminatedUnion('type', [S3Store, AzureStore, DropboxStore])
export type ObjectStore = z.infer<typeof ObjectStore>

export const BucketOrder = z.object({ kind: z.literal('bucket'), store: ObjectStore })
export type BucketOrder = z.infer<typeof BucketOrder>
