import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { sourceRoutes } from './index.ts'

const platform = await testPlatform()
const { db, nats } = platform
const storagePrice = await testPriceBook(db)
const ask = asUser(createApp(platform, sourceRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
nats.connection.subscribe(subjects.bucket(1), {
  callback: (_, message) => message.respond(JSON.stringify({ reason: null, names: [] })),
})

const days = { fullScanSnapshotExpiresDays: 7, deltaScanSnapshotExpiresDays: 3 }
/** A storage of each kind, without a pace. */
const drafts = {
  '/api/volumeSettings': { name: 'Films', path: '/mnt/films', storagePrice },
  '/api/v1/networkVolumes': { dataintellName: 'Shows', type: 'NFS', host: 'nas', shareName: '/export', storagePrice },
  '/api/v1/buckets': { name: 'films', description: 'Cloud', type: 'S3', region: 'eu-west-1', awsCredentialsId: 1 },
  '/api/v1/powerScales': { host: 'isilon', dataintellName: 'Renders', dellPowerScaleCredentials: { id: 1 }, ...days },
  '/api/v1/archiwares': { indexId: 'Archive', path: '/', name: 'Tapes', archiwareP5Credential: { id: 1 } },
}
const draftOf = (path: keyof typeof drafts) => ({ ...drafts[path], storagePrice })
const paths = Object.keys(drafts) as (keyof typeof drafts)[]
const [files, shares, buckets, powerScales, archiwares] = paths as [Path, Path, Path, Path, Path]
type Path = (typeof paths)[number]

beforeEach(async () => {
  await sql`TRUNCATE volumes, bucket_credentials, power_scale_credentials, archiware_credentials, events
    RESTART IDENTITY CASCADE`.execute(db)
  const keys = { name: 'Studio', type: 'S3', accessKey: 'AKIA1', privateKey: 'secret', url: '' }
  const user = { name: 'Studio', username: 'scan', password: 'secret' }
  await ask('POST', '/api/v1/bucket-credentials', keys).expect(200)
  await ask('POST', `${powerScales}/credentials`, user).expect(200)
  await ask('POST', `${archiwares}/credentials`, { ...user, url: 'https://p5.example.com:8443' }).expect(200)
})

const quietHours = { from: '22:00', to: '06:30', maxLookups: 8 }
const lastChange = async () =>
  (await db.selectFrom('events').select('data').orderBy('position', 'desc').limit(1).executeTakeFirstOrThrow()).data

test.each(paths)('a storage of %s has a pace if one is set, and changes of it are in the event log', async (path) => {
  const { id } = (await ask('POST', path, draftOf(path)).expect(200)).body
  const recordOf = async () => (await ask('GET', path).expect(200)).body.elements[0]
  const record = await recordOf()
  expect(record.pace).toBeNull()
  const pace = { maxLookups: 32, maxEntriesPerSecond: 500, maxMediaFilesPerSecond: 20, quietHours }
  await ask('PUT', `${path}/${id}`, { ...draftOf(path), pace }).expect(204)
  expect(await recordOf()).toEqual({ ...record, pace })
  expect(await lastChange()).toMatchObject({ before: { pace: null }, after: { pace } })
  await ask('PUT', `${path}/${id}`, { ...draftOf(path), pace }).expect(204)
  const { before, after } = (await lastChange()) as unknown as Record<'before' | 'after', object>
  expect(JSON.stringify(after)).toBe(JSON.stringify(before))
  await ask('PUT', `${path}/${id}`, { ...draftOf(path), pace: { maxEntriesPerSecond: 1 } }).expect(204)
  const usual = path === files || path === shares ? 256 : 64
  expect((await recordOf()).pace).toEqual({ maxLookups: usual, maxEntriesPerSecond: 1, quietHours: null })
  await ask('PUT', `${path}/${id}`, draftOf(path)).expect(204)
  expect(await lastChange()).toMatchObject({ before: { pace: { maxEntriesPerSecond: 1 } }, after: { pace: null } })
})

const range = (max: number) => `must be a whole number from 1 to ${max}`
const time = 'must be a time such as 07:30'
const quiet = (wrong: object) => ({ quietHours: { ...quietHours, ...wrong } })
test.each([
  [files, { maxLookups: 0 }, `pace.maxLookups ${range(1024)}`],
  [files, { maxLookups: 1025 }, `pace.maxLookups ${range(1024)}`],
  [files, { maxLookups: 2.5 }, `pace.maxLookups ${range(1024)}`],
  [shares, { maxLookups: 'many' }, `pace.maxLookups ${range(1024)}`],
  [buckets, { maxLookups: 65 }, `pace.maxLookups ${range(64)}`],
  [powerScales, { maxLookups: 65 }, `pace.maxLookups ${range(64)}`],
  [archiwares, { maxLookups: -1 }, `pace.maxLookups ${range(64)}`],
  [files, { maxEntriesPerSecond: 0 }, `pace.maxEntriesPerSecond ${range(10_000_000)}`],
  [files, { maxMediaFilesPerSecond: 0 }, `pace.maxMediaFilesPerSecond ${range(10_000)}`],
  [files, { maxEntriesPerSecond: '500' }, `pace.maxEntriesPerSecond ${range(10_000_000)}`],
  [files, quiet({ from: '24:00' }), `pace.quietHours.from ${time}`],
  [files, quiet({ to: '7:30' }), `pace.quietHours.to ${time}`],
  [files, quiet({ to: '22:00' }), 'pace.quietHours.to must be a different time than From'],
  [files, quiet({ maxLookups: 0 }), `pace.quietHours.maxLookups ${range(1024)}`],
  [
    files,
    { maxLookups: 7, ...quiet({}) },
    'pace.quietHours.maxLookups must be at most 7, the limit outside quiet hours',
  ],
  [
    buckets,
    { ...quiet({ maxLookups: 64 }), maxLookups: 32 },
    'pace.quietHours.maxLookups must be at most 32, the limit outside quiet hours',
  ],
] as [Path, object, string][])(
  'a storage of %s with the pace %j is refused at the field',
  async (path, pace, message) => {
    const { body } = await ask('POST', path, { ...draftOf(path), pace }).expect(400)
    const faults = body.subErrors.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`)
    expect(faults).toEqual([message])
    expect((await ask('GET', path)).body.total).toBe(0)
  },
)
