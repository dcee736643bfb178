import { get, id, list, page, post, put, putEntity, remove, type Row } from './row.ts'

const credentials = '/v1/bucket-credentials?page=1&sort=name,asc&size=500'
const azure = 'DefaultEndpointsProtocol=https;AccountName=films;AccountKey=cGxhbnRlZA==;EndpointSuffix=core.windows.net'
const keys = { accessKey: 'AKIAPLANTED', privateKey: 'planted' }

/** Credentials of each provider; fields that a provider doesn't have are null. */
const ofProviders = {
  S3: keys,
  ORACLE_OBJECT_STORAGE: keys,
  BACKBLAZE_B2: keys,
  WASABI: keys,
  AZURE: { accessKey: azure, privateKey: null },
  OTHER: { ...keys, url: 'https://s3.example.com' },
}

/** Document 3, section 7: credentials of object storages. Keys are never returned. */
export const bucketCredentials: Row[] = [
  ...Object.entries(ofProviders).map(([type, fields]) =>
    post('/v1/bucket-credentials', { name: `Of ${type}`, type, ...fields }, id(`credential${type}`)),
  ),
  post(
    '/v1/bucket-credentials',
    { id: null, name: 'Whole', type: 'S3', ...keys, url: null, code: null },
    id('wholeCredential'),
  ),
  get(credentials, page('id name type', { id: '{credentialOTHER}', type: 'OTHER', url: 'https://s3.example.com' })),
  putEntity('/v1/bucket-credentials/{credentialS3}', credentials, { name: 'Films on S3' }),
  putEntity('/v1/bucket-credentials/{credentialAZURE}', credentials, { name: 'Films on Azure' }),
  put('/v1/bucket-credentials/{credentialOTHER}', {
    id: '{credentialOTHER}',
    name: 'Of OTHER',
    type: 'OTHER',
    accessKey: 'AKIAOTHER',
    privateKey: 'other',
    url: 'https://s3.example.org',
    code: '',
  }),
  get(credentials, page('', { id: '{credentialOTHER}', url: 'https://s3.example.org' })),
  remove('/v1/bucket-credentials/{wholeCredential}'),
]

const code = { type: 'DROPBOX', accessKey: 'planted-CODE', code: 'planted-CODE' }

/** Document 3, section 7: credentials of Dropbox, whose access key doubles as the code. */
export const dropboxCredentials: Row[] = [
  post('/v1/dropbox-credentials', { name: 'Agency', ...code }, id('dropbox')),
  put('/v1/dropbox-credentials/{dropbox}', { id: '{dropbox}', name: 'Agency 2', ...code }),
  get(credentials, page('', { id: '{dropbox}', name: 'Agency 2', type: 'DROPBOX' })),
]

const buckets = '/v1/buckets?page=1&size=10&sort=description,asc'
const bucket = 'id name description region type awsCredentialsId storagePrice volumeSettingId'
const drafts = {
  S3: { name: 'films', region: 'eu-west-1', path: '' },
  ORACLE_OBJECT_STORAGE: { name: 'studio.films', region: 'eu-frankfurt-1', path: '', namespace: 'studio' },
  BACKBLAZE_B2: { name: 'films-b2', region: 'eu-central-003', path: null },
  WASABI: { name: 'films-wasabi', region: 'eu-central-1', path: null },
  AZURE: { name: 'films-azure', region: null, path: null },
  OTHER: { name: 'films-other', region: null, path: null },
}

/** Document 3, section 7: object storages of each provider. */
export const objectStorages: Row[] = [
  post('/v1/buckets/names?credentialsId={credentialS3}&region=eu-west-1', undefined, list('', 'films')),
  post(
    '/v1/buckets/names?credentialsId={credentialORACLE_OBJECT_STORAGE}&region=eu-frankfurt-1&namespace=studio',
    undefined,
    list('', 'films'),
  ),
  ...Object.entries(drafts).map(([type, fields]) =>
    post(
      '/v1/buckets',
      {
        description: `Films on ${type}`,
        type,
        awsCredentialsId: `{credential${type}}`,
        storagePrice: { id: '{price}' },
        ...fields,
      },
      id(`bucket${type}`),
    ),
  ),
  post(
    '/v1/buckets',
    {
      name: null,
      description: 'Agency',
      region: null,
      path: '/',
      type: 'DROPBOX',
      awsCredentialsId: '{dropbox}',
      storagePrice: { id: '{price}' },
      namespace: null,
    },
    id('bucketDROPBOX'),
  ),
  get(
    buckets,
    page(bucket, { id: '{bucketS3}', name: 'films', storagePrice: { id: '{price}', description: 'Basic' } }),
  ),
  get(buckets, page(bucket, { id: '{bucketORACLE_OBJECT_STORAGE}', name: 'studio.films', namespace: 'studio' })),
  get(buckets, page(bucket, { id: '{bucketDROPBOX}', path: '/' })),
  put('/v1/buckets/{bucketS3}', {
    name: 'films',
    description: 'Films in Ireland',
    region: 'eu-west-1',
    path: '',
    type: 'S3',
    awsCredentialsId: '{credentialS3}',
    storagePrice: null,
  }),
  get(buckets, page(bucket, { id: '{bucketS3}', description: 'Films in Ireland' })),
  putEntity('/v1/buckets/{bucketS3}', buckets, { storagePrice: { id: '{price}' } }),
  ...['AZURE', 'DROPBOX', 'OTHER'].map((type) => remove(`/v1/buckets/{bucket${type}}`)),
  remove('/v1/bucket-credentials/{dropbox}'),
]
