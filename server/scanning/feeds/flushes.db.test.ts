import { afterAll, beforeEach, expect, test } from 'vitest'
import { now } from '#events/contract/endpoint.ts'
import { blockOf } from '#events/node/blocks/testing/blockOf.ts'
import type { LiveEvent } from '#events/live.ts'
import { subjects } from '#events/subjects.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { testNatsServer, testPlatform } from '#server/platform/testing/stores.ts'
import { applyFlush } from '#server/content/snapshots/index.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { rowOf } from '#server/content/snapshots/oracle/scanFolders.ts'
import { startFeeds } from './index.ts'
import { agentOf, followedStorage, scanAgain } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const shown: Awaited<ReturnType<typeof applyFlush>> = { type: 'shown', asOf: 1, list: [] }
let applied: { volumeId: number; blocks: number[] }[] = []
let apply: typeof applyFlush
/** Blocks are named by the number of their rows. */
const applyBlocks: typeof applyFlush = async (_, { volumeId, blocks }) => {
  applied.push({ volumeId, blocks: blocks.map((block) => blocksBySize.get(block.length) ?? 0) })
  return shown
}
/** Two servers on the same stores. */
const other = { ...platform, nats: await openNats((await testNatsServer()).url) }
const maxBytes = 100_000
const options: Parameters<typeof startFeeds>[1] = { apply: (stores, flush) => apply(stores, flush), maxBytes }
const servers = [startFeeds(platform, options), startFeeds(other, options)]
afterAll(async () => {
  for (const server of servers) await server.stop()
  await other.nats.close()
})

const blocksBySize = new Map<number, number>()
function block(rows: number): Buffer {
  const bytes = blockOf((writer) => {
    for (let n = 0; n < rows; n++) writer.add(rowOf({ path: `/${n}` }))
  })
  blocksBySize.set(bytes.length, rows)
  return bytes
}

const volume = await followedStorage(platform, 'films', [{ path: '', entries: [] }])
const agent = agentOf(platform)
const [order] = await agent.follow()
const session = order?.session ?? ''
const refusals = async () => {
  const rows = await db.selectFrom('refusedMessages').selectAll().orderBy('agentId').execute()
  return Object.fromEntries(rows.map(({ reason, agentId, messages }) => [`${agentId}: ${reason}`, messages]))
}
beforeEach(async () => {
  applied = []
  apply = applyBlocks
  await db.deleteFrom('refusedMessages').execute()
})

test('applies a flush of one block, and tells browsers of both servers', async () => {
  const told: LiveEvent[] = []
  const heard = other.nats.connection.subscribe(subjects.live, {
    callback: (_, message) => void told.push(message.json()),
  })
  expect(await agent.flush({ volume, session }, block(3))).toEqual(shown)
  expect(applied).toEqual([{ volumeId: volume, blocks: [3] }])
  await expect.poll(() => told).toEqual([{ type: 'changed', topics: ['live'] }])
  heard.unsubscribe()
})

test('collects the blocks of a flush in order, when any server receives them', async () => {
  for (let number = 1; number <= 8; number++) {
    for (let part = 1; part <= 4; part++)
      expect(await agent.flush({ volume, session, number, part, last: false }, block(part))).toEqual({ type: 'stored' })
    expect(await agent.flush({ volume, session, number, part: 5 }, block(5))).toEqual(shown)
  }
  expect(applied).toEqual(Array.from({ length: 8 }, () => ({ volumeId: volume, blocks: [1, 2, 3, 4, 5] })))
})

test('refuses blocks in another order, of another flush or without the first one', async () => {
  const over = { type: 'over', reason: 'The blocks of the flush are not in order' }
  const part = (number: number, part: number, last = false) =>
    agent.flush({ volume, session, number, part, last }, block(1))
  expect(await part(1, 1)).toEqual({ type: 'stored' })
  expect([await part(1, 3), await part(2, 2), await part(2, 2, true)]).toEqual([over, over, over])
  expect(await part(1, 2, true)).toEqual(shown)
  expect(await part(1, 3, true)).toEqual(over)
  // A flush that is sent again replaces what arrived of it.
  await part(3, 1)
  await part(3, 1)
  expect(await part(3, 2, true)).toEqual(shown)
  expect(applied.map(({ blocks }) => blocks.length)).toEqual([2, 2])
  expect(await refusals()).toEqual({})
})

