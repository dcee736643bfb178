import { expect, test } from 'vitest'
import { keyIn } from '../../systems/s3/simulator/answers.ts'
import { followedBucket, notificationOf } from './testing.ts'

/* Public reports about consumers of S3 notifications that lost, invented or blocked on messages. Each is done again here. */

const created = (key: string, bucket = 'media') => notificationOf({ bucket, key, name: 'ObjectCreated:Put' })
const encoded = (key: string, text: string) => JSON.parse(JSON.stringify(created(key)).replace(keyIn(key, true), text))

/** A bucket whose messages the test sends. */
async function silentBucket(keys: string[] = []) {
  const feed = await followedBucket({ keys, notifies: false })
  await feed.until('LIVE')
  return feed
}

// https://github.com/vectordotdev/vector/pull/7470, https://github.com/minio/minio/issues/11665
test('keys are encoded as in forms, by MinIO with their slashes, and by EventBridge not at all', async () => {
  const feed = await silentBucket()
  for (const key of ['a b/c+d/1', 'e f/g+h/2', 'i j/k+l%20/3']) feed.put(key)
  feed.queue.send(created('a b/c+d/1'))
  feed.queue.send(encoded('e f/g+h/2', 'e+f%2Fg%2Bh%2F2'))
  const detail = { bucket: { name: 'media' }, object: { key: 'i j/k+l%20/3' } }
  feed.queue.send({ source: 'aws.s3', 'detail-type': 'Object Created', detail })
  await feed.quiet()
  expect(feed.server.flushes.flat()).toEqual(expect.arrayContaining(['/a b/c+d', '/e f/g+h', '/i j/k+l%20']))
  expect(await feed.differences()).toEqual([])
})

// https://github.com/raster-foundry/raster-foundry/issues/242
test('the test of a new configuration changes nothing, and is deleted', async () => {
  const feed = await silentBucket(['a'])
  feed.queue.send({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: 'media', Time: '2026-01-01T00:00:00Z' })
  await feed.quiet()
  expect([feed.queue.size(), feed.server.flushes]).toEqual([0, []])
})

// Topics of SNS wrap notifications in a message of their own.
test('notifications in the envelope of SNS are read', async () => {
  const feed = await silentBucket()
  feed.put('a/b')
  feed.queue.send({ Type: 'Notification', TopicArn: 'arn', Message: JSON.stringify(created('a/b')) })
  await feed.quiet()
  expect(feed.server.flushes.flat()).toContain('/a')
})

// https://github.com/stackshy/cloudemu/pull/571, https://github.com/awsdocs/amazon-s3-developer-guide/pull/93
test('a delete marker removes the object, and the deletion of an old version does not', async () => {
  const feed = await silentBucket(['a/gone', 'a/kept'])
  feed.remove('a/gone')
  feed.queue.send(notificationOf({ bucket: 'media', key: 'a/gone', name: 'ObjectRemoved:DeleteMarkerCreated' }))
  feed.queue.send(notificationOf({ bucket: 'media', key: 'a/kept', name: 'ObjectRemoved:Delete' }))
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
  expect(feed.server.state().join()).toContain('kept')
})

// https://github.com/cherweg/logstash-input-s3-sns-sqs/issues/60, https://github.com/aws/aws-sdk-net/issues/1119
test('a message about an object that is gone meanwhile, sent twice and after the deletion, invents nothing', async () => {
  const feed = await silentBucket(['a/b'])
  feed.queue.send(notificationOf({ bucket: 'media', key: 'n/new', name: 'ObjectRemoved:Delete' }))
  for (let n = 0; n < 2; n++) feed.queue.send(created('n/new'))
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
  expect(feed.queue.size()).toBe(0)
})

// https://github.com/elastic/beats/pull/14102
test('messages of others stay in the queue, and if there are no own ones the storage says so', async () => {
  const feed = await silentBucket(['a'])
  feed.queue.send(created('x', 'other'))
  await feed.until('UNAVAILABLE', /has notifications of the bucket other, and none of media. Send/)
  feed.put('own')
  feed.queue.send(created('own'))
  await feed.until('LIVE')
  for (let n = 0; n < 40; n++) await feed.step()
  expect(feed.queue.size()).toBe(1)
  feed.queue.send('no JSON')
  for (let n = 0; n < 20; n++) await feed.step()
  expect([feed.queue.size(), feed.feed().status().state]).toEqual([2, 'LIVE'])
})
