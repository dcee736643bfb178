import type { lookup } from 'node:dns'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import type { TransportOptions } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { forever, keysOf } from '../testing.ts'
import { type BucketOptions, bucketNames, openS3 } from './index.ts'
import type { misbehaviours } from './simulator/misbehaviours.ts'
import { account, openMedia, simulator } from './testing.ts'

/** Why the first page of a bucket fails, which must name no key. */
async function failure(
  store: { url: string },
  changes: Partial<BucketOptions> = {},
  transport: TransportOptions = {},
): Promise<string> {
  const error: unknown = await keysOf(openMedia(store, changes, transport)).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ScanFailed)
  const shown = JSON.stringify([String(error), (error as Error).stack, { ...(error as Error) }])
  for (const key of [account.secretKey, changes.secretKey ?? account.secretKey, account.accessKey]) {
    expect(shown).not.toContain(key)
  }
  return (error as Error).message
}
const atAmazon = (store: { port: number }) => [{ type: 'S3', region: 'eu-west-1' }, { toPort: store.port }] as const

test('wrong keys, missing rights and missing buckets are reported as such', async () => {
  const reader = {
    accessKey: 'AKIAWITHOUTRIGHTS',
    secretKey: 'another-SECRET-9920',
    mayListObjects: false,
    mayListBuckets: false,
  }
  const store = await simulator({ accounts: [account, reader] })
  expect(await failure(store, { accessKey: 'AKIANOBODYKNOWS00' })).toBe(
    `The endpoint ${store.url} does not know this access key ID`,
  )
  expect(await failure(store, { secretKey: 'wrong-secret-0001' })).toBe(
    'The secret access key does not belong to the access key ID',
  )
  expect(await failure(store, { bucket: 'nothing.here' })).toBe(`The endpoint ${store.url} has no bucket nothing.here`)
  const { mayListObjects: _, mayListBuckets: __, ...keys } = reader
  expect(await failure(store, keys)).toBe('These credentials have no right to list the bucket media (s3:ListBucket)')
  const names = bucketNames({ type: 'OTHER', endpoint: store.url, ...keys }, forever)
  await expect(names).rejects.toThrow(`no right to list buckets at the endpoint ${store.url} (s3:ListAllMyBuckets)`)
})

test('each provider has its own words', async () => {
  const store = await simulator()
  const to = { toPort: store.port }
  const unknown = { accessKey: 'AKIANOBODYKNOWS00' }
  expect(await failure(store, { type: 'BACKBLAZE_B2', region: 'us-west-004', ...unknown }, to)).toBe(
    'Backblaze B2 does not know this keyID in the region us-west-004; the master application key does not work with S3',
  )
  const oracle = { type: 'ORACLE_OBJECT_STORAGE', region: 'eu-paris-1', namespace: 'axspace' } as const
  expect(await failure(store, { ...oracle, ...unknown }, to)).toBe(
    'Oracle Object Storage does not know this access key, or not in the namespace axspace and the region eu-paris-1',
  )
  expect(await failure(store, { ...oracle, secretKey: 'wrong-secret-0001' }, to)).toBe(
    'The secret key does not belong to the access key, or the region eu-paris-1 is wrong',
  )
  expect(await failure(store, { ...oracle, bucket: 'absent' }, to)).toBe(
    'Oracle Object Storage has no bucket absent in the namespace axspace in the region eu-paris-1',
  )
  expect(await failure(store, { type: 'WASABI', region: 'eu-west-2', bucket: 'absent' }, to)).toBe(
    'Wasabi has no bucket absent in the region eu-west-2',
  )
  expect(store.requests.map((address) => address.split('?')[0])).toEqual([
    's3.us-west-004.backblazeb2.com/media/',
    'axspace.compat.objectstorage.eu-paris-1.oci.customer-oci.com/media/',
    'axspace.compat.objectstorage.eu-paris-1.oci.customer-oci.com/media/',
    'axspace.compat.objectstorage.eu-paris-1.oci.customer-oci.com/absent/',
    's3.eu-west-2.wasabisys.com/absent/',
  ])
})

