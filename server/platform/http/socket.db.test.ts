import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePath } from '#events/live.ts'
import { listen } from '#server/listen.ts'
import { sessionCookie } from '#events/users/session.ts'
import { testSession, testUser } from '#server/testing.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { forgetUserLimits } from '#server/platform/limits/userLimits.ts'
import { acceptSockets } from './socket.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { openLog } from '#server/platform/logger.ts'

const db = await testDb()
const { http, address, ready } = await listen({ host: '127.0.0.1', port: 0 })
const { host, port } = new URL(address)
const deps = { db, log: openLog(undefined), config: { trustedProxies: [], basePath: undefined } }
afterAll(() => {
  http.closeAllConnections()
  http.close()
})
beforeAll(() => ready((request, response) => void response.writeHead(404).end(`nothing at ${request.url}`)))

/** Sends a raw request and returns the first line of the response and its body. */
async function ask(target: string, upgrade: string, ...more: string[]) {
  const socket = connect(Number(port), '127.0.0.1')
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: Upgrade', `Upgrade: ${upgrade}`, ...more]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  const [head = '', body = ''] = answer.toString().split('\r\n\r\n')
  return `${head.split('\r\n', 1)[0]} ${body}`.trim()
}
const handshake = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

test('any address that receives an upgrade is answered as without it, and the server continues', async () => {
  const sockets = acceptSockets(http, livePath, deps, () => {})
  for (const target of ['//', '///', '//[', '/%', '*', 'http://[', '//:0', `/${'x'.repeat(20_000)}`])
    expect(await ask(target, 'websocket')).toMatch(/^HTTP\/1.1 404 Not Found (?:[0-9a-f]+\r\n)?nothing at/)
  expect(await ask(`${livePath}/elsewhere`, 'websocket', ...handshake)).toContain('404 Not Found')
  expect(await ask(livePath, 'websocket', ...handshake)).toBe('HTTP/1.1 401 Unauthorized')
  sockets.stop()
})

test('an upgrade that is not ours is as good as none: the call is answered', async () => {
  const sockets = acceptSockets(http, livePath, deps, () => {})
  for (const upgrade of ['h2c', 'TLS/1.0', 'foo, bar']) {
    expect(await ask('/api/loginInfo', upgrade, 'HTTP2-Settings: AAMAAABkAAQAAP__')).toContain(
      'nothing at /api/loginInfo',
    )
    expect(await ask(livePath, upgrade)).toContain(`nothing at ${livePath}`)
  }
  sockets.stop()
  expect(await ask(livePath, 'websocket', ...handshake)).toContain(`nothing at ${livePath}`)
})

test('a failure while a socket opens is answered, and the next one opens', async () => {
  const cookie = `Cookie: ${sessionCookie}=${await testSession(db, [])}`
  const of = [...handshake, cookie, `Origin: ${address}`]
  const broken = acceptSockets(http, livePath, deps, () => {
    throw new Error('no room')
  })
  await ask(livePath, 'websocket', ...of)
  broken.stop()
  const sockets = acceptSockets(http, livePath, deps, () => {})
  expect(await ask(livePath, 'websocket', ...of)).toContain('101 Switching Protocols')
  sockets.stop()
})

test('a user has as many open pages as allowed, a closed one makes room, and others are not affected', async () => {
  await db.insertInto('configurations').values({ name: 'openPagesPerUser', value: '3' }).execute()
  forgetUserLimits(db)
  const sockets = acceptSockets(http, livePath, deps, () => {})
  const openBy = (session: string) => {
    const socket = connect(Number(port), '127.0.0.1')
    const lines = [
      `GET ${livePath} HTTP/1.1`,
      `Host: ${host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      ...handshake,
    ]
    socket.write([...lines, `Cookie: ${sessionCookie}=${session}`, `Origin: ${address}`, '', ''].join('\r\n'))
    return once(socket, 'data').then(([answer]) => ({ socket, answer: String(answer) }))
  }
  const user = await testUser(db, [])
  const sessions = await Promise.all([1, 2].map(() => openSession(db, user.id, '127.0.0.1')))
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => openBy(sessions[i % 2] ?? '')))
  const opened = all.filter(({ answer }) => answer.startsWith('HTTP/1.1 101'))
  expect(opened).toHaveLength(3)
  const refused = all.filter(({ answer }) => answer.startsWith('HTTP/1.1 429 Too Many Requests\r\nRetry-After: 15\r\n'))
  expect(refused).toHaveLength(17)
  expect((await openBy(await testSession(db, []))).answer).toContain('101 Switching Protocols')
  opened[0]?.socket.destroy()
  await expect.poll(async () => (await openBy(sessions[0] ?? '')).answer).toContain('101 Switching Protocols')
  sockets.stop()
})
