import type { BucketAnswer } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { create, elements, nats, newPriceBook, p5Credentials, unique } from './product.ts'

/** A kind of storage: its calls, those of its credentials, and the schedule that names it. */
export type Kind = {
  path: string
  jobClass: string
  idsName: string
  credentials?: { path: string; create: () => Promise<number> }
  draft: (credentials: number) => object
}

const storagePrice = { id: await newPriceBook() }
const answer: Partial<BucketAnswer> = { reason: null, names: [] }
nats.connection.subscribe(subjects.bucket(1), {
  callback: (_, message) => void message.respond(JSON.stringify(answer)),
})

const login = { username: 'ana', password: 'planted' }
const ofShares = '/api/v1/networkVolumes/credentials'
const ofBuckets = '/api/v1/bucket-credentials'
const ofPowerScales = '/api/v1/powerScales/credentials'
const keys = { type: 'S3', accessKey: 'a', privateKey: 'b', url: '' }
const files = { jobClass: 'SCAN_VOLUMES', idsName: 'volumes' }

export const kinds: Kind[] = [
  {
    ...files,
    path: '/api/volumeSettings',
    draft: () => ({ name: unique('Files'), path: `/${unique('f')}`, storagePrice }),
  },
  {
    ...files,
    path: '/api/v1/networkVolumes',
    credentials: { path: ofShares, create: () => create(ofShares, { ...login, name: unique('Share') }) },
    draft: (id) => ({
      dataintellName: unique('Share'),
      type: 'SMB',
      host: 'nas',
      shareName: unique('m'),
      networkVolumeCredential: { id },
      storagePrice,
    }),
  },
  {
    path: '/api/v1/buckets',
    jobClass: 'SCAN_BUCKETS',
    idsName: 'bucketsId',
    credentials: { path: ofBuckets, create: () => create(ofBuckets, { ...keys, name: unique('Keys') }) },
    draft: (awsCredentialsId) => ({
      name: unique('films').replace(' ', '-'),
      description: unique('Bucket'),
      type: 'S3',
      region: 'eu-west-1',
      path: '',
      awsCredentialsId,
      storagePrice,
    }),
  },
  {
    path: '/api/v1/powerScales',
    jobClass: 'SCAN_DELL_POWER_SCALES',
    idsName: 'dellPowerScaleIds',
    credentials: { path: ofPowerScales, create: () => create(ofPowerScales, { ...login, name: unique('OneFS') }) },
    draft: (id) => ({
      host: 'isilon',
      dataintellName: unique('Isilon'),
      path: `/ifs/${unique('d')}`,
      scanType: 'VOLUME_MULTITHREAD',
      fullScanSnapshotExpiresDays: 7,
      deltaScanSnapshotExpiresDays: 3,
      dellPowerScaleCredentials: { id },
      storagePrice,
      serverId: 1,
    }),
  },
  {
    path: '/api/v1/archiwares',
    jobClass: 'SCAN_ARCHIWARES',
    idsName: 'archiwareIds',
    credentials: { path: '/api/v1/archiwares/credentials', create: p5Credentials },
    draft: (id) => ({
      indexId: unique('Index'),
      path: '/mnt',
      name: unique('Index'),
      archiwareP5Credential: { id },
      storagePrice,
      serverId: 1,
    }),
  },
]

/** A storage of a kind: the ids of its calls, of its volume and in schedules, and its credentials. */
export async function newSource(kind: Kind) {
  const credentials = (await kind.credentials?.create()) ?? 0
  const id = await create(kind.path, kind.draft(credentials))
  const row = (await elements(`${kind.path}?size=1000`)).find((one) => one.id === id)
  const { volumeId = id, volumeSettingId = volumeId } = row as { volumeId?: number; volumeSettingId?: number }
  return { id, volumeId: volumeSettingId, scheduledId: kind.idsName === 'volumes' ? volumeSettingId : id, credentials }
}
