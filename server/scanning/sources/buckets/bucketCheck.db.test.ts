import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { type BucketAnswer, BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { bucketRoutes } from './routes.ts'

const platform = await testPlatform()
const { db, nats } = platform
const ask = asUser(createApp(platform, bucketRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const credentialsPath = '/api/v1/bucket-credentials'
const path = '/api/v1/buckets'
const planted = 'planted-SECRET-9182'
const credentials = { name: 'Studio', type: 'S3', accessKey: 'AKIA1', privateKey: planted, url: '' }

/** The answer of the agent, and the last question it received. */
let answer: Partial<BucketAnswer> | undefined
let asked: BucketQuestion | undefined
nats.connection.subscribe(subjects.bucket(1), {
  callback: (_, message) => {
    asked = BucketQuestion.parse(message.json())
    if (answer) message.respond(JSON.stringify(answer))
  },
})

beforeEach(async () => {
  await sql`TRUNCATE volumes, buckets, bucket_credentials, scans, snapshots, jobs, events RESTART IDENTITY CASCADE`.execute(
    db,
  )
  answer = { reason: null, names: [] }
})

const addCredentials = async (): Promise<number> =>
  (await ask('POST', credentialsPath, credentials).expect(200)).body.id
const checked = {
  name: 'films',
  type: 'S3',
  region: 'eu-west-1',
  path: '',
  prefix: '',
  inventory: '',
  requesterPays: false,
  teamSpace: false,
}

test('a sign-in is tried without a bucket, and a bucket before it is saved, by the agent that scans buckets', async () => {
  const awsCredentialsId = await addCredentials()
  const check = async (more: object = {}) =>
    (await ask('POST', `${path}/check`, { ...checked, awsCredentialsId, ...more }).expect(200)).body
  expect(await check({ name: '' })).toEqual({ reason: null, field: null })
  expect(asked).toMatchObject({ type: 'names', store: { type: 'S3', region: 'eu-west-1', secretKey: planted } })
  answer = { reason: 'Amazon S3 does not know this Access key ID', field: 'credentials', names: [] }
  expect(await check({ name: '' })).toEqual({ reason: answer.reason, field: 'credentials' })
  // Keys of one bucket may not list all of them.
  answer = { reason: 'These credentials have no right to list buckets', isDenied: true, names: [] }
  expect(await check({ name: '' })).toEqual({ reason: null, field: null })
  expect(await check({ prefix: 'films/2024' })).toEqual({ reason: answer.reason, field: null })
  expect(asked).toMatchObject({ type: 'access', store: { bucket: 'films', prefix: 'films/2024' } })
  answer = undefined
  expect((await check()).reason).toBe('The agent does not respond, so the connection could not be checked')
  await ask('POST', `${path}/check`, { ...checked, awsCredentialsId: 999 }).expect(404)
  expect((await ask('GET', path).expect(200)).body.total).toBe(0)
}, 60_000)

test('credentials are tried before they are saved, with the stored keys where they stay', async () => {
  const id = await addCredentials()
  const check = async (changes: object = {}, stored: number | null = null) =>
    (await ask('POST', `${credentialsPath}/check`, { id: stored, draft: { ...credentials, ...changes } }).expect(200))
      .body
  expect(await check({ accessKey: 'AKIA2', privateKey: 'typed' })).toEqual({ reason: null, field: null })
  expect(asked).toMatchObject({ type: 'names', store: { type: 'S3', accessKey: 'AKIA2', secretKey: 'typed' } })
  answer = { reason: 'Amazon S3 does not know this Access key ID', field: 'credentials', names: [] }
  expect(await check({ accessKey: null, privateKey: null }, id)).toEqual({
    reason: answer.reason,
    field: 'credentials',
  })
  expect(asked).toMatchObject({ store: { accessKey: 'AKIA1', secretKey: planted } })
  // Keys of one bucket may not list all of them.
  answer = { reason: 'These credentials have no right to list buckets', isDenied: true, names: [] }
  expect(await check()).toEqual({ reason: null, field: null })
  // Keys of Backblaze belong to a region, which only buckets have.
  asked = undefined
  answer = { reason: 'Unknown', names: [] }
  expect(await check({ type: 'BACKBLAZE_B2' })).toEqual({ reason: null, field: null })
  expect(asked).toBeUndefined()
  await ask('POST', `${credentialsPath}/check`, { id: 999, draft: { ...credentials, accessKey: null } }).expect(404)
})
