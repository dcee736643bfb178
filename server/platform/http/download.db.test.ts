import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import { type Download, inOnePiece } from '#server/platform/http/download.ts'
import { Problem } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from '#server/app.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { sessionCookie } from '#events/users/session.ts'
import { openSession } from '#server/platform/callers/session.ts'

const file = endpoint({
  method: 'GET',
  path: '/file',
  needs: 'nothing',
  failure: 'Unable to download the file',
  query: z.object({ pages: z.coerce.number<number>().max(100).default(1) }),
  download: 'text/csv',
})
const ownFile = endpoint({ ...file, path: '/own-file', needs: 'snapshots.see', limitedBy: 'own' })
const post = endpoint({ ...file, method: 'POST' })
type Make = (pages: number, signal: AbortSignal) => Download
let make: Make = () => ({ name: 'a.csv', body: none() })
const platform = await testPlatform()
const app = createApp(platform, [
  route(file, ({ query }, { signal }) => make(query.pages, signal)),
  route(ownFile, ({ query }, { signal }) => make(query.pages, signal)),
  route(post, ({ query }, { signal }) => make(query.pages, signal)),
])
const http = createServer(app)
http.listen(0, '127.0.0.1')
await once(http, 'listening')
afterAll(() => void (http.close(), http.closeAllConnections()))

const page = Buffer.alloc(256 * 1024, 'x')
async function* none() {}
async function* pagesOf(count: number, fail?: Error) {
  for (let i = 0; i < count; i++) yield page
  if (fail) throw fail
}
const whole = (bytes: Uint8Array, closed = () => {}): Download => ({
  name: 'a.csv',
  ...inOnePiece(bytes),
  close: async () => closed(),
})
async function ask(query = '', headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
  const { port } = http.address() as AddressInfo
  const [answer] = await once(get({ port, path: `/api/file${query}`, headers, agent: false }), 'response')
  return answer
}

test('a file is sent whole, with its name, its type and its size', async () => {
  const read = () => pagesOf(40)
  make = (pages) => ({ name: 'result-2026-01-01.csv', size: pages * page.length, read, close: async () => {} })
  const answer = await ask('?pages=40')
  expect(answer.headers).toMatchObject({
    'content-disposition': 'attachment; filename=result-2026-01-01.csv',
    'content-type': 'text/csv; charset=utf-8',
    'content-length': String(40 * page.length),
    'cache-control': 'no-store',
  })
  expect((await buffer(answer)).length).toBe(40 * page.length)
})

test('a file without a byte is a file, too', async () => {
  make = () => ({ name: 'a.csv', body: none() })
  const answer = await ask()
  expect([answer.statusCode, (await buffer(answer)).length]).toEqual([200, 0])
})

test('a failure before the first byte is a problem answer', async () => {
  make = () => ({ name: 'a.csv', body: pagesOf(0, new Problem(503, 'Come again', { code: 'exportBusy' })) })
  const answer = await ask()
  expect(answer.headers['content-disposition']).toBeUndefined()
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse((await buffer(answer)).toString())).toEqual({ message: 'Come again', code: 'exportBusy' })
  expect((await ask('?pages=101')).statusCode).toBe(400)
})

const close = async () => {}
test.each<[string, () => Download]>([
  ['fails later', () => ({ name: 'a.csv', body: pagesOf(3, new Error('broken')) })],
  ['is shorter than announced', () => ({ name: 'a.csv', size: 4 * page.length, read: () => pagesOf(3), close })],
])('a file that %s breaks the connection, so that it does not look complete', async (_, file) => {
  make = file
  const answer = await ask()
  expect(answer.statusCode).toBe(200)
  await expect(buffer(answer)).rejects.toThrow('aborted')
})

