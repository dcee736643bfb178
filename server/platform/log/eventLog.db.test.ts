import type { StreamName } from '#events/streams.ts'
import { expect, test } from 'vitest'
import { append, appendFact, readLog, readStream, system } from './eventLog.ts'
import { follow } from './follow.ts'
import { wakeFollowers } from './eventLog.ts'
import { testDb } from '#server/platform/testing/stores.ts'

const db = await testDb()
const at = '2026-01-01T00:00:00.000Z'
type Noted = { type: 'Noted'; at: string; note: string }
const note = (stream: StreamName, text: string) =>
  db.transaction().execute((trx) => append<Noted>(trx, stream, system, 1, () => [{ type: 'Noted', at, note: text }]))

test('events of a stream are numbered from one and returned in order', async () => {
  await note('volume-1', 'first')
  const { past, version } = await note('volume-1', 'second')
  expect(past.map(({ note }) => note)).toEqual(['first'])
  expect(version).toBe(2)
  expect((await readStream<Noted>(db, 'volume-1')).map(({ event }) => event.note)).toEqual(['first', 'second'])
})

test('a fact follows the last event of its stream, also of one whose beginning was pruned', async () => {
  const fact = (stream: StreamName) =>
    db.transaction().execute((trx) => appendFact(trx, stream, system, 1, { type: 'Noted', at }))
  await fact('volume-3')
  await fact('volume-3')
  await db.deleteFrom('events').where('stream', '=', 'volume-3').where('version', '=', 1).execute()
  await Promise.all([fact('volume-3'), fact('volume-3')])
  expect((await readStream(db, 'volume-3')).map(({ version }) => version)).toEqual([2, 3, 4])
})

test('events of a rolled back transaction never happened', async () => {
  const rolledBack = db.transaction().execute(async (trx) => {
    await append<Noted>(trx, 'volume-2', system, 1, () => [{ type: 'Noted', at, note: 'lost' }])
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await readStream(db, 'volume-2')).toEqual([])
})

test('a follower sees every event of sixteen writers once and in order', async () => {
  const from = (await readLog(db, 0, 1_000)).length
  const writers = 16
  const each = 25
  const seen: string[] = []
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const follower = follow(
    db,
    'counting',
    async ({ position, event }) => {
      seen.push(`${String(position).padStart(9, '0')} ${(event as Noted).note}`)
      if (seen.length === from + writers * each) resolve()
    },
    (error) => expect(error).toBeUndefined(),
  )
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let i = 0; i < each; i++) await note(`user-${writer}`, `${writer}/${i}`)
      wakeFollowers()
    }),
  )
  await all
  await follower.stop()
  expect(new Set(seen).size).toBe(seen.length)
  expect([...seen].sort()).toEqual(seen)
})

test('an event whose handler failed is retried, and those before it too', async () => {
  const tries = new Map<number, number>()
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const failures: unknown[] = []
  const follower = follow(
    db,
    'failing',
    async ({ position }) => {
      tries.set(position, (tries.get(position) ?? 0) + 1)
      if (position === 2 && tries.get(2) === 1) throw new Error('not now')
      if (position === 2) resolve()
    },
    (error) => failures.push(error),
  )
  await done
  await follower.stop()
  expect(failures).toHaveLength(1)
  expect(tries.get(2)).toBe(2)
})

test('an event that always fails is skipped with its reason after five tries, and later ones are handled', async () => {
  await note('volume-9', 'odd')
  await note('volume-9', 'later')
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const reasons: string[] = []
  let tries = 0
  const follower = follow(
    db,
    'patient',
    async ({ event }) => {
      if ((event as Noted).note === 'later') return resolve()
      if ((event as Noted).note !== 'odd') return
      tries++
      throw new Error('It is odd')
    },
    (error) => {
      reasons.push((error as Error).message)
      wakeFollowers()
    },
  )
  await done
  await follower.stop()
  expect(tries).toBe(5)
  expect(reasons.filter((reason) => /^Skipped the event at \d+ after 5 attempts$/.test(reason))).toHaveLength(1)
})
