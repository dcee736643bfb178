import { createInbox } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { handlersFor } from '#server/scans/testing/startScanning.ts'
import { startAgentRequests } from './agentRequests.ts'

const platform = await testPlatform()
const { connection } = platform.nats
const requests = startAgentRequests(platform, handlersFor(platform))
afterAll(() => requests.stop())

const question = JSON.stringify({ taskId: 1, run: 'a run' })
const ask = (reply: string | undefined) =>
  connection.publish(subjects.startTask(1), question, reply === undefined ? {} : { reply })

test('an agent is answered below its own inbox, and a question to be answered elsewhere is refused and counted', async () => {
  const own = createInbox('_INBOX_agent-1')
  const elsewhere = ['live', 'tasks.agent-1', 'ask.2.cancel', '_INBOX_agent-2.x', '_INBOX_agent-11.x', '_INBOX_agent-1']
  const reached: string[] = []
  for (const subject of [own, ...elsewhere])
    connection.subscribe(subject, { callback: (_, message) => void reached.push(message.subject) })
  for (const reply of elsewhere) ask(reply)
  ask(undefined)
  ask(own)
  const refused = () => platform.db.selectFrom('refusedMessages').selectAll().execute()
  await expect.poll(refused).toMatchObject([{ agentId: 1, messages: elsewhere.length + 1 }])
  await expect.poll(() => reached).toContain(own)
  expect(reached).toEqual([own])
})