test('a caller that goes away ends the work, and one that stays does not', async () => {
  const ended: boolean[] = []
  async function* endless(signal: AbortSignal) {
    try {
      while (true) yield page
    } finally {
      ended.push(signal.aborted)
    }
  }
  make = (_, signal) => ({ name: 'a.csv', body: endless(signal) })
  const answer = await ask()
  answer.destroy()
  await expect.poll(() => ended).toEqual([true])
  const signals: AbortSignal[] = []
  make = (pages, signal) => (signals.push(signal), { name: 'a.csv', body: pagesOf(pages) })
  const whole = await ask()
  await buffer(whole)
  expect(signals[0]?.aborted).toBe(false)
})

test('a caller that goes away before there is an answer is known of, too', async () => {
  const { promise: wentAway, resolve } = Promise.withResolvers<unknown>()
  async function* late(signal: AbortSignal) {
    await once(signal, 'abort')
    resolve(signal.reason)
    signal.throwIfAborted()
    yield page
  }
  make = (_, signal) => ({ name: 'a.csv', body: late(signal) })
  const { port } = http.address() as AddressInfo
  const asking = get({ port, path: '/api/file', agent: false }).on('error', () => {})
  await once(http, 'request')
  asking.destroy()
  expect(await wentAway).toEqual(new Error('The client disconnected'))
})

test('no more is made than the caller takes', async () => {
  let made = 0
  async function* counted() {
    for (; made < 4_000; made++) yield page
  }
  make = () => ({ name: 'a.csv', body: counted() })
  const answer = await ask()
  await once(answer, 'readable')
  const before = await settled(() => made)
  expect(before).toBeLessThan(200)
  answer.destroy()
})

/** Returns the number when two readings, some turns of the event loop apart, are equal. */
async function settled(read: () => number): Promise<number> {
  let last = -1
  await expect.poll(() => [last, (last = read())].every((n, _, [first]) => n === first), { interval: 100 }).toBe(true)
  return last
}

const digits = Buffer.from('0123456789')
/** Status, ETag, range and text of an answer. */
async function answered(query: string, headers?: OutgoingHttpHeaders) {
  const answer = await ask(query, headers)
  const { etag, 'content-range': range, 'accept-ranges': accepted } = answer.headers
  return { status: answer.statusCode, etag, range, accepted, text: (await buffer(answer)).toString() }
}

test('an interrupted download continues with the same file, even if a new one would differ', async () => {
  let made = 0
  make = (pages) => whole(Buffer.concat(Array.from({ length: pages }, () => Buffer.alloc(page.length, ++made))))
  const first = await ask('?pages=40')
  const [begin] = (await once(first, 'data')) as [Buffer]
  const { etag, 'accept-ranges': accepted } = first.headers
  expect([etag, accepted]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), 'bytes'])
  first.destroy()
  const rest = await ask('?pages=40', { range: `bytes=${begin.length}-`, 'if-range': etag })
  expect([rest.statusCode, rest.headers['content-range'], rest.headers.etag]).toEqual([
    206,
    `bytes ${begin.length}-${40 * page.length - 1}/${40 * page.length}`,
    etag,
  ])
  expect(rest.headers['content-length']).toBe(String(40 * page.length - begin.length))
  const joined = Buffer.concat([begin, await buffer(rest)])
  expect(made).toBe(40)
  for (let at = 0; at < 40; at++) expect(joined[at * page.length]).toBe(at + 1)
  expect(joined).toHaveLength(40 * page.length)
})

test('parts are sent as requested, and the whole file if they cannot be', async () => {
  make = () => whole(digits)
  const { etag } = await answered('?pages=2')
  const part = (range: string, more: OutgoingHttpHeaders = {}) => answered('?pages=2', { range, ...more })
  const of = (range: string, text: string) => ({
    status: 206,
    etag,
    range: `bytes ${range}/10`,
    accepted: 'bytes',
    text,
  })
  expect(await part('bytes=4-')).toEqual(of('4-9', '456789'))
  expect(await part('bytes=0-0')).toEqual(of('0-0', '0'))
  expect(await part('bytes=8-99')).toEqual(of('8-9', '89'))
  expect(await part('bytes=-3')).toEqual(of('7-9', '789'))
  expect(await part('bytes=0-1,2-4')).toEqual(of('0-4', '01234'))
  for (const range of ['bytes=0-1,5-6', 'lines=2-', 'bytes=x'])
    expect(await part(range)).toMatchObject({ status: 200, text: '0123456789' })
  const beyond = await part('bytes=10-')
  expect(beyond).toMatchObject({ status: 416, range: 'bytes */10', text: expect.stringContaining('has 10 bytes') })
  for (const other of ['"another"', `W/${etag}`, 'Sun, 29 Nov 2026 10:00:00 GMT'])
    expect(await part('bytes=4-', { 'if-range': other })).toMatchObject({ status: 200, text: '0123456789' })
})

