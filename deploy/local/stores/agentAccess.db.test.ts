import { Events, type JsMsg, type NatsConnection, nkeys } from 'nats'
import { afterAll, expect, test } from 'vitest'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { ensureStreams, type Nats, openNats, taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { findNatsServer } from './findNatsServer.ts'
import { startLocalNats } from './natsServer.ts'

const local = await startLocalNats(
  testFolder('nats'),
  findNatsServer(testFolder('tools'), () => {}),
)
const server = await openNats(local.url, { seed: local.natsCredential })
await ensureStreams(server)
await taskConsumers(server, 1)
await taskConsumers(server, 2)
const asAgent = (agentId: number, seed: string) => openNats(local.url, { seed, inboxPrefix: `_INBOX_agent-${agentId}` })
const agent = await asAgent(1, local.agentSeed)
afterAll(async () => {
  await agent.close()
  await server.close()
  await local.stop()
})

const keys = [2, 3].map((agentId) => ({ agentId, key: nkeys.createUser() }))
const seedOf = (agentId: number) =>
  new TextDecoder().decode(keys.find((known) => known.agentId === agentId)?.key.getSeed())
/** Configures nats-server with these agents and no others. */
const admit = (...agentIds: number[]) =>
  local.admit(
    keys
      .filter(({ agentId }) => agentIds.includes(agentId))
      .map(({ agentId, key }) => ({ agentId, publicKey: key.getPublicKey() })),
  )

/** Signs in as soon as nats-server has reloaded its configuration. */
async function signIn(agentId: number): Promise<Nats> {
  let found: Nats | undefined
  const again = () => asAgent(agentId, seedOf(agentId)).catch(() => undefined)
  await expect.poll(async () => (found ??= await again()) !== undefined).toBe(true)
  return found!
}

/** Records refused permissions and disconnects of a connection from now on. */
function watch({ connection }: Nats) {
  const record = { refused: [] as string[], cut: 0 }
  void (async () => {
    for await (const { type, permissionContext } of connection.status()) {
      if (type === Events.Disconnect) record.cut++
      if (type === Events.Error && permissionContext)
        record.refused.push(`${permissionContext.operation} ${permissionContext.subject}`)
    }
  })()
  return record
}

const collect = (connection: NatsConnection, subject: string): string[] => {
  const messages: string[] = []
  connection.subscribe(subject, { callback: (_, message) => messages.push(message.string()) })
  return messages
}

/** Acknowledgment subject of a notice. */
function ackOf(notice: JsMsg | null): string {
  if (!notice) throw new Error('There is no notice')
  const { redeliveryCount, streamSequence, deliverySequence, timestampNanos, pending } = notice.info
  return `$JS.ACK.TASKS.agent-2-SCAN_VOLUMES.${redeliveryCount}.${streamSequence}.${deliverySequence}.${timestampNanos}.${pending}`
}

test('an agent publishes its scans, runs its tasks and answers requests', async () => {
  const ack = await agent.js.publish(subjects.entries(1, 5), 'rows', { msgID: '5.1.1' })
  expect(ack.stream).toBe('SCANS')
  await server.js.publish(subjects.tasks(1, 'SCAN_VOLUMES'), 'a notice')
  const notice = await agent.js.pull('TASKS', 'agent-1-SCAN_VOLUMES', 5_000)
  expect(notice.string()).toBe('a notice')
  expect(await notice.ackAck()).toBe(true)
  agent.connection.subscribe(subjects.cancel(1), { callback: (_, message) => void message.respond('cancelled') })
  await agent.connection.flush()
  expect((await server.connection.request(subjects.cancel(1), '')).string()).toBe('cancelled')
  server.connection.subscribe(subjects.startTask(1), { callback: (_, message) => void message.respond('an order') })
  await server.connection.flush()
  expect((await agent.connection.request(subjects.startTask(1), '')).string()).toBe('an order')
})

test('an agent speaks for no other, takes no task of another, and changes no stream', async () => {
  const record = watch(agent)
  await server.js.publish(subjects.tasks(2, 'SCAN_VOLUMES'), 'for the second')
  const foreign = await (await server.js.consumers.get('TASKS', 'agent-2-SCAN_VOLUMES')).next()
  const listening = ['scans.2.>', 'agents.2.>', 'ask.>', 'live', 'appended', '_INBOX_agent-2.>', 'anything'].map(
    (subject) => collect(server.connection, subject),
  )
  await server.connection.flush()
  const forbidden = [
    subjects.entries(2, 5),
    subjects.lifecycle(2, 5),
    'scans.1.junk',
    'scans.1.5.junk',
    'scans.1.5.entries.junk',
    'agents.1.junk',
    subjects.heartbeat(2),
    subjects.startTask(2),
    subjects.pending(2),
    subjects.follow(2),
    subjects.flush(2),
    subjects.flushBegun,
    subjects.flushBlocks('server'),
    subjects.cancel(1),
    subjects.cancel(2),
    subjects.live,
    subjects.appended,
    subjects.tasks(1, 'SCAN_VOLUMES'),
    subjects.tasks(2, 'SCAN_VOLUMES'),
    '_INBOX_agent-2.answer',
    'anything',
    ackOf(foreign),
    '$JS.API.INFO',
    '$JS.API.STREAM.NAMES',
    '$JS.API.STREAM.INFO.SCANS',
    '$JS.API.STREAM.CREATE.MINE',
    '$JS.API.STREAM.UPDATE.SCANS',
    '$JS.API.STREAM.DELETE.SCANS',
    '$JS.API.STREAM.PURGE.SCANS',
    '$JS.API.STREAM.MSG.GET.SCANS',
    '$JS.API.STREAM.MSG.DELETE.TASKS',
    '$JS.API.DIRECT.GET.SCANS',
    '$JS.API.CONSUMER.NAMES.TASKS',
    '$JS.API.CONSUMER.CREATE.SCANS',
    '$JS.API.CONSUMER.DURABLE.CREATE.TASKS.mine',
    '$JS.API.CONSUMER.INFO.TASKS.agent-1-SCAN_VOLUMES',
    '$JS.API.CONSUMER.INFO.TASKS.agent-2-SCAN_VOLUMES',
    '$JS.API.CONSUMER.MSG.NEXT.TASKS.agent-2-SCAN_VOLUMES',
    '$JS.API.CONSUMER.MSG.NEXT.SCANS.ingest-entries',
    '$JS.API.CONSUMER.DELETE.TASKS.agent-1-SCAN_VOLUMES',
    '$JS.API.CONSUMER.DELETE.TASKS.agent-2-SCAN_VOLUMES',
    '$SYS.REQ.SERVER.PING',
  ]
  for (const subject of forbidden) agent.connection.publish(subject, 'forged')
  await expect.poll(() => record.refused.toSorted()).toEqual(forbidden.map((subject) => `publish ${subject}`).sort())
  await server.connection.flush()
  expect(listening.flat()).toEqual([])
  expect((await server.jsm.streams.info('SCANS')).state.messages).toBe(1)
  expect((await server.jsm.consumers.info('TASKS', 'agent-2-SCAN_VOLUMES')).num_ack_pending).toBe(1)
  foreign?.nak()
})

test('an agent hears nothing of another, of the server or of the browsers', async () => {
  const record = watch(agent)
  const other = [
    'ask.2.>',
    'scans.2.>',
    'agents.2.>',
    'tasks.2.SCAN_VOLUMES',
    '_INBOX_agent-2.>',
    '_INBOX_agent-2.answer',
  ]
  const ofAll = [
    '>',
    '*.>',
    'ask.>',
    'ask.*.cancel',
    'scans.>',
    'agents.>',
    'tasks.>',
    'live',
    'appended',
    '_INBOX.>',
    '$JS.>',
    '$SYS.>',
  ]
  const own = ['scans.1.>', 'agents.1.>', 'tasks.1.SCAN_VOLUMES']
  const subscribed = [...other, ...ofAll, ...own]
  for (const subject of subscribed) agent.connection.subscribe(subject, { callback: () => {} })
  await expect
    .poll(() => record.refused.toSorted())
    .toEqual(subscribed.map((subject) => `subscription ${subject}`).sort())
})

test('an agent that is added may sign in, and those that are there stay', async () => {
  const first = watch(agent)
  await admit(2)
  const second = await signIn(2)
  expect((await second.js.pull('TASKS', 'agent-2-SCAN_VOLUMES', 5_000)).string()).toBe('for the second')
  await second.close()
  await agent.connection.flush()
  expect(first.cut).toBe(0)
})

test('an agent that is removed is cut off and not let in again, and the others stay', async () => {
  await admit(2, 3)
  const [second, third] = [await signIn(2), await signIn(3)]
  const [stays, goes] = [watch(second), watch(third)]
  await admit(2)
  await expect.poll(() => goes.cut).toBeGreaterThan(0)
  await expect(asAgent(3, seedOf(3))).rejects.toThrow('Authorization Violation')
  await second.connection.flush()
  expect(stays.cut).toBe(0)
  await Promise.all([second.close(), third.connection.close()])
})

test('streams and queues are made while nats-server reads its configuration again and again', async () => {
  for (let round = 0; round < 30; round++) {
    const admitted = admit(2)
    for (let time = 0; time < 8; time++) await ensureStreams(server).then(() => taskConsumers(server, 2))
    await admitted
  }
  expect((await server.jsm.consumers.info(streams.tasks, consumers.tasks(2, 'SCAN_VOLUMES'))).name).toBe(
    'agent-2-SCAN_VOLUMES',
  )
})
