/** Movies that were last opened before 2024. */
const criteria = [
  { extension: { value: 'mov' } },
  { lastAccessDate: { before: '2024-01-01' } },
  { isDirectory: { value: false } },
]
const moves = { folders: [{ volumeId: 1, path: '/projects/aurora', movedTo: '/archive/aurora' }] }
const report = {
  name: 'Copies of the archive',
  type: 'DUPLICATED',
  parameters: { references: [{ id: 1, type: 'VOLUME' }], comparison: [{ id: 2, type: 'VOLUME' }] },
}
const schedule = {
  name: 'Nightly',
  cron: '0 0 2 * * ?',
  jobGroup: 'SCANNER',
  jobClass: 'SCAN_ALL_VOLUMES',
  payload: { cloneIndex: true },
}
const channel = { name: 'Storage team', kind: 'SLACK', webhook: 'https://hooks.slack.com/services/T0/B0/secret' }
const fileStorage = { name: 'Media', path: '/data/media', serverId: 1, storagePrice: { id: 1 } }
const networkShare = {
  dataintellName: 'Media',
  type: 'NFS',
  host: 'nas.example.com',
  shareName: '/export/media',
  serverId: 1,
  storagePrice: { id: 1 },
}
const networkCredentials = { name: 'NAS', username: 'scanner', password: 'secret', domain: '', options: '' }
const keys = { name: 'Cloud', type: 'S3', url: '', accessKey: 'AKIAEXAMPLE', privateKey: 'secret' }
const bucket = {
  name: 'media-archive',
  description: 'Media archive',
  type: 'S3',
  region: 'us-east-1',
  path: '',
  awsCredentialsId: 1,
  serverId: 1,
  storagePrice: { id: 1 },
  namespace: '',
}
const siem = { name: 'SIEM', kind: 'SYSLOG_TLS', address: 'siem.example.com:6514' }
const dropbox = { name: 'Dropbox', code: 'code' }

/** Example bodies of calls whose required fields alone are not accepted, or say little. */
export const bodies: Record<string, unknown> = {
  'POST /projects': {
    name: 'Aurora',
    description: '',
    allocatedSize: 1_000_000_000_000,
    paths: [{ volumeId: 1, path: '/projects/aurora' }],
  },
  'PUT /v1/projects/:id/moves/follow': moves,
  'PUT /v1/projects/:id/moves/reject': moves,
  'POST /v1/reports/templates': report,
  'PUT /v1/reports/templates/:id': report,
  'POST /v1/scans/storages': { storageIdToPath: { 1: '/projects/aurora' } },
  'POST /v1/scans/volumes/ids': [1],
  'POST /v1/scans/buckets/ids': [1],
  'POST /v1/scans/powerScales/ids': [1],
  'POST /v1/scans/archiwares/ids': [1],
  'POST /v1/schedules': schedule,
  'PUT /v1/schedules/:id': schedule,
  'POST /v1/channels': channel,
  'PUT /v1/channels/:id': channel,
  'POST /v1/channels/tests': channel,
  'POST /v1/eventLog/destinations': siem,
  'PUT /v1/eventLog/destinations/:id': siem,
  'POST /v1/eventLog/destinations/tests': siem,
  'POST /v1/search': criteria,
  'POST /v1/search/sizes': criteria,
  'POST /v1/search/media': criteria,
  'POST /v1/search/dates': criteria,
  'POST /v1/search/fields': criteria,
  'POST /v1/search/csv': criteria,
  'POST /v1/search/xlsx': criteria,
  'POST /v1/search/tags': criteria,
  'POST /v1/bucket-credentials': keys,
  'PUT /v1/bucket-credentials/:id': keys,
  'POST /v1/bucket-credentials/check': { id: null, draft: keys },
  'POST /v1/buckets': bucket,
  'PUT /v1/buckets/:id': bucket,
  'POST /v1/buckets/check': { type: 'S3', awsCredentialsId: 1, region: 'us-east-1', name: 'media-archive' },
  'POST /v1/dropbox-credentials': dropbox,
  'PUT /v1/dropbox-credentials/:id': dropbox,
  'POST /volumeSettings': fileStorage,
  'PUT /volumeSettings/:id': fileStorage,
  'POST /v1/storages/folders': { serverId: 1, path: '/data' },
  'POST /v1/networkVolumes': networkShare,
  'PUT /v1/networkVolumes/:id': networkShare,
  'POST /v1/networkVolumes/credentials': networkCredentials,
  'PUT /v1/networkVolumes/credentials/:id': networkCredentials,
  'PUT /v1/files/tags': { entries: [{ volumeId: 1, path: '/projects/aurora', isDirectory: true }], add: ['delivered'] },
}