test('a file that is sent while it is created, or after a POST, has no parts', async () => {
  make = () => ({ name: 'a.csv', body: inOnePiece(digits).read(0, 10) })
  const streamed = await answered('?pages=3', { range: 'bytes=4-' })
  expect(streamed).toEqual({ status: 200, etag: undefined, range: undefined, accepted: 'none', text: '0123456789' })
  let closed = 0
  make = () => whole(digits, () => (closed += 1))
  const posted = await asUser(app, undefined)('POST', '/api/file').set('Range', 'bytes=4-').expect(200)
  expect([posted.headers['accept-ranges'], posted.text, closed]).toEqual(['none', '0123456789', 1])
})

test("no user continues another's download", async () => {
  let made = 0
  make = () => whole(Buffer.from(`file ${(made += 1)}`))
  const [ana, bo] = [asUser(app, await testSession(platform.db, [])), asUser(app, await testSession(platform.db, []))]
  const { etag = '' } = (await ana('GET', '/api/own-file').expect(200)).headers as { etag?: string }
  const rest = (who: typeof ana) => who('GET', '/api/own-file').set('Range', 'bytes=5-').set('If-Range', etag)
  expect((await rest(ana).expect(206)).text).toBe('1')
  expect((await rest(bo).expect(200)).text).toBe('file 2')
})

test('files are kept for ten minutes after their last use, and the oldest ones go first', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const closed: number[] = []
    make = (pages) => whole(digits, () => closed.push(pages))
    await answered('?pages=50')
    vi.advanceTimersByTime(9 * 60_000)
    expect(await answered('?pages=50', { range: 'bytes=9-' })).toMatchObject({ status: 206, text: '9' })
    vi.advanceTimersByTime(9 * 60_000)
    expect(closed).toEqual([])
    vi.advanceTimersByTime(60_000)
    expect(closed).toEqual([50])
    for (let pages = 60; pages < 90; pages++) await answered(`?pages=${pages}`)
    expect(closed.slice(1, 11)).toEqual([60, 61, 62, 63, 64, 65, 66, 67, 68, 69])
  } finally {
    vi.useRealTimers()
  }
})

test('a client that reads nothing stays connected for ten minutes', async () => {
  make = (pages) => whole(Buffer.alloc(pages * page.length))
  const answering = once(http, 'request') as Promise<[IncomingMessage, ServerResponse]>
  const answer = await ask('?pages=100')
  const [, { socket }] = await answering
  expect(socket?.timeout).toBe(600_000)
  answer.destroy()
})

test('a running download ends once its user sees something else', async () => {
  const { id } = await testUser(platform.db, [])
  const session = await openSession(platform.db, id, '127.0.0.1')
  const body = async function* () {
    for (;;) yield await new Promise<Buffer>((resolve) => setTimeout(resolve, 50, Buffer.from('x')))
  }
  make = () => ({ name: 'a.csv', body: body() })
  const { port } = http.address() as AddressInfo
  const headers = { cookie: `${sessionCookie}=${session}` }
  const [answer] = await once(get({ port, path: '/api/own-file', headers, agent: false }), 'response')
  answer.resume()
  const ended = once(answer, 'close')
  const at = performance.now()
  const limits = { userId: id, groupName: null, everything: false, projects: [], storages: [], folders: '[]' }
  await platform.db.insertInto('limits').values(limits).execute()
  await ended.catch(() => undefined)
  expect(performance.now() - at).toBeLessThan(2_000)
  expect(answer.complete).toBe(false)
})
