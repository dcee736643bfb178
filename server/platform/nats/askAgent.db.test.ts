import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { headers, type Msg } from 'nats'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { respond } from '#agent/requestHandlers.ts'
import { FolderProbe } from '#events/sources/folderCheck.ts'
import { testNats } from '#server/platform/testing/stores.ts'
import { askAgent } from './askAgent.ts'

const nats = await testNats()
const list = z.array(z.string())

/** Asks an agent that answers with this function. */
async function ask<A extends z.ZodType>(reply: (message: Msg) => unknown, answer: A) {
  const subscription = nats.connection.subscribe('test.ask', { max: 1, callback: (_, message) => void reply(message) })
  try {
    return await askAgent(nats, 'test.ask', {}, { answer, timeoutMs: 20_000 })
  } finally {
    subscription.unsubscribe()
  }
}

test.each([3, 20_000])('an answer with %i long names arrives whole', async (count) => {
  const names = Array.from(
    { length: count },
    (_, i) => `Collection ${i} of the season, with a title as people give them`,
  )
  expect(await ask((message) => respond(message, names), list)).toEqual(names)
})

/** Texts that hardly get smaller when they are compressed. */
const randomNames = (count: number) => Array.from({ length: count }, () => randomBytes(40).toString('base64url'))

test('lists that do not fit into a message are cut at their ends, and the answer says so', async () => {
  const lists = z.object({
    reason: z.null(),
    names: z.array(z.string()),
    plans: z.array(z.string()),
    hasMore: z.boolean(),
  })
  const names = randomNames(100_000)
  const sent = { reason: null, names, plans: ['a'] }
  const cut = lists.parse(await ask((message) => respond(message, sent), z.unknown()))
  expect(cut).toMatchObject({ reason: null, hasMore: true })
  expect(cut.names.length).toBeGreaterThan(10_000)
  expect(cut.names).toEqual(names.slice(0, cut.names.length))
})

test('lists that are small only when compressed are cut to what the server unpacks', async () => {
  const names = Array.from({ length: 1_000_000 }, () => 'the same long name of a bucket')
  const cut = await ask(
    (message) => respond(message, { names }),
    z.object({ names: z.array(z.string()), hasMore: z.literal(true) }),
  )
  expect(cut?.names.length).toBeGreaterThan(300_000)
})

test('an answer without a list that does not fit is reported as too large, and not as an agent that is offline', async () => {
  const answer = { reason: randomNames(40_000).join(' '), names: [] }
  await expect(ask((message) => respond(message, answer), z.unknown())).rejects.toThrow(
    "The agent's answer is too large to be sent",
  )
})

test('an answer that unpacks to more than the server takes is refused', async () => {
  const marked = headers()
  marked.set('Content-Encoding', 'gzip')
  const bomb = gzipSync(Buffer.alloc(32 * 1024 ** 2, ' '))
  await expect(ask((message) => message.respond(bomb, { headers: marked }), list)).rejects.toThrow(/larger than 16 MB/)
})

const packed = (text: string) => (message: Msg) => {
  const marked = headers()
  marked.set('Content-Encoding', 'gzip')
  message.respond(gzipSync(text), { headers: marked })
}
const look = (folders: string) =>
  `{"reason":null,"field":null,"isEmpty":false,"hasMore":false,"folders":[${folders.slice(0, -1)}]}`
const cannotBeUsed = "The agent's answer can't be used"

test.each([
  ['15 MB of numbers', look('1,'.repeat(7_500_000)), 'More than 500,000 values'],
  ['empty objects', look('{},'.repeat(5_000_000)), 'More than 500,000 values'],
  ['3,000,000 levels', look(`${'['.repeat(3_000_000)},`), 'Lists and objects in more than 64 levels'],
  ['more folders than an answer names', look('"a",'.repeat(400_000)), 'folders: Too big'],
  ['wrong folders', look('1,'.repeat(900)), 'folders.0: Invalid input'],
  ['damaged JSON', look('"a",'.repeat(9)).slice(0, -5), 'it is not JSON'],
  ['damaged JSON of 15 MB', `"${'a'.repeat(15_000_000)}`, 'it is not JSON'],
])('an answer with %s is refused, and nothing waits', async (_, text, reason) => {
  const before = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const answer = ask(packed(text), FolderProbe)
  await expect(answer).rejects.toMatchObject({ status: 502 })
  await expect(answer).rejects.toThrow(`${cannotBeUsed} (${reason}`)
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan(3_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(250 * 1024 ** 2)
})

test('an answer that does not unpack is refused', async () => {
  const marked = headers()
  marked.set('Content-Encoding', 'gzip')
  const answer = ask((message) => message.respond('no gzip', { headers: marked }), FolderProbe)
  await expect(answer).rejects.toThrow(`${cannotBeUsed} (it does not unpack)`)
})
