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
import type { Connection } from '#client/parts/settings-table/connectionCheck.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import { allByName } from '#client/parts/pagination/pageSizes.ts'
import { GetCode } from './GetCode.tsx'
import { TypeSelect } from './TypeSelect.tsx'

type Keys = { type: BucketType; signIn: SignIn }

/** Keys are stored, except with the role of the agent's machine. */
const hasKeys = ({ type, signIn }: Keys) => signIn === 'keys' || !factsOf(type).hasRoles

const form = describeForm<BucketCredential, BucketCredentialDraft>()({
  schema: BucketCredentialDraft,
  fields: {
    type: {
      label: 'Type',
      kind: 'own',
      Input: TypeSelect,
      initial: 'S3' as BucketType,
      isFixed: (edited) => edited !== 'new',
    },
    name: { label: 'Name', initial: '' },
    signIn: {
      label: 'Sign in with',
      kind: 'select',
      options: [
        { value: 'keys', label: 'Access keys' },
        { value: 'role', label: "The agent's own role" },
      ],
      description: (_, fields) =>
        !hasKeys(fields) &&
        'The agent uses the role that Amazon gives its EC2 instance, ECS task or EKS pod. No keys are stored.',
      initial: 'keys' as SignIn,
      isShown: ({ type }) => factsOf(type).hasRoles === true,
    },
    accessKey: {
      label: ({ type }) => factsOf(type).accessKey,
      kind: 'secret',
      description: (_, { type }) => type === 'DROPBOX' && <GetCode />,
      initial: '',
      to: ['accessKey', 'code'],
      isShown: hasKeys,
    },
    privateKey: {
      label: ({ type }) => factsOf(type).privateKey ?? '',
      kind: 'secret',
      initial: '',
      isShown: (fields) => factsOf(fields.type).privateKey !== undefined && hasKeys(fields),
    },
    sessionToken: {
      label: 'Session token',
      kind: 'secret',
      description: 'Only for temporary keys. New keys without a token remove the stored one.',
      initial: '',
      isShown: (fields) => speaksS3(fields.type) && hasKeys(fields),
    },
    url: {
      label: 'URL',
      type: 'url',
      placeholder: 'https://s3.example.com',
      initial: '',
      isShown: ({ type }) => factsOf(type).hasUrl === true,
    },
  },
})

/** Has the agent sign in with the keys. */
const connection: Connection<typeof form.fields, BucketCredential> = {
  keyOf: ({ name: _, ...signIn }) => signIn,
  async check(fields, edited) {
    const body = { id: edited === 'new' ? null : edited.id, draft: form.toDraft(fields, edited) }
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
export const bucketCredentialsTable = credentialsTable({
  of: 'Object Storage',
  rows: rowsOf(bucketCredentials.list, 'bucketCredentials'),
  paging: { words: ['credential', 'credentials'], key: 'numberOfElementsBucketCredentials' },
  calls: {
    ...written,
    create: (draft) =>
      draft.type === 'DROPBOX' ? call(dropboxCredentials.create, { body: ofDropbox(draft) }) : written.create(draft),
    update: async (row, draft) =>
      draft.type === 'DROPBOX'
        ? call(dropboxCredentials.update, { params: { id: row.id }, body: ofDropbox(draft) })
        : written.update?.(row, draft),
  },
  connection,
  empty: 'No credentials yet. Add some before adding a bucket.',
  form,
})

export const useBucketCredentials = () => useRemote(bucketCredentials.list, { query: allByName }, 'bucketCredentials')
