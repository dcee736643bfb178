import { expect, test } from 'vitest'
import type { OrderProgress } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { sendOrder } from './sendOrder.ts'

test('a backup whose server dies ends with that reason, and signs of life are not printed', async () => {
  const nats = await testNats()
  const { url } = await testNatsServer()
  const news: OrderProgress[] = [
    { type: 'step', words: 'Postgres: 3 tables' },
    { type: 'alive', words: '' },
  ]
  nats.connection.subscribe(subjects.backup, {
    callback: (_, message) => news.forEach((one) => message.respond(JSON.stringify(one))),
  })
  const said: string[] = []
  const order = sendOrder(
    { url, seed: undefined },
    { subject: subjects.backup, request: {}, called: 'the backup' },
    (words) => said.push(words),
    500,
  )
  await expect(order).rejects.toThrow('The server stopped responding: the backup is not complete.')
  expect(said).toEqual(['Postgres: 3 tables'])
})
