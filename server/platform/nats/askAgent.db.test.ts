import { gzipSync } from 'node:zlib'
import { headers, type Msg } from 'nats'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { respond } from '#agent/requestHandlers.ts'
import { testNats } from '#server/platform/testing/stores.ts'
import { askAgent } from './askAgent.ts'

const nats = await testNats()
const answer = z.array(z.string())

/** Asks an agent that answers with this function. */
async function ask(reply: (message: Msg) => unknown) {
  const subscription = nats.connection.subscribe('test.ask', { max: 1, callback: (_, message) => void reply(message) })
  try {
    return await askAgent(nats, 'test.ask', {}, { answer, timeoutMs: 2_000 })
  } finally {
    subscription.unsubscribe()
  }
}

test.each([3, 20_000])('an answer with %i long names arrives whole', async (count) => {
  const names = Array.from(
    { length: count },
    (_, i) => `Collection ${i} of the season, with a title as people give them`,
  )
  expect(await ask((message) => respond(message, names))).toEqual(names)
})

test('an answer that unpacks to more than the server takes is refused', async () => {
  const marked = headers()
  marked.set('Content-Encoding', 'gzip')
  const bomb = gzipSync(Buffer.alloc(32 * 1024 ** 2, ' '))
  await expect(ask((message) => message.respond(bomb, { headers: marked }))).rejects.toThrow(/larger than/)
})
