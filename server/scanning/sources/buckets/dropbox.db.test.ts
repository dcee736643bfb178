import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { BucketQuestion } from '#events/sources/bucketQuestion.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testPriceBook, testSession } from '#server/testing.ts'
import { bucketRoutes } from './routes.ts'
import { startDropbox } from './testing.ts'

const platform = await testPlatform()
const storagePrice = await testPriceBook(platform.db)
const { db, nats } = platform
const plantedCode = 'planted-CODE-7731'
const plantedToken = 'planted-TOKEN-5526'
const path = '/api/v1/dropbox-credentials'

let dropbox: Awaited<ReturnType<typeof startDropbox>>
let asked: BucketQuestion | undefined
nats.connection.subscribe(subjects.bucket(1), {
  callback: (_, message) => {
    asked = BucketQuestion.parse(message.json())
    message.respond(JSON.stringify({ reason: null, names: [] }))
  },
})

let ask: ReturnType<typeof asUser>
let askAsOther: ReturnType<typeof asUser>
let askWithoutKey: ReturnType<typeof asUser>
beforeAll(async () => {
  dropbox = await startDropbox({ code: plantedCode, token: plantedToken })
  const withKey = { ...platform, config: { ...platform.config, dropboxAppKey: 'appkey12', dropboxApi: dropbox.url } }
  const app = createApp(withKey, bucketRoutes(withKey))
  const own = await testSession(db, ['ROLE_ADMIN'])
  ask = asUser(app, own)
  askAsOther = asUser(app, await testSession(db, ['ROLE_ADMIN']))
  askWithoutKey = asUser(createApp(platform, bucketRoutes(platform)), own)
})
afterAll(() => dropbox.close())
beforeEach(async () => {
  await sql`TRUNCATE volumes, buckets, bucket_credentials, events RESTART IDENTITY CASCADE`.execute(db)
  Object.assign(dropbox, { forms: [], isSpent: false, answer: undefined })
})

const wrongOf = (body: { subErrors: { field: string; message: string }[] }) =>
  body.subErrors.map(({ field, message }) => `${field} ${message}`)
const add = async (): Promise<number> =>
  (await ask('POST', path, { name: 'Agency', code: plantedCode }).expect(200)).body.id
const draft = (awsCredentialsId: number, more: object = {}) => ({
  storagePrice,
  description: 'Agency',
  type: 'DROPBOX',
  path: '/Films/2026',
  awsCredentialsId,
  ...more,
})

test('a code is exchanged at once by the key of its link, and only the sign-in is kept, sealed', async () => {
  const link = new URL((await ask('GET', `${path}/link`).expect(200)).body.url)
  expect(link.origin + link.pathname).toBe('https://www.dropbox.com/oauth2/authorize')
  const { code_challenge: challenge, ...rest } = Object.fromEntries(link.searchParams)
  expect(rest).toEqual({
    client_id: 'appkey12',
    response_type: 'code',
    token_access_type: 'offline',
    scope: 'files.metadata.read account_info.read sharing.read',
    code_challenge_method: 'S256',
  })
  const id = await add()
  const [{ code_verifier: verifier, ...sent }] = dropbox.forms.map((form) => Object.fromEntries(form)) as [
    Record<string, string>,
  ]
  expect(sent).toEqual({ grant_type: 'authorization_code', code: plantedCode, client_id: 'appkey12' })
  expect(createHash('sha256').update(verifier!).digest('base64url')).toBe(challenge)
  const listed = await ask('GET', '/api/v1/bucket-credentials')
  expect(listed.body.elements).toEqual([
    { id, name: 'Agency', type: 'DROPBOX', signIn: 'keys', url: '', isPasswordLost: false },
  ])
  const stored = [
    await db.selectFrom('bucketCredentials').selectAll().execute(),
    await db.selectFrom('events').selectAll().execute(),
  ]
  expect(JSON.stringify(stored)).not.toMatch(/planted/)
})

test('the code of one user is worth nothing to another', async () => {
  const challenges = await Promise.all(
    [ask, askAsOther].map(async (user) => new URL((await user('GET', `${path}/link`)).body.url).search),
  )
  expect(challenges[0]).not.toBe(challenges[1])
})

