import { expect, test } from 'vitest'
import { forever, keysOf } from '../testing.ts'
import { bucketNames } from './index.ts'
import { countedObjects } from './simulator/index.ts'
import { account, openMedia, simulator } from './testing.ts'

const inStockholm = { media: { objects: countedObjects(3_000), region: 'eu-north-1' } }
const amazon = { type: 'S3', region: 'us-east-1' } as const

test.each(['permanent', 'temporary', 'malformed'] as const)(
  'a bucket in another region is listed there (%s)',
  async (redirect) => {
    const store = await simulator({ buckets: inStockholm, behaviour: { redirect } })
    const media = openMedia(store, amazon, { toPort: store.port })
    expect(await keysOf(media, 0)).toHaveLength(3_000)
    const hosts = store.requests.map((address) => address.split('/')[0])
    expect(hosts).toEqual([
      'media.s3.us-east-1.amazonaws.com',
      ...Array.from({ length: 3 }, () => 'media.s3.eu-north-1.amazonaws.com'),
    ])
  },
)

test('a region in the name of a host alone is followed at the same provider', async () => {
  const store = await simulator({
    buckets: { media: { objects: countedObjects(10), region: 'eu-central-2' } },
    behaviour: { redirectTo: 's3.eu-central-2.wasabisys.com' },
  })
  const media = openMedia(store, { type: 'WASABI', region: 'us-east-1' }, { toPort: store.port })
  expect(await keysOf(media)).toHaveLength(10)
  expect(store.requests.map((address) => address.split('/')[0])).toEqual([
    's3.us-east-1.wasabisys.com',
    's3.eu-central-2.wasabisys.com',
    // Determines the spelling of spaces.
    's3.eu-central-2.wasabisys.com',
  ])
})

test('redirects to another provider, or in circles, are not followed', async () => {
  const store = await simulator({ buckets: inStockholm, behaviour: { redirectTo: 's3.eu-north-1.evil.example.com' } })
  const media = openMedia(store, amazon, { toPort: store.port })
  await expect(keysOf(media)).rejects.toThrow(
    'The bucket media is elsewhere (s3.eu-north-1.evil.example.com), not in the region us-east-1',
  )
  expect(store.requests).toHaveLength(1)
  store.behaviour.redirectTo = 'media.s3.us-west-2.amazonaws.com'
  await expect(keysOf(media)).rejects.toThrow('is elsewhere (media.s3.us-west-2.amazonaws.com)')
  expect(store.requests).toHaveLength(3)
})

test('a Custom S3 is signed for its region, and no other host gets a request', async () => {
  const store = await simulator({ buckets: inStockholm, behaviour: { redirect: 'malformed' } })
  expect(await keysOf(openMedia(store), 0)).toHaveLength(3_000)
  expect(store.requests).toHaveLength(5)
  Object.assign(store.behaviour, { redirect: 'permanent', redirectTo: '127.0.0.2' })
  await expect(keysOf(openMedia(store))).rejects.toThrow('The bucket media is elsewhere (127.0.0.2), not at 127.0.0.1')
})

test('endpoints that the machine has set for Amazon are not used', async () => {
  process.env['AWS_ENDPOINT_URL'] = 'http://127.0.0.1:9'
  try {
    const store = await simulator({ buckets: { media: { objects: countedObjects(10), region: 'us-east-1' } } })
    expect(await keysOf(openMedia(store, amazon, { toPort: store.port }))).toHaveLength(10)
    expect(store.requests[0]).toMatch(/^media\.s3\.us-east-1\.amazonaws\.com\/\?/)
  } finally {
    delete process.env['AWS_ENDPOINT_URL']
  }
})

test('names of buckets are returned in pages, in order; for Amazon those in the region', async () => {
  const objects = countedObjects(0)
  const names = Array.from({ length: 2_500 }, (_, i) => `bucket-${String(i).padStart(4, '0')}`)
  const store = await simulator({
    buckets: Object.fromEntries(
      names.map((name, i) => [name, { objects, region: i % 5 === 0 ? 'eu-west-3' : 'us-east-1' }]),
    ),
  })
  const inParis = await bucketNames({ type: 'S3', region: 'eu-west-3', ...account }, forever, { toPort: store.port })
  expect(inParis).toEqual(names.filter((_, i) => i % 5 === 0))
  const inVirginia = await bucketNames({ type: 'S3', region: 'us-east-1', ...account }, forever, { toPort: store.port })
  expect(inVirginia).toHaveLength(2_000)
  expect(store.requests).toHaveLength(3)
  expect(await bucketNames({ type: 'OTHER', endpoint: store.url, ...account }, forever)).toEqual(names)
})
