import { get, id, list, page, post, put, putEntity, refused, remove, type Row } from './row.ts'

const settings = '/volumeSettings?page=1&sort=name,asc&size=500&filterType=crawl.files&filterType=NetworkVolume'
const setting = 'id name path type server storagePrice volumeIgnoreRules scanType volumeIndexFolderOnlyPaths'
const rules = { volumeIgnoreRules: [{ path: 'tmp' }], volumeIndexFolderOnlyPaths: [{ path: 'renders' }] }

/** Document 3, section 7: local file storages. */
export const fileStorages: Row[] = [
  post(
    '/volumeSettings',
    {
      name: 'Scratch',
      path: '/mnt/scratch',
      type: 'crawl.files',
      server: { id: '{agent}' },
      storagePrice: { id: '{price}' },
      scanType: 'VOLUME_MULTITHREAD',
    },
    id('scratch'),
  ),
  putEntity('/volumeSettings/{scratch}', settings, { ...rules, scanType: 'HYBRID_MULTITHREAD' }),
  get(
    settings,
    page(setting, { id: '{scratch}', ...rules, server: { id: '{agent}' }, scanType: 'HYBRID_MULTITHREAD' }),
  ),
  putEntity('/volumeSettings/{scratch}', settings, { storagePrice: null }),
  remove('/volumeSettings/{scratch}'),
]

const listing = 'page=1&size=10&sort=id&direction=asc'
const credentials = `/v1/networkVolumes/credentials?${listing}`
const credential = { name: 'Editors', username: 'ana', password: 'planted', domain: 'STUDIO', options: 'vers=3.0' }

/** Document 3, section 7: credentials of network shares. Passwords are never returned. */
export const networkCredentials: Row[] = [
  post('/v1/networkVolumes/credentials', credential, id('credential')),
  get(credentials, page('id name username domain options', { id: '{credential}', name: 'Editors', domain: 'STUDIO' })),
  putEntity('/v1/networkVolumes/credentials/{credential}', credentials, { name: 'Cutters' }),
  put('/v1/networkVolumes/credentials/{credential}', { ...credential, id: '{credential}', password: 'other' }),
  post(
    '/v1/networkVolumes/credentials',
    { ...credential, name: 'Guests', domain: null, options: null },
    id('otherCredential'),
  ),
  remove('/v1/networkVolumes/credentials/{otherCredential}'),
]

const shares = `/v1/networkVolumes?${listing}`
const share = {
  id: null,
  volumeId: null,
  host: 'nas.example.com',
  shareName: 'films',
  options: 'vers=3.0',
  dataintellName: 'NAS',
  path: '/',
  type: 'SMB',
  serverId: '{agent}',
  storagePrice: { id: '{price}' },
  scanType: 'VOLUME_MULTITHREAD',
  networkVolumeCredential: { id: '{credential}' },
  volumeIgnoreRules: [],
  volumeIndexFolderOnlyPaths: [],
}
const nfs = { ...share, dataintellName: 'NFS', type: 'NFS', shareName: '/export/films', networkVolumeCredential: null }

/** Document 3, section 7: network shares, with the fields of the entity. Unsafe mount options are refused, as decided. */
export const networkShares: Row[] = [
  post('/v1/networkVolumes', share, id('share')),
  post('/v1/networkVolumes', { ...nfs, options: null }, id('nfs')),
  get(
    shares,
    page(Object.keys(share).join(' '), {
      id: '{share}',
      host: 'nas.example.com',
      networkVolumeCredential: { id: '{credential}' },
    }),
  ),
  putEntity('/v1/networkVolumes/{share}', shares, { ...rules, networkVolumeCredential: null }),
  get(shares, page('', { id: '{share}', ...rules, networkVolumeCredential: null })),
  putEntity('/v1/networkVolumes/{share}', shares, { storagePrice: null }),
  putEntity('/v1/networkVolumes/{share}', shares, { options: 'vers=3.0,noacl,nounix,multichannel,forceuid,nobrl' }),
  putEntity('/v1/networkVolumes/{nfs}', shares, { options: 'hard,tcp,nfsvers=4.1,_netdev,noauto,bg,nodiratime,noacl' }),
  post(
    '/v1/networkVolumes',
    { ...share, dataintellName: 'Unsafe', options: 'suid' },
    refused(400, 'Validation errors'),
  ),
  remove('/v1/networkVolumes/{share}'),
  remove('/v1/networkVolumes/{nfs}'),
  remove('/v1/networkVolumes/credentials/{credential}'),
  get(shares, list('')),
]
