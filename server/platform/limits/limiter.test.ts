import { expect, test } from 'vitest'
import { openLimiter } from './limiter.ts'

function piece(name: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = () => (begun.push(name), promise)
  return { work, end: () => resolve(name) }
}

test('work without a free place waits in order', async () => {
  const limiter = openLimiter(2, 'It is closed')
  const begun: string[] = []
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => piece(name, begun))
  const all = Promise.all([a, b, c, d].map((one) => limiter.take(one!.work)))
  await expect.poll(() => begun).toEqual(['a', 'b'])
  b!.end()
  await expect.poll(() => begun).toEqual(['a', 'b', 'c'])
  a!.end()
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'd'])
  c!.end()
  d!.end()
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
})

test('waiting work can be canceled, and takes no place', async () => {
  const limiter = openLimiter(1, 'It is closed')
  const begun: string[] = []
  const [a, b, c] = ['a', 'b', 'c'].map((name) => piece(name, begun))
  const caller = new AbortController()
  const first = limiter.take(a!.work)
  const second = limiter.take(b!.work, caller.signal)
  const third = limiter.take(c!.work)
  caller.abort(new Error('no more'))
  await expect(second).rejects.toThrow('no more')
  a!.end()
  c!.end()
  expect(await Promise.all([first, third])).toEqual(['a', 'c'])
  expect(begun).toEqual(['a', 'c'])
})

test('a failure frees the place', async () => {
  const limiter = openLimiter(1, 'It is closed')
  await expect(limiter.take(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await limiter.take(() => Promise.resolve(1))).toBe(1)
})

test('closing waits for running work and refuses waiting and new work', async () => {
  const limiter = openLimiter(1, 'It is closed')
  const begun: string[] = []
  const [a, b] = ['a', 'b'].map((name) => piece(name, begun))
  const first = limiter.take(a!.work)
  const second = limiter.take(b!.work)
  const closed = limiter.close().then(() => 'closed')
  await expect(second).rejects.toThrow('It is closed')
  await expect(limiter.take(b!.work)).rejects.toThrow('It is closed')
  expect(await Promise.race([closed, Promise.resolve('open')])).toBe('open')
  a!.end()
  expect(await Promise.all([first, closed])).toEqual(['a', 'closed'])
})
