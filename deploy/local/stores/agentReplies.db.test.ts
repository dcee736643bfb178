import { createInbox, type JsMsg, nkeys } from 'nats'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { ensureStreams, openNats, taskConsumers } from '#server/platform/nats/nats.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startLocalNats } from './natsServer.ts'

const local = await startLocalNats(testFolder('nats'), inject('stores').natsProgram)
const server = await openNats(local.url, { seed: local.natsCredential })
await ensureStreams(server)
for (const agentId of [1, 2]) await taskConsumers(server, agentId)
const key = nkeys.createUser()
await local.admit([{ agentId: 2, publicKey: key.getPublicKey() }])
const seed = new TextDecoder().decode(key.getSeed())
const inboxPrefix = '_INBOX_agent-2'
const attacker = await openNats(local.url, { seed, inboxPrefix })
const victim = await openNats(local.url, { seed: local.agentSeed, inboxPrefix: '_INBOX_agent-1' })
afterAll(async () => {
  for (const nats of [attacker, victim, server]) await nats.close()
  await local.stop()
})

// A server that answers any request on any subject: these guarantees don't depend on the server.
server.connection.subscribe('agents.>', { callback: (_, message) => void message.respond('{}') })
const reached: string[] = []
const record = { callback: (_: unknown, { subject }: { subject: string }) => void reached.push(subject) }
server.connection.subscribe('>', record)
victim.connection.subscribe(subjects.allRequests(1), record)
victim.connection.subscribe(subjects.inbox(1), record)
await Promise.all([server.connection.flush(), victim.connection.flush()])

/** Subjects that no reply to the second agent may reach. */
const elsewhere = [
  '$JS.API.STREAM.PURGE.TASKS',
  '$JS.API.STREAM.DELETE.SCANS',
  '$JS.API.STREAM.INFO.SCANS',
  '$JS.API.CONSUMER.DELETE.TASKS.agent-1-SCAN_VOLUMES',
  '$JS.API.CONSUMER.MSG.NEXT.TASKS.agent-1-SCAN_VOLUMES',
  '$JS.API.CONSUMER.MSG.NEXT.SCANS.ingest-entries',
  '$JS.ACK.TASKS.agent-1-SCAN_VOLUMES.1.1.1.1.0',
  subjects.entries(1, 7),
  subjects.lifecycle(1, 7),
  subjects.heartbeat(1),
  subjects.startTask(1),
  subjects.tasks(1, 'SCAN_VOLUMES'),
  subjects.tasks(2, 'SCAN_VOLUMES'),
  subjects.cancel(1),
  subjects.cancel(2),
  subjects.live,
  subjects.appended,
  subjects.backup,
  '_INBOX_agent-1.x',
  '_INBOX.x',
  '_R_.x',
  '$SYS.REQ.SERVER.PING',
  'anything',
]

let notice: JsMsg
beforeEach(async () => {
  await server.jsm.streams.purge(streams.scans)
  await server.jsm.streams.purge(streams.tasks)
  await server.js.publish(subjects.tasks(1, 'SCAN_VOLUMES'), 'of the first')
  for (const text of ['taken', 'to take']) await server.js.publish(subjects.tasks(2, 'SCAN_VOLUMES'), text)
  notice = await attacker.js.pull(streams.tasks, consumers.tasks(2, 'SCAN_VOLUMES'), 5_000)
  await server.connection.flush()
  reached.length = 0
})

/** Each way of making the server or JetStream reply: the subject and the message. */
const requests = (): [string, string][] => {
  const { redeliveryCount, streamSequence, deliverySequence, timestampNanos, pending } = notice.info
  const numbers = [redeliveryCount, streamSequence, deliverySequence, timestampNanos, pending].join('.')
  return [
    [subjects.startTask(2), '{"taskId":1,"run":"x"}'],
    [subjects.pending(2), '{}'],
    [subjects.heartbeat(2), '{}'],
    [subjects.entries(2, 9), 'rows'],
    [subjects.lifecycle(2, 9), '{}'],
    ['$JS.API.CONSUMER.MSG.NEXT.TASKS.agent-2-SCAN_VOLUMES', '{"batch":1,"no_wait":true}'],
    [`$JS.ACK.TASKS.agent-2-SCAN_VOLUMES.${numbers}`, '+WPI'],
  ]
}

/** Content of the streams, and subjects that were reached but don't belong to the second agent. */
async function aftermath() {
  await Promise.all([attacker, victim, server].map(({ connection }) => connection.flush()))
  // A pulled notice has the subject of its queue. The stream's count shows that nothing was added to the queue.
  const strange = reached.filter(
    (subject) => elsewhere.includes(subject) && subject !== subjects.tasks(2, 'SCAN_VOLUMES'),
  )
  const tasks = await server.jsm.streams.info(streams.tasks)
  const scans = await server.jsm.streams.info(streams.scans, { subjects_filter: 'scans.1.>' })
  const taken = await server.jsm.consumers.info(streams.tasks, consumers.tasks(1, 'SCAN_VOLUMES'))
  return {
    strange,
    tasks: tasks.state.messages,
    scansOfFirst: Object.keys(scans.state.subjects ?? {}),
    takenOfFirst: taken.num_ack_pending,
  }
}
const nothingHappened = { strange: [], tasks: 3, scansOfFirst: [], takenOfFirst: 0 }

test('replies to an agent only reach its own inbox', async () => {
  const answered = new Set<string>()
  for (const [subject, text] of requests()) {
    const reply = createInbox(inboxPrefix)
    attacker.connection.subscribe(reply, { callback: () => void answered.add(subject) })
    attacker.connection.publish(subject, text, { reply })
  }
  await expect
    .poll(() => [...answered].sort())
    .toEqual(
      requests()
        .map(([subject]) => subject)
        .sort(),
    )
})

test('no answer to an agent goes to the server, to JetStream or to another agent', async () => {
  for (const reply of elsewhere)
    for (const [subject, text] of requests()) attacker.connection.publish(subject, text, { reply })
  expect(await aftermath()).toEqual(nothingHappened)
})

test('an agent may publish to none of these subjects itself', async () => {
  for (const subject of elsewhere) attacker.connection.publish(subject, '{}')
  expect(await aftermath()).toEqual(nothingHappened)
})