test('a wrong clock is reported with the difference', async () => {
  const store = await simulator({ behaviour: { aheadMs: 20 * 60_000 } })
  expect(await failure(store)).toBe(
    `The clock of the agent's machine is 20 minutes behind that of the endpoint ${store.url}`,
  )
  store.behaviour.aheadMs = -90 * 60_000
  expect(await failure(store, ...atAmazon(store))).toMatch(
    /is 90 minutes ahead of that of Amazon S3 \(media\.s3\.eu-west-1/,
  )
})

test('an invalid endpoint, region, namespace or bucket is refused before any request', () => {
  const opened = (changes: Partial<BucketOptions>) => () =>
    openS3({ type: 'OTHER', endpoint: 'https://s3.example.com', bucket: 'media', prefix: '', ...account, ...changes })
  const endpoints = {
    's3.example.com': 'The URL is not complete',
    'ftp://s3.example.com': "The URL must begin with 'https://' or 'http://'",
    'file:///etc/passwd': "The URL must begin with 'https://' or 'http://'",
    'https://me:secret@s3.example.com': 'The URL must not hold a user name or a password',
    'https://s3.example.com/?a=b': "The URL must not hold '?' or '#'",
    'http://169.254.169.254': 'must not be 169.254.169.254, a cloud metadata address, which is blocked',
    'http://0xA9FEA9FE/latest': 'must not be 169.254.169.254',
    'http://2852039166': 'must not be 169.254.169.254',
    'http://[fd00:ec2::254]': 'must not be [fd00:ec2::254]',
    'http://[::ffff:169.254.169.254]': 'must not be [::ffff:a9fe:a9fe]',
    'http://[fe80::1]': 'must not be [fe80::1]',
  }
  for (const [endpoint, reason] of Object.entries(endpoints)) expect(opened({ endpoint })).toThrow(reason)
  expect(opened({ type: 'S3', region: 'eu-west-1.evil.example/' })).toThrow("'eu-west-1.evil.example/' is not a region")
  expect(opened({ type: 'WASABI', region: '' })).toThrow("'' is not a region")
  const oracle = { type: 'ORACLE_OBJECT_STORAGE', region: 'eu-paris-1' } as const
  expect(opened(oracle)).toThrow('The namespace is missing')
  expect(opened({ ...oracle, namespace: 'evil.example/' })).toThrow("'evil.example/' is not an Oracle namespace")
  for (const bucket of ['a/b', '..', 'a..b', 'arn:aws:s3:::x', '@evil.example', '', 'a?b', 'a b']) {
    expect(opened({ bucket })).toThrow(bucket === '' ? 'The name of the bucket is missing' : 'is not a bucket name')
  }
})

test('an endpoint that resolves to a cloud metadata address gets no request', async () => {
  const leadsTo = (address: string) =>
    ((_host: string, options: { all?: boolean }, found: (error: null, address: unknown, family?: number) => void) =>
      options.all
        ? found(null, [
            { address: '127.0.0.1', family: 4 },
            { address, family: 4 },
          ])
        : found(null, address, 4)) as unknown as typeof lookup
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.10.1']) {
    expect(await failure({ url: 'http://s3.example.test' }, {}, { resolve: leadsTo(address) })).toBe(
      'The host s3.example.test resolves to a cloud metadata address, which is blocked',
    )
  }
})

test('a host that is unknown, refuses, disconnects or never answers is reported by name', async () => {
  const unknown = {
    resolve: ((_: string, __: object, found: (error: Error) => void) =>
      found(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }))) as unknown as typeof lookup,
  }
  expect(await failure({ url: 'http://s3.example.test' }, {}, unknown)).toBe(
    `The agent can't find the host "s3.example.test". Check the name, or DNS on the agent's machine.`,
  )
  expect(await failure({ url: '' }, { type: 'S3', region: 'eu-west-9' }, unknown)).toBe(
    `The agent can't find the host "media.s3.eu-west-9.amazonaws.com". Check the region eu-west-9, or DNS on the agent's machine.`,
  )
  const closed = await simulator()
  await closed.close()
  expect(await failure(closed)).toBe('The host 127.0.0.1 refused the connection: nothing answers there')
  const store = await simulator({ behaviour: { misbehaviour: 'silent' } })
  expect(await failure(store, {}, { idleMs: 200 })).toBe('The host 127.0.0.1 does not answer')
  store.behaviour.misbehaviour = 'stalled'
  expect(await failure(store, {}, { idleMs: 200 })).toBe('The host 127.0.0.1 does not answer')
  store.behaviour.misbehaviour = 'cutOff'
  expect(await failure(store)).toBe('The host 127.0.0.1 ended the connection: is it https?')
})

