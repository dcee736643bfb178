import {
  type BucketCredential,
  BucketCredentialDraft,
  bucketCredentials,
  type BucketType,
  factsOf,
  type SignIn,
} from '#events/sources/buckets.ts'
import { bucketCredentialCheck } from '#events/sources/bucketQuestion.ts'
import { speaksS3 } from '#events/sources/regions.ts'
import { dropboxCredentials } from '#events/sources/dropbox.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import type { EditTarget } from '#client/app/defineForm.ts'
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { secretOf } from '#client/parts/settings-table/form.ts'
import { GetCode } from './GetCode.tsx'
import { TypeSelect } from './TypeSelect.tsx'

type CredentialFields = {
  name: string
  type: BucketType
  signIn: SignIn
  accessKey: string
  privateKey: string
  sessionToken: string
  url: string
}

/** Keys are stored, except with the role of the agent's machine. */
const hasKeys = ({ type, signIn }: CredentialFields) => signIn === 'keys' || !factsOf(type).hasRoles

const noKeys = { accessKey: '', privateKey: '', sessionToken: '' }

function toDraft(fields: CredentialFields, edited: EditTarget<BucketCredential>): BucketCredentialDraft {
  const url = factsOf(fields.type).hasUrl ? fields.url : ''
  if (!hasKeys(fields)) return { ...fields, url, ...noKeys }
  return {
    ...fields,
    url,
    signIn: 'keys',
    accessKey: secretOf(fields.accessKey, edited),
    privateKey: factsOf(fields.type).privateKey === undefined ? '' : secretOf(fields.privateKey, edited),
    sessionToken: speaksS3(fields.type) ? secretOf(fields.sessionToken, edited) : '',
  }
}

/** Has the agent sign in with the keys. */
const connection: Connection<CredentialFields, BucketCredential> = {
  keyOf: ({ name: _, ...signIn }) => signIn,
  async check(fields, edited) {
    const body = { id: edited === 'new' ? null : edited.id, draft: toDraft(fields, edited) }
    const { reason, field } = await call(bucketCredentialCheck, { body })
    if (reason === null) return {}
    const { hasUrl = false } = factsOf(fields.type)
    return { [field === 'host' && hasUrl ? 'url' : hasKeys(fields) ? 'accessKey' : 'signIn']: reason }
  },
}

const written = callsOf(bucketCredentials)

/** Dropbox has its own calls, in which the access key is the code. */
const ofDropbox = ({ name, accessKey }: BucketCredentialDraft) => ({ name, code: accessKey })

/** Credentials for providers of object storage. */
export const bucketCredentialsTable = credentialsTable<BucketCredential, CredentialFields, BucketCredentialDraft>({
  of: 'Object Storage',
  rows: rowsOf(bucketCredentials.list, 'bucketCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsBucketCredentials' },
  calls: {
    ...written,
    create: (draft) =>
      draft.type === 'DROPBOX' ? call(dropboxCredentials.create, { body: ofDropbox(draft) }) : written.create(draft),
    update: async (id, draft) =>
      draft.type === 'DROPBOX'
        ? call(dropboxCredentials.update, { params: { id }, body: ofDropbox(draft) })
        : written.update?.(id, draft),
  },
  connection,
  empty: 'No credentials yet. Add some before adding a bucket.',
  inputs: [
    { name: 'type', label: 'Type', kind: 'own', Input: TypeSelect, isFixed: (edited) => edited !== 'new' },
    { name: 'name', label: 'Name' },
    {
      name: 'signIn',
      label: 'Sign in with',
      kind: 'select',
      options: [
        { value: 'keys', label: 'Access keys' },
        { value: 'role', label: "The agent's own role" },
      ],
      description: (_, fields) =>
        !hasKeys(fields) &&
        'The agent uses the role that Amazon gives its EC2 instance, ECS task or EKS pod. No keys are stored.',
      isShown: ({ type }) => factsOf(type).hasRoles === true,
    },
    {
      name: 'accessKey',
      isShown: hasKeys,
      label: ({ type }) => factsOf(type).accessKey,
      kind: 'secret',
      description: (_, { type }) => type === 'DROPBOX' && <GetCode />,
    },
    {
      name: 'privateKey',
      label: ({ type }) => factsOf(type).privateKey ?? '',
      kind: 'secret',
      isShown: (fields) => factsOf(fields.type).privateKey !== undefined && hasKeys(fields),
    },
    {
      name: 'sessionToken',
      label: 'Session token',
      kind: 'secret',
      description: () => 'Only for temporary keys. New keys without a token remove the stored one.',
      isShown: (fields) => speaksS3(fields.type) && hasKeys(fields),
    },
    {
      name: 'url',
      label: 'URL',
      type: 'url',
      placeholder: 'https://s3.example.com',
      isShown: ({ type }) => factsOf(type).hasUrl === true,
    },
  ],
  schema: BucketCredentialDraft,
  fields: { name: '', type: 'S3', signIn: 'keys', url: '', ...noKeys },
  fromRow: ({ name, type, signIn, url }) => ({ name, type, signIn, url, ...noKeys }),
  toDraft,
  inputFor: { code: 'accessKey' },
  labels: ({ type }) => {
    const { accessKey, privateKey = '' } = factsOf(type)
    return { url: 'URL', signIn: 'Sign in with', accessKey, code: accessKey, privateKey, sessionToken: 'Session token' }
  },
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const useBucketCredentials = () => useRemote(bucketCredentials.list, { query: byName }, 'bucketCredentials')
