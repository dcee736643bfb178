import { expect, test } from 'vitest'
import type { S3Store } from '#events/sources/buckets.ts'
import { listBuckets } from '../../requestHandlers.ts'
import { openStore } from '../objectStores.ts'
import { atOnce, keysOf } from '../testing.ts'
import { objectsOf } from './simulator/index.ts'
import { account, openMedia, simulator } from './testing.ts'

const objectsWith = (keys: readonly string[]) => objectsOf(keys.map((key) => ({ key, size: 1, modified: 1 })))
const amazon = { type: 'S3', region: 'eu-west-1' } as const
const inIreland = { objects: objectsWith(['a', 'b']), region: 'eu-west-1' }

test('temporary keys are used with their session token', async () => {
  const sessionToken = 'planted/TOKEN+8841=='
  const temporary = { ...account, sessionToken }
  const store = await simulator({ accounts: [temporary], buckets: { media: { objects: objectsWith(['a']) } } })
  expect(await keysOf(openMedia(store, { sessionToken }))).toEqual(['a'])
  await expect(keysOf(openMedia(store))).rejects.toThrow('does not know this access key ID')
  const wrong = keysOf(openMedia(store, { sessionToken: 'another' }))
  await expect(wrong).rejects.toThrow('The session token does not belong to these keys')
  const expired = await simulator({ accounts: [{ ...temporary, isExpired: true }] })
  const failure = await keysOf(openMedia(expired, { sessionToken })).then(String, (error: Error) => error.message)
  expect(failure).toMatch(/has expired\. Save new keys and their token in the credentials\.$/)
  expect(failure).not.toContain(sessionToken)
})

test('a bucket whose requester pays is listed if the storage says so, and the failure names it if not', async () => {
  const store = await simulator({ buckets: { media: { ...inIreland, isPaidByRequester: true } } })
  const to = { toPort: store.port }
  expect(await keysOf(openMedia(store, { ...amazon, requesterPays: true }, to))).toEqual(['a', 'b'])
  await expect(keysOf(openMedia(store, amazon, to))).rejects.toThrow(
    'no right to list the bucket media (s3:ListBucket), or the bucket requires that the requester pays',
  )
})

test('an access point is named by its ARN, which has the region', async () => {
  const store = await simulator({ buckets: { 'films-123456789012': inIreland } })
  const open = (bucket: string, more: object = {}) =>
    openMedia(store, { ...amazon, bucket, ...more }, { toPort: store.port })
  const arn = 'arn:aws:s3:eu-west-1:123456789012:accesspoint/films'
  expect(await keysOf(open(arn))).toEqual(['a', 'b'])
  expect(await keysOf(open(arn, { region: 'us-east-1' }))).toEqual(['a', 'b'])
  expect(store.requests[0]).toMatch(/^films-123456789012\.s3-accesspoint\.eu-west-1\.amazonaws\.com\//)
  expect(() => open('arn:aws:s3:::films')).toThrow('is not the ARN of an access point')
  expect(() => open('arn:aws:s3::123456789012:accesspoint/mfzwi23gnjvgw.mrap')).toThrow('Multi-region access points')
  expect(() => openMedia(store, { bucket: arn })).toThrow('is not a bucket name')
})

const keys = ['films/2024/a', 'films/2024/b/c', 'films/2024/', 'films/2024x/d', 'films/2025/e', 'g']
const stored = (url: string, more: Partial<S3Store> = {}): S3Store => ({
  type: 'OTHER',
  region: '',
  namespace: '',
  endpoint: url,
  bucket: 'media',
  ...account,
  ...more,
})

test('a bucket is scanned from the folder at which it starts, as if that was all of it', async () => {
  const hidden = { old: [{ key: 'films/2024/a', size: 5 }] }
  const store = await simulator({ buckets: { media: { objects: objectsWith(keys), hidden } } })
  const opened = await openStore(stored(store.url, { prefix: 'films/2024' }), '')
  expect((await keysOf(opened)).sort()).toEqual(['a', 'b/c'])
  await opened.versions?.(atOnce)
  opened.close()
  const below = await openStore(stored(store.url, { prefix: 'films/2024' }), '/b')
  expect(await keysOf(below)).toEqual(['b/c'])
  below.close()
  expect(store.requests.every((address) => address.includes('prefix=films%2F2024%2F'))).toBe(true)
})

test('the check of a connection uses the starting point, token and payer of the storage', async () => {
  const temporary = { ...account, sessionToken: 'planted-token' }
  const bucket = { objects: objectsWith(keys), isPaidByRequester: true }
  const { url } = await simulator({ accounts: [temporary], buckets: { media: bucket } })
  const ask = async (more: Partial<S3Store>) =>
    (await listBuckets(JSON.stringify({ type: 'access', store: stored(url, more) }))).reason
  const access = { sessionToken: 'planted-token', requesterPays: true }
  expect(await ask({ ...access, prefix: 'films/2024' })).toBe(null)
  expect(await ask({ ...access, prefix: 'films/2026' })).toBe('Nothing in media begins with films/2026/')
  expect(await ask({ ...access, requesterPays: false })).toMatch('no right to list the bucket media')
  expect(await ask({ requesterPays: true })).toMatch('does not know this access key ID')
})
