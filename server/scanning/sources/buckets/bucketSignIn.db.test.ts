import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { bucketRoutes } from './routes.ts'
import { bucketAgent, credentials, credentialsPath, path, planted } from './testing.ts'

const platform = await testPlatform()
const storagePrice = await testPriceBook(platform.db)
const { db } = platform
const ask = asUser(createApp(platform, bucketRoutes(platform)), await testSession(db, ['ROLE_ADMIN']))
const agent = bucketAgent(platform)

const addCredentials = async (more: object = {}): Promise<number> =>
  (await ask('POST', credentialsPath, { ...credentials, ...more }).expect(200)).body.id
const films = { name: 'films', description: 'Films in the cloud', type: 'S3', region: 'eu-west-1', path: '' }
const draft = (awsCredentialsId: number) => ({ ...films, awsCredentialsId, storagePrice })
const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field} ${message}`)

test('credentials of a role have no keys, and reach the agent as such, also for the check', async () => {
  const role = { name: 'Of the instance', type: 'S3', signIn: 'role' }
  const { id } = (await ask('POST', credentialsPath, role).expect(200)).body
  await ask('POST', path, draft(id)).expect(200)
  expect(agent.asked).toMatchObject({ type: 'access', store: { usesRole: true, accessKey: '', secretKey: '' } })
  const listed = { id, ...role, url: '', isPasswordLost: false }
  expect((await ask('GET', credentialsPath)).body.elements).toEqual([listed])
  await ask('PUT', `${credentialsPath}/${id}`, { ...role, name: 'Renamed', accessKey: null }).expect(204)
  expect(await db.selectFrom('bucketCredentials').select(['name', 'signIn', 'accessKey']).execute()).toEqual([
    { name: 'Renamed', signIn: 'role', accessKey: '' },
  ])
})

test('keys replace a role and a role replaces keys; keys that are not stored cannot be kept', async () => {
  const id = await addCredentials({ sessionToken: 'token' })
  const bucket = (await ask('POST', path, draft(id)).expect(200)).body.id
  const change = async (sent: object) => {
    await ask('PUT', `${credentialsPath}/${id}`, { name: 'Studio', type: 'S3', ...sent }).expect(204)
    await ask('PUT', `${path}/${bucket}`, draft(id)).expect(204)
    return agent.asked?.store
  }
  expect(await change({ signIn: 'role' })).toMatchObject({ usesRole: true, accessKey: '', secretKey: '' })
  expect(agent.asked?.store).not.toHaveProperty('sessionToken')
  const kept = { name: 'Studio', type: 'S3', accessKey: null, privateKey: null }
  const { body } = await ask('PUT', `${credentialsPath}/${id}`, kept).expect(400)
  expect(wrongOf(body)).toEqual(['accessKey is required'])
  expect(await change({ accessKey: 'AKIA9', privateKey: planted })).not.toHaveProperty('usesRole')
  expect(agent.asked?.store).toMatchObject({ accessKey: 'AKIA9', secretKey: planted })
})

test('keys that are pasted with spaces, quotes and line breaks around them are accepted or named, never stored to fail', async () => {
  const id = await addCredentials({
    accessKey: ' AKIA1\u00a0\r\n',
    privateKey: `\ufeff${planted}\n`,
    sessionToken: '\tto+ken/1==\n',
  })
  await ask('POST', path, draft(id)).expect(200)
  expect(agent.asked?.store).toMatchObject({ accessKey: 'AKIA1', secretKey: planted, sessionToken: 'to+ken/1==' })
})

test.each([
  [{ signIn: 'role' }, 'accessKey is not used with a role', 'privateKey is not used with a role'],
  [{ type: 'WASABI', signIn: 'role', accessKey: '', privateKey: '' }, 'signIn can only be a role for Amazon S3'],
  [{ accessKey: '"AKIA1"' }, 'accessKey must be the key alone, without spaces, quotes or line breaks'],
  [{ accessKey: 'AKIA1 secret' }, 'accessKey must be the key alone, without spaces, quotes or line breaks'],
  [{ accessKey: 'AKIA\u200b1' }, 'accessKey must be the key alone, without spaces, quotes or line breaks'],
  [{ privateKey: 'half\nof it' }, 'privateKey must not contain line breaks or invisible characters'],
  [{ privateKey: 'secret\u200b' }, 'privateKey must not contain line breaks or invisible characters'],
  [{ sessionToken: 'to\r\nken' }, 'sessionToken must not contain line breaks or invisible characters'],
])('a sign-in with %j is refused by name', async (wrong, ...messages) => {
  const { body, text } = await ask('POST', credentialsPath, { ...credentials, ...wrong }).expect(400)
  expect(wrongOf(body)).toEqual(messages)
  expect(text).not.toContain(planted)
})
