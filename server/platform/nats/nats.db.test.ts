import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { nanos } from 'nats'
import { expect, test } from 'vitest'
import { consumers, streams, subjects } from '#events/subjects.ts'
import { ensureStreams, openNats, taskConsumers } from './nats.ts'
import { testNats, testNatsServer } from '#server/platform/testing/stores.ts'

const nats = await testNats()
const server = await testNatsServer()
const { js, jsm } = nats
const entries = subjects.entries(1, 1)
const batch = (size: number) => new Uint8Array(size)

test('streams keep their messages on disk until they are worked on, refuse what is too much, and know repetitions', async () => {
  const scans = await jsm.streams.info(streams.scans)
  expect(scans.config).toMatchObject({
    subjects: ['scans.*.*.entries', 'scans.*.*.lifecycle'],
    storage: 'file',
    retention: 'workqueue',
    discard: 'new',
    max_bytes: 512 * 1024 * 1024,
    duplicate_window: nanos(600_000),
  })
  const tasks = await jsm.streams.info(streams.tasks)
  expect(tasks.config).toMatchObject({ subjects: ['tasks.*.*'], storage: 'file', retention: 'workqueue' })
})

test('consumers of the server share the work and get back what is not acknowledged', async () => {
  const { config } = await jsm.consumers.info(streams.scans, consumers.entries)
  expect(config).toMatchObject({ ack_policy: 'explicit', filter_subject: subjects.allEntries })
  await js.publish(entries, batch(10), { msgID: '1.1.1' })
  await js.publish(subjects.lifecycle(1, 1), batch(10), { msgID: '1.1.l' })
  const consumer = await js.consumers.get(streams.scans, consumers.entries)
  const first = await consumer.next()
  expect(first?.subject).toBe(entries)
  first?.nak()
  const again = await consumer.next()
  expect(again?.info.redeliveryCount).toBe(2)
  expect(await again?.ackAck()).toBe(true)
  const lifecycle = await js.consumers.get(streams.scans, consumers.lifecycle)
  expect(await (await lifecycle.next())?.ackAck()).toBe(true)
  expect((await jsm.streams.info(streams.scans)).state.messages).toBe(0)
})

test('making streams and consumers again changes nothing, and new limits are taken over', async () => {
  await js.publish(entries, batch(10), { msgID: 'kept' })
  await ensureStreams(nats)
  await taskConsumers(nats, 7)
  await taskConsumers(nats, 7)
  await ensureStreams(nats, { scanBytes: 1024 * 1024 })
  const { config, state } = await jsm.streams.info(streams.scans)
  expect([config.max_bytes, state.messages]).toEqual([1024 * 1024, 1])
  const { config: tasks } = await jsm.consumers.info(streams.tasks, consumers.tasks(7, 'SCAN_VOLUMES'))
  expect(tasks).toMatchObject({
    durable_name: 'agent-7-SCAN_VOLUMES',
    filter_subject: 'tasks.7.SCAN_VOLUMES',
    ack_wait: nanos(10_000),
  })
})

test('the stream accepts nothing without a consumer', async () => {
  const before = (await jsm.streams.info(streams.scans)).state.messages
  for (const junk of ['scans.1.junk', 'scans.1', 'scans.1.1.other', 'scans.1.1.entries.more'])
    await expect(js.publish(junk, batch(10), { timeout: 1_000 })).rejects.toMatchObject({ code: '503' })
  expect((await jsm.streams.info(streams.scans)).state.messages).toBe(before)
})

test('a full stream refuses and loses nothing, and accepts messages again once there is room', async () => {
  await ensureStreams(nats, { scanBytes: 1024 * 1024 })
  await jsm.streams.purge(streams.scans)
  const send = (n: number) => js.publish(entries, batch(300_000), { msgID: `full.${n}` })
  for (let n = 1; n <= 3; n++) await send(n)
  await expect(send(4)).rejects.toMatchObject({ code: '503' })
  const consumer = await js.consumers.get(streams.scans, consumers.entries)
  expect(await (await consumer.next())?.ackAck()).toBe(true)
  expect((await send(4)).duplicate).toBe(false)
  expect((await send(4)).duplicate).toBe(true)
  expect((await jsm.streams.info(streams.scans)).state.messages).toBe(3)
})

test('a killed server loses nothing that it acknowledged, and the connection finds it again', async () => {
  await ensureStreams(nats)
  await jsm.streams.purge(streams.scans)
  for (let n = 1; n <= 20; n++) await js.publish(entries, batch(1_000), { msgID: `killed.${n}` })
  await server.kill()
  await server.start()
  await expect
    .poll(() =>
      jsm.streams.info(streams.scans).then(
        ({ state }) => state.messages,
        () => -1,
      ),
    )
    .toBe(20)
  expect((await js.publish(entries, batch(1_000), { msgID: 'killed.1' })).duplicate).toBe(true)
  const consumer = await js.consumers.get(streams.scans, consumers.entries)
  for (let n = 1; n <= 20; n++) expect(await (await consumer.next())?.ackAck()).toBe(true)
})

test('a server that does not answer the first who connects is tried again', async () => {
  const { port } = new URL(server.url)
  let met = 0
  const door = createServer((socket) => {
    if (met++ > 0) socket.pipe(connect(Number(port), '127.0.0.1')).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(door, 'listening')
  const behind = await openNats(`nats://127.0.0.1:${(door.address() as AddressInfo).port}`)
  expect(met).toBe(2)
  await behind.close()
  door.close()
})

test('a server that is not there is an error at once', async () => {
  await expect(openNats('nats://127.0.0.1:1')).rejects.toThrow('CONNECTION_REFUSED')
})

test('a tls address is refused by a server without TLS, before it gets a sign-in', async () => {
  await expect(openNats(server.url.replace('nats:', 'tls:'))).rejects.toMatchObject({ code: 'SERVER_OPT_NA' })
})
