import { get, id, list, one, page, post, put, putEntity, refused, remove, type Row } from './row.ts'

const listing = 'page=1&size=10&sort=id&direction=asc'

const clusters = '/v1/powerScales'
const clusterCredentials = '/v1/powerScales/credentials'
const cluster = {
  host: 'isilon.example.com',
  dataintellName: 'Isilon',
  path: '/ifs',
  scanType: 'VOLUME_MULTITHREAD',
  dellPowerScaleCredentials: { id: '{onefs}' },
  storagePrice: { id: '{price}' },
  serverId: 1,
  volumeIgnoreRules: [],
  fullScanSnapshotExpiresDays: 7,
  deltaScanSnapshotExpiresDays: 3,
}
const clusterFields = `id volumeSettingId ${Object.keys(cluster).join(' ')}`
const onefs = { name: 'OneFS', username: 'ana', password: 'planted' }

/** Document 3, section 7: Dell PowerScale. */
export const powerScales: Row[] = [
  post(clusterCredentials, onefs, id('onefs')),
  get(`${clusterCredentials}?${listing}`, page('id name username', { id: '{onefs}', name: 'OneFS' })),
  get(`${clusterCredentials}/{onefs}`, one('id name username', { username: 'ana' })),
  put(`${clusterCredentials}/{onefs}`, { ...onefs, id: '{onefs}', password: 'other' }),
  putEntity(`${clusterCredentials}/{onefs}`, `${clusterCredentials}/{onefs}`, { username: 'scanner' }),
  get(`${clusterCredentials}/{onefs}`, one('', { username: 'scanner' })),
  post(clusters, cluster, id('powerScale')),
  get(`${clusters}?${listing}`, page(clusterFields, { id: '{powerScale}', path: '/ifs' })),
  get(`${clusters}/{powerScale}`, one(clusterFields, { ...cluster })),
  putEntity(`${clusters}/{powerScale}`, `${clusters}/{powerScale}`, {
    volumeIgnoreRules: [{ path: 'tmp' }],
    fullScanSnapshotExpiresDays: 0,
  }),
  get(`${clusters}/{powerScale}`, one('', { volumeIgnoreRules: [{ path: 'tmp' }], fullScanSnapshotExpiresDays: 0 })),
  post(clusters, { ...cluster, id: null, volumeSettingId: null, dataintellName: 'Old' }, id('oldCluster')),
  remove(`${clusters}/{oldCluster}`),
  remove(`${clusterCredentials}/{onefs}`, refused(409, 'Isilon')),
]

const configs = '/v1/storageManager/configs'
const mappings = '/v1/storageManager/volumeMappings'
const config = { name: 'MDC', host: 'mdc1.example.com', username: 'ana', password: 'planted' }
const listedMappings = `${mappings}?page=1&sort=id&direction=asc&size=200`
const mapping = {
  volumeId: '{storage}',
  storageManagerConfigId: '{config}',
  dataintellPath: '/mnt/films',
  storageManagerPath: '/stornext/snfs1',
}

/** Document 3, section 7: Quantum StorNext, and the metadata of a file that is mapped to it (document 1). */
export const storNext: Row[] = [
  post(configs, config, id('config')),
  post(configs, { name: 'Open MDC', host: 'mdc2', username: null, password: null }, id('openConfig')),
  get(`${configs}?${listing}`, page('id name host username', { id: '{openConfig}', username: null })),
  put(`${configs}/{config}`, { ...config, id: '{config}', host: 'mdc3.example.com' }),
  putEntity(`${configs}/{config}`, `${configs}?${listing}`, { name: 'MDC 3' }),
  get(`${configs}?${listing}`, page('', { id: '{config}', name: 'MDC 3', host: 'mdc3.example.com' })),
  post(mappings, mapping, id('tapeMapping')),
  putEntity(`${mappings}/{tapeMapping}`, listedMappings, { storageManagerPath: '/stornext/snfs2' }),
  get(
    listedMappings,
    page('id volumeId storageManagerConfigId dataintellPath storageManagerPath', {
      ...mapping,
      storageManagerPath: '/stornext/snfs2',
    }),
  ),
  get(mappings, list('volumeId', { volumeId: '{storage}' })),
  get('/v1/storageManager/files/{file}?indexingDate={date}', one('metadata', { fileId: '{file}', name: 'one.mov' })),
  remove(`${configs}/{openConfig}`),
]

/** Document 3, section 7: deletions of the records of StorNext, once no action needs them. */
export const storNextMappingRemoval: Row[] = [remove(`${mappings}/{tapeMapping}`), remove(`${configs}/{config}`)]

/** Document 3, section 7: the configuration of Iconik, and the Storage tab. */
export const iconikAndStorages: Row[] = [
  put(
    '/configurations',
    [
      { value: 'app-1', name: 'iconikAppId', description: 'Iconik App-Id' },
      { value: 'planted', name: 'iconik.authtoken', description: 'Iconik Auth-Token' },
    ],
    list('name value', { name: 'iconikAppId', value: 'app-1' }),
  ),
  get('/v1/iconik/collections', list('id title', { id: 'c-1', title: 'Rushes' })),
  get('/v1/iconik/storages', list('id name method', { id: 's-1', method: 'S3' })),
  get(
    '/v1/storages?size=25&sort=CREATED_AT&direction=DESC',
    one('elements endCursor startCursor hasNextPage hasPreviousPage size sort direction', {
      elements: [{ name: 'Tapes', account: 'P5', type: 'Archiware', stats: {} }],
    }),
  ),
]
