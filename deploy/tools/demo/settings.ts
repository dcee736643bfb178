import type { Must } from '#deploy/local/testing/calls.ts'
import { storages } from './world/storages.ts'

type Created = { id: number }
/** IDs of the storages by name: of the storage itself, and of its bucket if it is one. */
export type StorageIds = Map<string, number>

/** Sets up the price books, users, credentials and storages of the studio, as an administrator does. */
export async function createSettings(must: Must): Promise<void> {
  const onDisk = await priceBook(must, { description: 'Disk arrays', price: 0.42 })
  const cloud = await priceBook(must, {
    description: 'Cloud storage',
    price: 0.276,
    classPrices: [
      { storageClass: 'STANDARD', price: 0.276 },
      { storageClass: 'GLACIER_IR', price: 0.048 },
      { storageClass: 'DEEP_ARCHIVE', price: 0.0119 },
    ],
  })
  await createUsers(must)
  const shareKey = { name: 'Studio domain', username: 'svc-dataintell', password: 'made-up', domain: 'NORTHLIGHT' }
  const share = await must<Created>('POST', '/v1/networkVolumes/credentials', { ...shareKey, options: '' })
  const keys = {
    name: 'Amazon S3, read-only',
    type: 'S3',
    accessKey: 'AKIADEMODEMODEMO0001',
    privateKey: 'made-up',
    url: '',
  }
  const bucketKey = await must<Created>('POST', '/v1/bucket-credentials', keys)
  for (const { kind, key, name } of storages) {
    if (kind === 'fileStorage') await must('POST', '/volumeSettings', { name, path: key, storagePrice: onDisk })
    if (kind === 'networkShare')
      await must('POST', '/v1/networkVolumes', {
        dataintellName: name,
        type: 'SMB',
        host: 'nas02.northlight.example',
        shareName: key,
        options: '',
        networkVolumeCredential: share,
        storagePrice: onDisk,
      })
    if (kind === 'bucket')
      await must('POST', '/v1/buckets', {
        name: key,
        description: name,
        type: 'S3',
        region: 'us-west-2',
        path: '',
        namespace: '',
        awsCredentialsId: bucketKey.id,
        storagePrice: cloud,
      })
  }
}

const priceBook = (must: Must, book: { description: string; price: number; classPrices?: object[] }) =>
  must<Created>('POST', '/v1/storage-prices', { currencySymbol: '$', ...book })

async function createUsers(must: Must): Promise<void> {
  const users = [
    { name: 'maria.santos', email: 'maria.santos@northlight.example', roles: ['ROLE_ADMIN'] },
    { name: 'henry.cole', email: 'henry.cole@northlight.example', roles: ['ROLE_PROJECT_MANAGER'] },
    { name: 'grace.kim', email: 'grace.kim@northlight.example', roles: [] },
  ]
  for (const user of users) await must('POST', '/v1/users', user)
  await must('PUT', '/currentUserInfo', { email: 'admin@northlight.example' })
  await must('POST', '/v1/notifications', { type: 'SCAN_ON_PREMISES', status: 'ON_ERROR' })
  await must('POST', '/v1/apiTokens', { name: 'Nightly capacity export', roles: [], days: 366 })
  await must('POST', '/v1/wall/tokens', { name: 'Machine room', frameAncestors: '' })
}

/** IDs of all storages by their names. */
export async function storageIds(must: Must): Promise<StorageIds> {
  const { elements } = await must<{ elements: { id: number; name: string }[] }>('GET', '/v1/storages?size=100')
  return new Map(elements.map(({ id, name }) => [name, id]))
}
