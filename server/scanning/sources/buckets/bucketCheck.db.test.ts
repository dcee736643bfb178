import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { bucketRoutes } from './routes.ts'
import { bucketAgent, credentials, credentialsPath, path, planted } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, bucketRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const agent = bucketAgent(platform)

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
  expect(agent.asked).toMatchObject({ type: 'names', store: { type: 'S3', region: 'eu-west-1', secretKey: planted } })
  agent.answer = { reason: 'Amazon S3 does not know this Access key ID', field: 'credentials', names: [] }
  expect(await check({ name: '' })).toEqual({ reason: agent.answer.reason, field: 'credentials' })
  // Keys of one bucket may not list all of them.
  agent.answer = { reason: 'These credentials have no right to list buckets', isDenied: true, names: [] }
  expect(await check({ name: '' })).toEqual({ reason: null, field: null })
  expect(await check({ prefix: 'films/2024' })).toEqual({ reason: agent.answer.reason, field: null })
  expect(agent.asked).toMatchObject({ type: 'access', store: { bucket: 'films', prefix: 'films/2024' } })
  agent.answer = undefined
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
  expect(agent.asked).toMatchObject({ type: 'names', store: { type: 'S3', accessKey: 'AKIA2', secretKey: 'typed' } })
  agent.answer = { reason: 'Amazon S3 does not know this Access key ID', field: 'credentials', names: [] }
  expect(await check({ accessKey: null, privateKey: null }, id)).toEqual({
    reason: agent.answer.reason,
    field: 'credentials',
  })
  expect(agent.asked).toMatchObject({ store: { accessKey: 'AKIA1', secretKey: planted } })
  // Keys of one bucket may not list all of them.
  agent.answer = { reason: 'These credentials have no right to list buckets', isDenied: true, names: [] }
  expect(await check()).toEqual({ reason: null, field: null })
  // Keys of Backblaze belong to a region, which only buckets have.
  agent.asked = undefined
  agent.answer = { reason: 'Unknown', names: [] }
  expect(await check({ type: 'BACKBLAZE_B2' })).toEqual({ reason: null, field: null })
  expect(agent.asked).toBeUndefined()
  await ask('POST', `${credentialsPath}/check`, { id: 999, draft: { ...credentials, accessKey: null } }).expect(404)
})
