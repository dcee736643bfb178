import { expect, test } from 'vitest'
import { strangersLane } from './strangersLane.ts'

/** Work that ends on request. */
function pending() {
  let end = (): void => {}
  const work = new Promise<void>((resolve) => (end = resolve))
  return { run: () => work, end: () => end() }
}

test('strangers are served a few at a time in their order, and refused when too many wait', async () => {
  const lane = strangersLane({ running: 2, waiting: 3, waitingOfNetwork: 2 })
  const started: string[] = []
  const works = ['a', 'b', 'c', 'd', 'e'].map((name, at) => {
    const { run, end } = pending()
    const done = lane(`192.0.2.${at}`, () => {
      started.push(name)
      return run()
    })
    return { done, end }
  })
  await Promise.resolve()
  expect(started).toEqual(['a', 'b'])
  await expect(lane('192.0.2.9', async () => 'never')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 5 })
  works[1]?.end()
  await works[1]?.done
  await expect.poll(() => started).toEqual(['a', 'b', 'c'])
  for (const { end } of works) end()
  await Promise.all(works.map(({ done }) => done))
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await lane('192.0.2.9', async () => 'served')).toBe('served')
})

test('one network cannot fill the queue, and a failure frees its place', async () => {
  const lane = strangersLane({ running: 1, waiting: 10, waitingOfNetwork: 2 })
  const { run, end } = pending()
  const first = lane('2001:db8::1', run)
  const ofOne = ['2001:db8::2', '2001:db8::3'].map((address) =>
    lane(address, () => Promise.reject(new Error('wrong password'))),
  )
  await expect(lane('2001:db8::4', async () => 'never')).rejects.toMatchObject({ status: 429 })
  const other = lane('2001:db8:1::1', async () => 'served')
  end()
  await first
  expect((await Promise.allSettled(ofOne)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await other).toBe('served')
})
