import { expect, onTestFinished, test } from 'vitest'
import type { ObjectStore } from '#events/sources/buckets.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { accountKey } from './azure/testing.ts'
import { systemsWith } from './index.ts'
import type { Mounts } from './network-mount/index.ts'
import { openStore } from './objectStores.ts'
import { forever } from './testing.ts'

async function serverOf(store: ObjectStore): Promise<string> {
  const opened = await openStore(store, '')
  onTestFinished(() => opened.close())
  return opened.server
}

const keys = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const place = { region: 'eu-west-1', namespace: '', endpoint: '', bucket: 'films' }
const s3 = { type: 'S3', ...place, ...keys } as const
const wasabi = { type: 'WASABI', ...place, ...keys } as const
const custom = { type: 'OTHER', ...place, endpoint: 'https://Minio.example:9000/', ...keys } as const
const azure = (account: string) =>
  ({
    type: 'AZURE',
    container: 'media',
    connectionString: `DefaultEndpointsProtocol=https;AccountName=${account};AccountKey=${accountKey};EndpointSuffix=core.windows.net`,
  }) as const
const dropbox = (refreshToken: string) =>
  ({ type: 'DROPBOX', url: 'https://api.dropboxapi.com', path: '/', appKey: 'app', refreshToken }) as const

test('storages of one bucket, endpoint, account or sign-in share a server, others do not', async () => {
  expect(await serverOf(s3)).toBe('films in eu-west-1')
  expect(await serverOf({ ...s3, prefix: '2024' })).toBe('films in eu-west-1')
  expect(await serverOf({ ...s3, bucket: 'shows' })).not.toBe(await serverOf(s3))
  expect(await serverOf(wasabi)).toBe('s3.eu-west-1.wasabisys.com')
  expect(await serverOf({ ...wasabi, bucket: 'shows' })).toBe('s3.eu-west-1.wasabisys.com')
  expect(await serverOf(custom)).toBe('minio.example:9000')
  expect(await serverOf(azure('one'))).toBe('one.blob.core.windows.net')
  expect(await serverOf({ ...azure('one'), container: 'other' })).toBe('one.blob.core.windows.net')
  const mine = await serverOf(dropbox('planted-token'))
  expect(mine).toBe(await serverOf({ ...dropbox('planted-token'), path: '/Films' }))
  expect(mine).not.toBe(await serverOf(dropbox('other-token')))
  expect(mine).not.toContain('planted-token')
})

test('folders of this machine are on its disk, a share and an index on their hosts', async () => {
  const lost = new AbortController().signal
  const share = { root: '/proc/self/fd/7', name: '', source: '', lost, check: async () => {}, close: async () => {} }
  const mounts = { open: async () => share } as unknown as Mounts
  const { open } = systemsWith(mounts, testFolder('state'))
  const opened = async (source: Parameters<typeof open>[0]['source']) => {
    const system = await open({ volumeId: 1, source }, forever)
    onTestFinished(() => system.close())
    return system.server
  }
  const folder = testFolder('servers')
  expect(await opened({ kind: 'fileStorage', path: folder })).toMatch(/^\d+:\d+$/)
  const mount = { type: 'NFS', host: 'NAS1', shareName: '/media', options: '', credential: null } as const
  expect(await opened({ kind: 'networkShare', mount, path: '/' })).toBe('nas1')
  const p5 = { url: 'http://p5.example:8000', username: 'a', password: 'b', index: 'Default', path: '/' }
  expect(await opened({ kind: 'archiware', ...p5 })).toBe('p5.example')
})
