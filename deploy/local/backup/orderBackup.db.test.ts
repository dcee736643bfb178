import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BackupProgress } from '#events/administration.ts'
import { subjects } from '#events/subjects.ts'
import { testFolder, testNats, testNatsServer } from '#server/platform/testing/stores.ts'
import { orderBackup } from './orderBackup.ts'

test('a backup whose server dies ends with that reason, and signs of life are no output', async () => {
  const nats = await testNats()
  const { url } = await testNatsServer()
  const news: BackupProgress[] = [
    { type: 'step', words: 'Postgres: 3 tables' },
    { type: 'alive', words: '' },
  ]
  nats.connection.subscribe(subjects.backup, {
    callback: (_, message) => news.forEach((one) => message.respond(JSON.stringify(one))),
  })
  const said: string[] = []
  const order = orderBackup(
    { url, seed: undefined },
    { folder: join(testFolder('backup'), 'new'), isEncrypted: false },
    (words) => said.push(words),
    500,
  )
  await expect(order).rejects.toThrow('The server stopped responding: the backup is not complete.')
  expect(said).toEqual(['Postgres: 3 tables'])
})
