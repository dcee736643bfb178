import { Events, type NatsConnection } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { subjects } from '#events/subjects.ts'
import { ensureStreams, type Nats, openNats, taskConsumer } from '#server/platform/nats.ts'
import { testFolder } from '#server/platform/testing.ts'
import { findNatsServer } from './findNatsServer.ts'
import { startLocalNats } from './natsServer.ts'

const local = await startLocalNats(
  testFolder('nats'),
  findNatsServer(testFolder('tools'), () => {}),
)
const server = await openNats(local.url, { seed: local.natsCredential })
await ensureStreams(server)
await taskConsumer(server, 1)
await taskConsumer(server, 2)
const asAgent = (agentId: number, seed: string) => openNats(local.url, { seed, inboxPrefix: `_INBOX_agent-${agentId}` })
const agent = await asAgent(1, local.agentSeed)
afterAll(async () => {
  await agent.close()
  await server.close()
  await local.stop()
})

/** The permission violations that the server told this connection of, from now on. */
function violations({ connection }: Nats): string[] {
  const found: string[] = []
  void (async () => {
    for await (const { type, permissionContext } of connection.status())
      if (type === Events.Error && permissionContext)
        found.push(`${permissionContext.operation} ${permissionContext.subject}`)
  })()
  return found
}

const heard = (connection: NatsConnection, subject: string): string[] => {
  const words: string[] = []
  connection.subscribe(subject, { callback: (_, message) => words.push(message.string()) })
  return words
}

test('an agent publishes its scans, works on its tasks and answers what it is asked', async () => {
  const ack = await agent.js.publish(subjects.entries(1, 5), 'rows', { msgID: '5.1.1' })
  expect(ack.stream).toBe('SCANS')
  await server.js.publish(subjects.tasks(1), 'a notice')
  const consumer = await agent.js.consumers.get('TASKS', 'agent-1')
  const notice = await consumer.next()
  expect(notice?.string()).toBe('a notice')
  expect(await notice?.ackAck()).toBe(true)
  agent.connection.subscribe(subjects.cancel(1), { callback: (_, message) => void message.respond('cancelled') })
  await agent.connection.flush()
  expect((await server.connection.request(subjects.cancel(1), '')).string()).toBe('cancelled')
  server.connection.subscribe(subjects.startTask(1), { callback: (_, message) => void message.respond('an order') })
  await server.connection.flush()
  expect((await agent.connection.request(subjects.startTask(1), '')).string()).toBe('an order')
})

test('an agent speaks for no other, hears no other, and changes no stream', async () => {
  const told = violations(agent)
  const scans = heard(server.connection, 'scans.2.>')
  const beats = heard(server.connection, 'agents.2.>')
  await server.connection.flush()
  const { connection } = agent
  const published = [
    subjects.entries(2, 5),
    subjects.heartbeat(2),
    subjects.live,
    subjects.tasks(1),
    '$JS.API.STREAM.PURGE.SCANS',
    '$JS.API.STREAM.MSG.GET.SCANS',
    '$JS.API.CONSUMER.MSG.NEXT.TASKS.agent-2',
    '$JS.API.CONSUMER.MSG.NEXT.SCANS.ingest-entries',
    '$JS.API.CONSUMER.DELETE.TASKS.agent-1',
  ]
  for (const subject of published) connection.publish(subject, 'forged')
  const subscribed = ['_INBOX_agent-2.>', '_INBOX.>', 'ask.2.>', 'scans.>', 'agents.>', 'tasks.>', '>']
  for (const subject of subscribed) connection.subscribe(subject, { callback: () => {} })
  await expect.poll(() => told.length).toBe(published.length + subscribed.length)
  expect(told.toSorted()).toEqual(
    [
      ...published.map((subject) => `publish ${subject}`),
      ...subscribed.map((subject) => `subscription ${subject}`),
    ].sort(),
  )
  await server.connection.flush()
  expect([scans, beats]).toEqual([[], []])
  expect((await server.jsm.streams.info('SCANS')).state.messages).toBe(1)
})

test('an agent that is added may sign in, and those that are there stay', async () => {
  let lost = 0
  void (async () => {
    for await (const { type } of agent.connection.status()) if (type === Events.Disconnect) lost++
  })()
  const seed = local.agentCredential(2)
  const signedIn = () => asAgent(2, seed).catch(() => undefined)
  let second: Nats | undefined
  await expect.poll(async () => (second ??= await signedIn()) !== undefined).toBe(true)
  await server.js.publish(subjects.tasks(2), 'for the second')
  const consumer = await second!.js.consumers.get('TASKS', 'agent-2')
  expect((await consumer.next({ expires: 5_000 }))?.string()).toBe('for the second')
  await second!.close()
  await agent.connection.flush()
  expect(lost).toBe(0)
})