test('a folder of it is scanned, and the agent receives everything that it needs', async () => {
  const id = await add()
  await ask('POST', '/api/v1/buckets', draft(id, { path: ' /Films/2026/ ' })).expect(200)
  expect(asked?.store).toEqual({
    type: 'DROPBOX',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    refreshToken: plantedToken,
    appKey: 'appkey12',
    path: '/Films/2026',
  })
  const [{ id: bucket, ...listed }] = (await ask('GET', '/api/v1/buckets')).body.elements
  expect(listed).toMatchObject({ name: '', path: '/Films/2026', type: 'DROPBOX', region: '' })
  await ask('PUT', `/api/v1/buckets/${bucket}`, draft(id, { path: '/', name: 'Dropbox' })).expect(204)
  expect(asked?.store).toMatchObject({ path: '/' })
  expect(await db.selectFrom('volumes').select('path').execute()).toEqual([{ path: 'dropbox:/' }])
  expect((await ask('POST', `/api/v1/buckets/names?credentialsId=${id}`).expect(200)).body).toEqual([])
})

test.each([
  ['', "path Path can't be empty"],
  ['Films', 'path must begin with /'],
  ['/Films//2026', 'path must name each folder, without . and ..'],
  ['/Films/../2026', 'path must name each folder, without . and ..'],
])('a folder %j is refused', async (folder, message) => {
  const { body } = await ask('POST', '/api/v1/buckets', draft(await add(), { path: folder })).expect(400)
  expect(wrongOf(body)).toEqual([message])
})

test('a code that Dropbox refuses is reported at its field in the words of Dropbox, without the code', async () => {
  const { body, text } = await ask('POST', path, { name: 'Agency', code: 'planted-OLD' }).expect(400)
  expect(wrongOf(body)).toEqual(["code was refused by Dropbox: code … doesn't exist or has expired. Get a new code"])
  expect(text).not.toContain('planted')
  expect((await ask('GET', '/api/v1/bucket-credentials')).body.total).toBe(0)
})

test.each([
  [401, { error: 'invalid_client' }, 409, 'Dropbox does not know the app key in DROPBOX_APP_KEY'],
  [503, {}, 502, 'Dropbox is too busy (status 503). Get a new code later'],
])('an answer %i of Dropbox that is not about the code is reported as such', async (status, said, told, message) => {
  dropbox.answer = { status, body: said }
  const { body } = await ask('POST', path, { name: 'Agency', code: plantedCode }).expect(told)
  expect(body.message).toBe(message)
})

test('a name that is taken is refused before the code is spent', async () => {
  await add()
  dropbox.isSpent = false
  const { body } = await ask('POST', path, { name: 'agency', code: plantedCode }).expect(400)
  expect([wrongOf(body), dropbox.isSpent]).toEqual([['name must be unique'], false])
})

test('without a new code the sign-in stays; a new one replaces it', async () => {
  const id = await add()
  await ask('PUT', `${path}/${id}`, { name: 'Agency Ltd', code: null }).expect(204)
  expect(dropbox.forms).toHaveLength(1)
  dropbox.isSpent = false
  await ask('PUT', `${path}/${id}`, { id, name: 'Agency Ltd', type: 'DROPBOX', accessKey: plantedCode }).expect(204)
  expect(dropbox.forms).toHaveLength(2)
  expect((await ask('PUT', `${path}/99`, { name: 'None', code: null })).status).toBe(404)
})

test.each([
  [{}, 'code is required'],
  [{ code: null }, 'code is required'],
  [{ code: ' ' }, 'code must be between 1 and 10000 characters'],
  [{ code: 'a', accessKey: 'b' }, 'code must be the same as accessKey'],
  [{ code: 'a', type: 'S3' }, 'type must be one of DROPBOX'],
])('credentials with %j are refused by name', async (wrong, message) => {
  const { body } = await ask('POST', path, { name: 'Agency', ...wrong }).expect(400)
  expect(wrongOf(body)).toEqual([message])
})

test('credentials of another provider are not changed as those of Dropbox, nor the other way round', async () => {
  const keys = { name: 'Studio', type: 'S3', accessKey: 'AKIA1', privateKey: 'secret', url: '' }
  const { id } = (await ask('POST', '/api/v1/bucket-credentials', keys).expect(200)).body
  const mistaken = await ask('PUT', `${path}/${id}`, { name: 'Studio', code: plantedCode }).expect(400)
  expect([wrongOf(mistaken.body), dropbox.isSpent]).toEqual([['type cannot be changed'], false])
  const other = await ask('PUT', `/api/v1/bucket-credentials/${await add()}`, keys).expect(400)
  expect(wrongOf(other.body)).toEqual(['type cannot be changed'])
})

test('without an app key Dropbox has no link, and its calls say what is missing', async () => {
  expect((await askWithoutKey('GET', `${path}/link`).expect(200)).body).toEqual({ url: null })
  const { body } = await askWithoutKey('POST', path, { name: 'Agency', code: plantedCode }).expect(409)
  expect(body.message).toContain('DROPBOX_APP_KEY')
})
