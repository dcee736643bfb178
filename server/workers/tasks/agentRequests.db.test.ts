import { createInbox } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { protocolVersion } from '#events/agents.ts'
import { subjects } from '#events/subjects.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { handlersFor } from '#server/scanning/scans/testing/startScanning.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { startAgentRequests } from './agentRequests.ts'

const platform = await testPlatform()
const { connection } = platform.nats
const requests = startAgentRequests(platform, handlersFor(platform))
afterAll(() => requests.stop())

test('only the run that holds the key of its agent gets tasks, and an agent that is too old learns that', async () => {
  const volumeIds = [await createFileStorage(platform.db, { name: 'films', path: '/films' })]
  await queueScans(platform.db, { ids: volumeIds, cloneIndex: true, by: system })
  const { id: taskId } = await platform.db.selectFrom('tasks').select('id').executeTakeFirstOrThrow()
  await platform.db.updateTable('agents').set({ run: 'the holder' }).where('id', '=', 1).execute()
  const askAs = async (who: { run: string; protocol?: number }) => {
    const options = { timeout: 10_000, noMux: true, reply: createInbox('_INBOX_agent-1') }
    const message = JSON.stringify({ taskId, ...who })
    return (await connection.request(subjects.startTask(1), message, options)).json()
  }
  expect(await askAs({ run: 'another', protocol: protocolVersion })).toMatchObject({ type: 'later' })
  expect(await askAs({ run: 'the holder' })).toEqual({
    type: 'over',
    reason: 'This agent is too old for the server and gets no tasks. Update it to the version of the server.',
  })
  const { attempt } = await platform.db.selectFrom('scans').select('attempt').executeTakeFirstOrThrow()
  expect(attempt).toBe(0)
  expect(await askAs({ run: 'the holder', protocol: protocolVersion })).toMatchObject({
    type: 'scan',
    order: { attempt: 1 },
  })
})

const question = JSON.stringify({ taskId: 1, run: 'a run' })
const ask = (reply: string | undefined) =>
  connection.publish(subjects.startTask(1), question, reply === undefined ? {} : { reply })

test('an agent is answered below its own inbox, and a request with a foreign reply subject is refused and counted', async () => {
  const own = createInbox('_INBOX_agent-1')
  const elsewhere = [
    'live',
    'tasks.1.SCAN_VOLUMES',
    'ask.2.cancel',
    '_INBOX_agent-2.x',
    '_INBOX_agent-11.x',
    '_INBOX_agent-1',
  ]
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
