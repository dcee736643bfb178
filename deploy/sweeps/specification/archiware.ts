import { get, id, list, one, page, post, put, putEntity, refused, remove, type Row } from './row.ts'

const listing = 'page=1&size=10&sort=id&direction=asc'
const credentials = '/v1/archiwares/credentials'
const indexes = `/v1/archiwares?${listing}`
const index = 'id name path indexId serverId storagePrice archiwareP5Credential volumeSettingId'
const credential = { name: 'Vault', username: 'p5', password: 'planted', url: 'https://vault.example.com:8443' }

/** Document 3, section 7: Archiware P5 servers and their indexes. */
export const archiwares: Row[] = [
  post(credentials, credential, id('vault')),
  get(credentials, list('id name username url', { id: '{vault}', url: credential.url })),
  put(`${credentials}/{vault}`, { ...credential, id: '{vault}', name: 'Vault 2' }),
  putEntity(`${credentials}/{vault}`, credentials, { username: 'p5admin' }),
  get(credentials, list('', { id: '{vault}', name: 'Vault 2', username: 'p5admin' })),
  get(`${credentials}/{vault}/indexes?serverId=1`, list('', 'Default-Archive')),
  post(
    '/v1/archiwares',
    {
      indexId: 'Default-Archive',
      path: '/vault',
      name: 'In the vault',
      archiwareP5Credential: { id: '{vault}' },
      storagePrice: { id: '{price}' },
      serverId: 1,
    },
    id('vaultIndex'),
  ),
  get(indexes, page(index, { id: '{vaultIndex}', name: 'In the vault', archiwareP5Credential: { id: '{vault}' } })),
  putEntity('/v1/archiwares/{vaultIndex}', indexes, { path: '/vault/2026', storagePrice: { id: '{price}' } }),
  get(indexes, page(index, { id: '{vaultIndex}', path: '/vault/2026' })),
  get(
    '/v1/archiwares/plans',
    list('planId planName index deleteFiles deleteAll server credentialsId storage', {
      planId: '10001',
      server: { id: 1 },
      credentialsId: '{p5}',
    }),
  ),
  get('/v1/archiwares/clients', list('clientName credentialsId server', { credentialsId: '{p5}', server: { id: 1 } })),
  remove('/v1/archiwares/{vaultIndex}'),
  remove(`${credentials}/{vault}`),
  remove(`${credentials}/{p5}`, refused(409, 'Tapes')),
]

const mappings = '/v1/archiwares/volumeMapping'
const mapping = 'id volumeId dataintellPath archiwarePath'
const listed = `${mappings}?page=1&sort=id&direction=asc&size=10`
const ofStorage = { volumeId: '{storage}', dataintellPath: '/mnt/films', archiwarePath: '/films' }
const global = { volumeId: -1, dataintellPath: '/mnt', archiwarePath: '/' }

/** Document 3, section 7: paths of P5 clients, for single storages and the global one. */
export const archiwareMappings: Row[] = [
  post(mappings, ofStorage, id('mapping')),
  get(listed, page(mapping, { id: '{mapping}', ...ofStorage })),
  get(`${mappings}/volumes/{storage}`, one(mapping, { id: '{mapping}' })),
  put(`${mappings}/{mapping}`, { ...ofStorage, id: '{mapping}', archiwarePath: '/nas' }),
  putEntity(`${mappings}/{mapping}`, listed, { archiwarePath: '/nas/films' }),
  get(`${mappings}/volumes/{storage}`, one(mapping, { archiwarePath: '/nas/films' })),
  post(mappings, global, id('globalMapping')),
  put(`${mappings}/{globalMapping}`, { ...global, id: '{globalMapping}', archiwarePath: '/Volumes' }),
  get(`${mappings}/volumes/-1`, one(mapping, { id: '{globalMapping}', archiwarePath: '/Volumes' })),
  remove(`${mappings}/{globalMapping}`),
  remove(`${mappings}/{mapping}`),
]