test('answers a flush of a session that has ended as over, and counts one of another agent', async () => {
  const old = crypto.randomUUID()
  expect(await agent.flush({ volume, session: old }, block(1))).toEqual({ type: 'over', reason: 'The session is over' })
  expect(await refusals()).toEqual({})
  await db.insertInto('agents').values({ id: 2, name: 'other' }).execute()
  expect(await agentOf(platform, 2).flush({ volume, session }, block(1))).toMatchObject({ type: 'over' })
  expect(await agent.flush({ volume: 999_999, session }, block(1))).toMatchObject({ type: 'over' })
  // It can't continue, or end, the flush that the agent of the storage started.
  expect(await agent.flush({ volume, session, last: false }, block(1))).toEqual({ type: 'stored' })
  expect(await agentOf(platform, 2).flush({ volume, session, part: 2 }, block(1))).toMatchObject({ type: 'over' })
  expect(await agent.flush({ volume, session, part: 2 }, block(2))).toEqual(shown)
  expect(applied).toEqual([{ volumeId: volume, blocks: [1, 2] }])
  expect(await refusals()).toEqual({
    '1: a flush of no storage of this agent': 1,
    '2: a flush of no storage of this agent': 1,
  })
})

test('counts garbage, and continues', async () => {
  const whole = block(3)
  const asIs = (bytes: Uint8Array) => Buffer.from(bytes)
  const bad = [
    await agent.flush({ volume, session }, Buffer.from('no zstd'), asIs as never),
    await agent.flush({ volume, session }, Buffer.alloc(0), asIs as never),
    await agent.flush({ volume, session }, whole.subarray(0, -1)),
    await agent.flush({ volume, session }, Buffer.alloc(33 * 1024 * 1024)),
    await agent.flush({ volume: -1, session }, whole),
    await agent.flush({ volume, session, part: 0 }, whole),
    await agent.flush({ volume, session, number: 1e21 }, whole),
  ]
  expect(bad.map(({ type }) => type)).toEqual(bad.map(() => 'over'))
  expect(await refusals()).toEqual({
    '1: a block that ends too early': 1,
    '1: a flush that does not unpack': 3,
    '1: a flush without valid headers': 3,
  })
  expect(await agent.flush({ volume, session }, whole)).toEqual(shown)
})

test('ends a flush with more blocks than fit into memory', async () => {
  const large = block(500)
  const answers = []
  for (let part = 1; part <= 20; part++) {
    answers.push((await agent.flush({ volume, session, part, last: false }, large)).type)
    if (answers.at(-1) !== 'stored') break
  }
  expect(answers).toEqual([...Array(Math.floor(maxBytes / large.length)).fill('stored'), 'over'])
  expect(await refusals()).toEqual({ '1: a flush that is too large': 1 })
})

test('applies one flush of a storage at a time, and asks for one again that a store did not take', async () => {
  const release = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  apply = async (stores, flush) => {
    begun.resolve()
    await release.promise
    return applyBlocks(stores, flush)
  }
  await servers.pop()?.stop()
  const first = agent.flush({ volume, session }, block(1))
  await begun.promise
  expect(await agent.flush({ volume, session, number: 2 }, block(2))).toMatchObject({ type: 'later' })
  release.resolve()
  expect(await first).toEqual(shown)
  apply = async () => {
    throw new Error('The store is away')
  }
  expect(await agent.flush({ volume, session, number: 3 }, block(3))).toEqual({
    type: 'later',
    reason: "The server can't store changes right now",
  })
  expect(applied).toEqual([{ volumeId: volume, blocks: [1] }])
})

test('shows what a flush lists until the next scan', async () => {
  apply = applyFlush
  const rows = blockOf((writer) => {
    writer.add(rowOf({ path: '/a', size: 5 }))
    writer.addListed(rowOf({ path: '' }), 1)
  })
  const shownNow = async () =>
    [...(await readRows(platform, volume, now)).values()].map(({ name, size }) => [name, size])
  expect(await agent.flush({ volume, session }, rows)).toMatchObject({ type: 'shown', list: [] })
  expect(await shownNow()).toEqual([
    ['', 5],
    ['a', 5],
  ])
  await scanAgain(platform, volume, [{ path: '', entries: [{ path: '/b', size: 7 }] }])
  expect(await agent.flush({ volume, session }, rows)).toEqual({ type: 'over', reason: 'The session is over' })
  expect(await shownNow()).toEqual([
    ['', 7],
    ['b', 7],
  ])
})
