import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ServerMessage } from '#events/live.ts'
import { LiveConnection, type LiveStatus, phaseAfter } from './connection.ts'

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A WebSocket server that yields its sockets and the messages of the browser. */
async function liveServer(port = 0) {
  const server = new WebSocketServer({ port, host: '127.0.0.1' })
  const sockets: WebSocket[] = []
  const heard: string[] = []
  server.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message', (text) => heard.push(String(text)))
  })
  await once(server, 'listening')
  const stop = () => {
    server.close()
    sockets.forEach((socket) => socket.terminate())
  }
  ends.push(stop)
  const say = (message: ServerMessage) => sockets.at(-1)?.send(JSON.stringify(message))
  return { port: (server.address() as AddressInfo).port, sockets, heard, say, stop }
}

function connect(port: number) {
  const heard: ServerMessage[] = []
  const statuses: LiveStatus[] = []
  let refused = 0
  const connection = new LiveConnection({
    url: `ws://127.0.0.1:${port}`,
    onMessage: (message) => heard.push(message),
    onStatus: (status) => statuses.push(status),
    onRefused: () => (refused += 1),
    delaysMs: [10],
  })
  ends.push(() => connection.close())
  const positions = () => heard.map((message) => ('position' in message ? message.position : 0))
  return { connection, positions, heard, statuses, refused: () => refused }
}

const subscribe = '{"type":"subscribe","topic":"changed"}'
const state = (position: number): ServerMessage => ({ type: 'state', topic: 'changed', position, state: null })
const events = (position: number): ServerMessage => ({ type: 'events', topic: 'changed', position, events: [] })

test('events in sequence after the state are received, repeated ones are dropped', async () => {
  const server = await liveServer()
  const { connection, positions } = connect(server.port)
  connection.subscribe('changed')
  await expect.poll(() => server.heard).toEqual([subscribe])
  for (const message of [events(3), state(4), events(5), events(5), events(6)]) server.say(message)
  await expect.poll(positions).toEqual([4, 5, 6])
})

test('after a gap the topic is requested again, and events before its state are dropped', async () => {
  const server = await liveServer()
  const { connection, positions } = connect(server.port)
  connection.subscribe('changed')
  await expect.poll(() => server.heard).toHaveLength(1)
  for (const message of [state(1), events(2), events(4), events(5)]) server.say(message)
  await expect.poll(() => server.heard).toEqual([subscribe, subscribe])
  server.say(state(9))
  server.say(events(10))
  await expect.poll(positions).toEqual([1, 2, 9, 10])
})

test('a topic of the log only requests what followed, after a gap and after a lost connection', async () => {
  const server = await liveServer()
  const { connection, positions, heard } = connect(server.port)
  const log = { topic: 'log', position: 1, logged: 70 } as const
  connection.subscribe('log')
  await expect.poll(() => server.heard).toEqual(['{"type":"subscribe","topic":"log"}'])
  server.say({ ...log, type: 'state', state: null })
  server.say({ ...log, type: 'events', position: 2, logged: 75, events: [] })
  server.say({ ...log, type: 'events', position: 4, logged: 90, events: [] })
  await expect.poll(() => server.heard.at(-1)).toBe('{"type":"subscribe","topic":"log","after":75}')
  server.say({ ...log, type: 'events', position: 5, logged: 92, events: [] })
  server.say({ ...log, type: 'resumed', position: 5, logged: 92, events: [] })
  server.say({ ...log, type: 'events', position: 6, logged: 95, events: [] })
  await expect.poll(positions).toEqual([1, 2, 5, 6])
  expect(heard[2]?.type).toBe('resumed')
  server.sockets[0]?.terminate()
  await expect.poll(() => server.heard.at(-1)).toBe('{"type":"subscribe","topic":"log","after":95}')
  connection.unsubscribe('log')
  connection.subscribe('log')
  await expect.poll(() => server.heard.at(-1)).toBe('{"type":"subscribe","topic":"log"}')
})

test('a message of a kind that is not known yet is left alone', async () => {
  const server = await liveServer()
  const { connection, positions } = connect(server.port)
  connection.subscribe('changed')
  await expect.poll(() => server.heard).toHaveLength(1)
  server.sockets[0]?.send('{"type":"weather"}')
  server.say(state(1))
  await expect.poll(positions).toEqual([1])
})

test('a lost connection is opened again and the topics are subscribed again', async () => {
  const server = await liveServer()
  const { connection, positions, statuses } = connect(server.port)
  connection.subscribe('changed')
  await expect.poll(() => server.heard).toHaveLength(1)
  server.say(state(1))
  await expect.poll(positions).toEqual([1])
  server.sockets[0]?.terminate()
  await expect.poll(() => server.heard).toEqual([subscribe, subscribe])
  expect(statuses.some(({ isOpen, retryAt }) => !isOpen && retryAt !== undefined)).toBe(true)
  server.say(state(1))
  await expect.poll(positions).toEqual([1, 1])
})

test('pages that lose their server at the same moment reconnect over more than a second', async () => {
  const server = await liveServer()
  const waits: number[] = []
  for (let i = 0; i < 100; i++) {
    const connection = new LiveConnection({
      url: `ws://127.0.0.1:${server.port}`,
      onMessage: () => {},
      onStatus: ({ retryAt }) => void (retryAt !== undefined && waits.push(retryAt - Date.now())),
    })
    ends.push(() => connection.close())
  }
  await expect.poll(() => server.sockets.length).toBe(100)
  server.stop()
  await expect.poll(() => waits.length).toBeGreaterThanOrEqual(100)
  const firsts = waits.slice(0, 100)
  for (const [from, to] of [
    [0, 600],
    [600, 1_000],
    [1_000, 1_400],
    [1_400, 1_801],
  ] as const)
    expect(firsts.some((wait) => wait >= from && wait < to)).toBe(true)
})

test('a server that is away is tried until it is back, and the page learns that it was refused', async () => {
  const server = await liveServer()
  server.stop()
  const { refused, statuses } = connect(server.port)
  await expect.poll(refused).toBeGreaterThan(1)
  await liveServer(server.port)
  await expect.poll(() => statuses.at(-1)?.isOpen).toBe(true)
})

test('a connection that was closed is not opened again when its socket closes, in any browser', async () => {
  const server = await liveServer()
  const { connection, statuses } = connect(server.port)
  await expect.poll(() => statuses.at(-1)?.isOpen).toBe(true)
  const closed = once(server.sockets[0] as WebSocket, 'close')
  connection.close()
  await closed
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(server.sockets).toHaveLength(1)
})

test('the end of the session does not wait for a failed attempt', async () => {
  const server = await liveServer()
  const { refused, statuses } = connect(server.port)
  await expect.poll(() => statuses.at(-1)?.isOpen).toBe(true)
  server.sockets[0]?.close(4401)
  await expect.poll(refused).toBe(1)
})

test('a silence is connecting after 3 seconds, stale after 15, offline after 60', () => {
  expect([0, 2_999, 3_000, 14_999, 15_000, 60_000].map((silence) => phaseAfter(silence, false))).toEqual([
    'connecting',
    'connecting',
    'connecting',
    'connecting',
    'stale',
    'offline',
  ])
  expect([0, 5_999, 6_000, 15_000].map((silence) => phaseAfter(silence, true))).toEqual([
    'live',
    'live',
    'connecting',
    'stale',
  ])
})
