import { expect, test } from 'vitest'
import { networkOf } from '#server/platform/callers/guessing.ts'
import { Admission } from './admission.ts'
import { workLimits } from './workLimits.ts'

function piece(name: string, begun: string[]) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const work = () => (begun.push(name), promise)
  return { work, end: () => resolve(name) }
}

/** At most `count` at once, of one kind. */
function openLimiter(count: number, refusal: string) {
  const admission = new Admission(refusal, count)
  return {
    take: <T>(work: () => Promise<T>, signal?: AbortSignal) => admission.take([], work, { signal }),
    close: () => admission.close(),
  }
}

/** One at a time with the same key, or as many as the share says. */
function openLimiterByKey(refusal: string) {
  const admission = new Admission(refusal)
  type Share = { running: number; waiting: number; refuse: () => never }
  return {
    take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal, share?: Share) {
      const shared = share && { waitingPerKey: share.waiting, refusal: share.refuse }
      return admission.take([{ kind: 'test', perKey: share?.running ?? 1, ...shared }], work, { key, signal })
    },
    close: () => admission.close(),
  }
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

/** Work that ends on request. */
function pending() {
  let end = (): void => {}
  const work = new Promise<void>((resolve) => (end = resolve))
  return { run: () => work, end: () => end() }
}

/** The queue of sign-ins, with smaller limits. */
function strangersLane({
  running,
  waiting,
  waitingOfNetwork,
}: Record<'running' | 'waiting' | 'waitingOfNetwork', number>) {
  const admission = new Admission('It is closed')
  const limits = { ...workLimits.signIn, total: running, waiting, waitingPerKey: waitingOfNetwork }
  return <T>(address: string, work: () => Promise<T>) => admission.take([limits], work, { key: networkOf(address) })
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

test('work that is called off before it begins never begins', async () => {
  const limiter = openLimiter(1, 'It is closed')
  const callOff = new AbortController()
  const begun: string[] = []
  const taken = limiter.take(piece('a', begun).work, callOff.signal)
  callOff.abort(new Error('Called off'))
  await expect(taken).rejects.toThrow('Called off')
  expect(begun).toEqual([])
})
