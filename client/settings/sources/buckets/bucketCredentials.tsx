import {
  type BucketCredential,
  BucketCredentialDraft,
  bucketCredentials,
  type BucketType,
  factsOf,
} from '#events/sources/buckets.ts'
import { speaksS3 } from '#events/sources/regions.ts'
import { dropboxCredentials } from '#events/sources/dropbox.ts'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { credentialsTable } from '#client/parts/settings-table/credentials.tsx'
import { secretOf } from '#client/parts/settings-table/form.ts'
import { GetCode } from './GetCode.tsx'
import { TypeSelect } from './TypeSelect.tsx'

type CredentialFields = {
  name: string
  type: BucketType
  accessKey: string
  privateKey: string
  sessionToken: string
  url: string
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
  empty: 'No credentials yet. A bucket needs some.',
  inputs: [
    { name: 'type', label: 'Type', kind: 'own', Input: TypeSelect, isFixed: (edited) => edited !== 'new' },
    { name: 'name', label: 'Name' },
    {
      name: 'accessKey',
      label: ({ type }) => factsOf(type).accessKey,
      kind: 'secret',
      description: (_, { type }) => type === 'DROPBOX' && <GetCode />,
    },
    {
      name: 'privateKey',
      label: ({ type }) => factsOf(type).privateKey ?? '',
      kind: 'secret',
      isShown: ({ type }) => factsOf(type).privateKey !== undefined,
    },
    {
      name: 'sessionToken',
      label: 'Session token',
      kind: 'secret',
      description: () => 'Only for temporary keys. New keys without a token remove the stored one.',
      isShown: ({ type }) => speaksS3(type),
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
  fields: { name: '', type: 'S3', accessKey: '', privateKey: '', sessionToken: '', url: '' },
  fromRow: ({ name, type, url }) => ({ name, type, accessKey: '', privateKey: '', sessionToken: '', url }),
  toDraft: (fields, edited) => ({
    ...fields,
    url: factsOf(fields.type).hasUrl ? fields.url : '',
    accessKey: secretOf(fields.accessKey, edited),
    privateKey: factsOf(fields.type).privateKey === undefined ? '' : secretOf(fields.privateKey, edited),
    sessionToken: speaksS3(fields.type) ? secretOf(fields.sessionToken, edited) : '',
  }),
  inputFor: { code: 'accessKey' },
  labels: ({ type }) => {
    const { accessKey, privateKey = '' } = factsOf(type)
    return { url: 'URL', accessKey, code: accessKey, privateKey, sessionToken: 'Session token' }
  },
})

/** Users set up fewer credentials by hand than one page has. */
const byName = { page: 1, size: 500, sort: 'name', direction: 'asc' } as const

export const useBucketCredentials = () => useRemote(bucketCredentials.list, { query: byName }, 'bucketCredentials')
