import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { change } from './change.ts'
import { onAppended, readStream } from './eventLog.ts'

const db = await testDb()
const ana = { name: 'ana', address: '192.0.2.7' }
let pushed: LiveEvent[]
const platform = { db, live: (event: LiveEvent) => void pushed.push(event) }
beforeEach(() => {
  pushed = []
})

test('a change is recorded with its user, followers are woken and browsers notified after the commit', async () => {
  // Other work of this process wakes followers as well.
  const woken: number[] = []
  onTestFinished(onAppended(async () => void woken.push((await readStream(db, 'volume-1')).length)))
  const result = await change(platform, ana, ['agents', 'jobs'], async ({ record, recordFact }) => {
    await record('volume-1', { after: { name: 'new' } })
    await record('volume-1', { before: { name: 'new' }, after: { name: 'newer' } })
    await record('volume-1', { before: { name: 'newer' } })
    await recordFact('volume-1', { type: 'Forgotten' })
    expect(pushed).toEqual([])
    return 7
  })
  expect(result).toBe(7)
  const recorded = await readStream<{ type: string }>(db, 'volume-1')
  expect(recorded.map(({ event, actor }) => [event.type, actor])).toEqual(
    ['Created', 'Changed', 'Removed', 'Forgotten'].map((type) => [type, 'ana']),
  )
  expect(pushed).toEqual([{ type: 'changed', topics: ['agents', 'jobs'] }])
  await expect.poll(() => woken).toContain(recorded.length)
})

test('a failed change leaves nothing behind and is not announced', async () => {
  const failed = change(platform, ana, ['agents'], async ({ record }) => {
    await record('volume-2', { after: {} })
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect([await readStream(db, 'volume-2'), pushed]).toEqual([[], []])
})

test('the result may say what is to be read again, or that nothing is', async () => {
  const work = (count: number) =>
    change(
      platform,
      ana,
      (n) => (n > 0 ? ['tags'] : []),
      async () => count,
    )
  await work(0)
  expect(pushed).toEqual([])
  await work(1)
  expect(pushed).toEqual([{ type: 'changed', topics: ['tags'] }])
})