test('a server without S3 is reported as such', async () => {
  const store = await simulator()
  const reasonFor = async (misbehaviour: keyof typeof misbehaviours) => {
    store.behaviour.misbehaviour = misbehaviour
    return (await failure(store)).replace(`The endpoint ${store.url} `, '')
  }
  expect(await reasonFor('html')).toBe('answers with a web page: it is not an S3 endpoint')
  expect(await reasonFor('htmlError')).toBe('answers with a web page: it is not an S3 endpoint')
  expect(await reasonFor('json')).toBe('does not answer as S3 does: The document has no root')
  expect(await reasonFor('halfDocument')).toBe('does not answer as S3 does: The document ends too early')
  expect(await reasonFor('endless')).toBe(
    'The store says that there are more keys, but not where: its answer has no new NextContinuationToken',
  )
  for (const misbehaviour of ['millionKeys', 'announcesGigabyte'] as const)
    expect(await reasonFor(misbehaviour)).toBe('sends a page that is too long to be a list of 1,000 keys')
  store.behaviour.misbehaviour = undefined
  store.behaviour.query = (query) => query.delete('prefix')
  expect(await failure(store, { prefix: 'odd/' })).toBe('The store lists keys outside the requested prefix')
})

test('a port with another protocol, or http instead of https and the reverse, is reported as such', async () => {
  const server = createServer((socket) => socket.end('220 mail.example.test ESMTP\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  expect(await failure({ url: `http://127.0.0.1:${port}` })).toBe(
    'The host 127.0.0.1 does not speak HTTP there: is it https?',
  )
  const store = await simulator()
  expect(await failure({ url: store.url.replace('http:', 'https:') })).toBe(
    'The host 127.0.0.1 does not speak TLS there: is it http?',
  )
})

test('a certificate of an unknown issuer is not trusted', async () => {
  const store = await simulator({ tls: certificate })
  expect(await failure(store)).toMatch(/^The certificate of 127\.0\.0\.1 is not trusted: it signed it itself\. /)
  expect(store.requests).toEqual([])
})

test('a busy store is retried later, after the delay that it requests', async () => {
  const store = await simulator({ behaviour: { busy: 1, busyHeaders: { 'retry-after': '7' } } })
  const media = openMedia(store)
  const page = () => media.page('', { idle: 0, signal: forever }).catch((error: unknown) => error)
  expect(await page()).toMatchObject({
    message: `The endpoint ${store.url} is too busy: SlowDown`,
    retryAfterMs: 7_000,
  })
  for (const busyStatus of [429, 500, 503] as const) {
    Object.assign(store.behaviour, { busy: 1, busyStatus, busyHeaders: {} })
    const error = await page()
    expect(error).toBeInstanceOf(StoreBusy)
    expect(error).toMatchObject({ retryAfterMs: undefined })
  }
  store.behaviour.misbehaviour = 'lateError'
  expect(await page()).toBeInstanceOf(StoreBusy)
})

test('once a store has answered, a connection that fails may work again later', async () => {
  const store = await simulator()
  const media = openMedia(store, {}, { idleMs: 200 })
  await media.check(forever)
  for (const misbehaviour of ['silent', 'stalled', 'cutOff'] as const) {
    store.behaviour.misbehaviour = misbehaviour
    await expect(media.page('', { idle: 0, signal: forever })).rejects.toBeInstanceOf(StoreBusy)
  }
})

test('a request that is given up ends with the reason, at once', async () => {
  const store = await simulator({ behaviour: { misbehaviour: 'silent' } })
  const controller = new AbortController()
  const asking = openMedia(store).page('', { idle: 0, signal: controller.signal })
  await expect.poll(() => store.requests.length).toBe(1)
  controller.abort(new Error('Cancelled'))
  await expect(asking).rejects.toThrow('Cancelled')
})
