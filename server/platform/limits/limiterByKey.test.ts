import { expect, test } from 'vitest'
import { openLimiterByKey } from './limiterByKey.ts'

function piece(name: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = () => (begun.push(name), promise)
  return { work, end: () => resolve(name) }
}

test('work with the same key runs one after another, in parallel to other keys', async () => {
  const limiter = openLimiterByKey('It is closed')
  const begun: string[] = []
  const pieces = { a1: piece('a1', begun), a2: piece('a2', begun), b1: piece('b1', begun) }
  const all = Promise.all([
    limiter.take('a', pieces.a1.work),
    limiter.take('a', pieces.a2.work),
    limiter.take('b', pieces.b1.work),
  ])
  await expect.poll(() => begun).toEqual(['a1', 'b1'])
  pieces.b1.end()
  pieces.a1.end()
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2'])
  pieces.a2.end()
  expect(await all).toEqual(['a1', 'a2', 'b1'])
})

test('failed and canceled work lets the next of its key start', async () => {
  const limiter = openLimiterByKey('It is closed')
  const begun: string[] = []
  const last = piece('last', begun)
  const caller = new AbortController()
  const fails = limiter.take('a', () => Promise.reject(new Error('broken')))
  const waits = limiter.take('a', () => Promise.resolve('never'), caller.signal)
  const comes = limiter.take('a', last.work)
  caller.abort(new Error('called off'))
  await expect(waits).rejects.toThrow('called off')
  await expect(fails).rejects.toThrow('broken')
  await expect.poll(() => begun).toEqual(['last'])
  last.end()
  expect(await comes).toBe('last')
})

test('the end refuses waiting and new work, and waits for running work', async () => {
  const limiter = openLimiterByKey('It is closed')
  const begun: string[] = []
  const first = piece('first', begun)
  const runs = limiter.take('a', first.work)
  const waits = limiter.take('a', () => Promise.resolve('never')).catch(({ message }: Error) => message)
  await expect.poll(() => begun).toEqual(['first'])
  const closed = limiter.close()
  expect(await waits).toBe('It is closed')
  await expect(limiter.take('b', () => Promise.resolve('never'))).rejects.toThrow('It is closed')
  first.end()
  await closed
  expect(await runs).toBe('first')
})

test('with a share a few of a key run at once, a few wait, and one that is called off makes room', async () => {
  const limiter = openLimiterByKey('It is closed')
  const begun: string[] = []
  const done = Promise.withResolvers<string>()
  const refuse = () => {
    throw new Error('too many')
  }
  const take = (name: string, signal?: AbortSignal, running = 2) =>
    limiter.take('a', () => (begun.push(name), done.promise), signal, { running, waiting: 1, refuse })
  const caller = new AbortController()
  const running = [take('one'), take('two')]
  const waits = take('three', caller.signal)
  await expect(take('four')).rejects.toThrow('too many')
  caller.abort(new Error('called off'))
  await expect(waits).rejects.toThrow('called off')
  const next = take('five')
  expect(begun).toEqual(['one', 'two'])
  const more = take('six', undefined, 4)
  await expect.poll(() => begun).toEqual(['one', 'two', 'five', 'six'])
  done.resolve('done')
  expect(await Promise.all([...running, next, more])).toEqual(Array(4).fill('done'))
})
