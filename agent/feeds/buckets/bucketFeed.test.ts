import { expect, test } from 'vitest'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { followedBucket } from './testing.ts'

/** Keys as people and programs make them: marks of folders, names without a folder, empty names, a file with the name of a folder. */
const odd = ['a', 'a/', 'a/b', 'a/b/c', 'a//x', '/lead', 'sp ace/pl+us/ü%20', 'd/e/f/g', 'd', 'x'.repeat(300)]

test('reports new, changed and deleted objects, and folders that appear and vanish with them', async () => {
  const feed = await followedBucket({ keys: ['a/b/c', 'z'] })
  expect(await feed.until('LIVE')).toMatchObject({ behindMs: 0 })
  for (const key of odd) feed.put(key, 5)
  feed.remove('z')
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
  for (const key of ['a/b', 'a/b/c', 'd/e/f/g', '/lead']) feed.remove(key)
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
  expect(feed.queue.size()).toBe(0)
})

test.each([1, 2, 3])(
  'equals a scan after random changes, doubled, late and lost messages, and restarts, %i',
  async (seed) => {
    const random = newRandom(seed)
    const queue = { random: () => random.next(), doubled: 0.2, undeleted: 0.2, lost: 0.05, hiddenMs: 60 }
    const feed = await followedBucket({ keys: ['p/a/b', 'q'], prefix: seed % 2 ? 'p' : '', ...queue })
    await feed.until('LIVE')
    const path = () => ['p', 'q', 'a', 'b', ''].slice(0, 1 + random.below(5))
    for (let n = 0; n < 60; n++) {
      const key = Array.from({ length: 1 + random.below(4) }, () => random.pick(path())).join('/') || 'p/x'
      if (random.chance(0.6)) feed.put(key, n)
      else feed.remove(key)
      if (random.chance(0.4)) await feed.step(random.below(1_500), random.chance(0.3) ? () => undefined : feed.answer)
      if (random.chance(0.05)) feed.restart()
      if (random.chance(0.05)) await feed.rescan()
    }
    feed.queue.behaviour.lost = 0
    await feed.quiet()
    expect(await feed.differences()).toEqual([])
  },
)

test('keeps messages until their folder is shown, so that a restart receives them again', async () => {
  const feed = await followedBucket({ hiddenMs: 50 })
  await feed.until('LIVE')
  feed.put('a/one')
  for (let n = 0; n < 30; n++) await feed.step(100, () => undefined)
  expect(feed.queue.size()).toBe(1)
  expect(feed.feed().status().behindMs).toBeGreaterThan(0)
  feed.restart()
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
})

test('lists a folder that changes all the time for a small part of the time', async () => {
  const feed = await followedBucket()
  await feed.until('LIVE')
  feed.store.behaviour.pageMs = 20
  for (let n = 0; n < 60; n++) {
    feed.put(`a/${n}`)
    await feed.step(100)
  }
  // At most as often as a local folder: each two seconds.
  expect(feed.server.flushes.length).toBeLessThanOrEqual(5)
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
})

test('says what to do while the queue or the bucket can not be read, and is live again afterwards', async () => {
  const feed = await followedBucket({ refusal: 'AccessDeniedException' })
  await feed.until('UNAVAILABLE', /no right to read the queue. Add sqs:ReceiveMessage and sqs:DeleteMessage/)
  feed.queue.behaviour.refusal = 'QueueDoesNotExist'
  await feed.until('UNAVAILABLE', /There is no queue at http:.*Check its URL/)
  feed.queue.behaviour.refusal = undefined
  const { since } = await feed.until('LIVE')
  expect(since).not.toBeNull()
  feed.store.behaviour.misbehaviour = 'html' as never
  feed.put('a/b')
  await feed.until('UNAVAILABLE', /./)
  feed.store.behaviour.misbehaviour = undefined
  await feed.until('LIVE')
  await feed.quiet()
  expect(await feed.differences()).toEqual([])
})
