import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#events/contract/endpoint.ts'
import type { Download } from '#server/platform/http/download.ts'
import { Problem } from '#server/platform/problem.ts'
import { route } from '#server/platform/http/route.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createApp } from '#server/app.ts'

const file = endpoint({
  method: 'GET',
  path: '/file',
  needs: 'nothing',
  failure: 'Unable to download the file',
  query: z.object({ pages: z.coerce.number<number>().max(100).default(1) }),
  download: 'text/csv',
})
type Make = (pages: number, signal: AbortSignal) => Download
let make: Make = () => ({ name: 'a.csv', body: none() })
const platform = await testPlatform()
const http = createServer(createApp(platform, [route(file, ({ query }, { signal }) => make(query.pages, signal))]))
http.listen(0, '127.0.0.1')
await once(http, 'listening')
afterAll(() => void (http.close(), http.closeAllConnections()))

const page = Buffer.alloc(256 * 1024, 'x')
async function* none() {}
async function* pagesOf(count: number, fail?: Error) {
  for (let i = 0; i < count; i++) yield page
  if (fail) throw fail
}
async function ask(query = ''): Promise<IncomingMessage> {
  const { port } = http.address() as AddressInfo
  const [answer] = await once(get({ port, path: `/api/file${query}`, agent: false }), 'response')
  return answer
}

test('a file comes whole, with its name, its type and its size', async () => {
  make = (pages) => ({ name: 'result-2026-01-01.csv', size: pages * page.length, body: pagesOf(pages) })
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

test('what fails before the first byte is a problem, as elsewhere', async () => {
  make = () => ({ name: 'a.csv', size: 3, body: pagesOf(0, new Problem(503, 'Come again', { code: 'exportBusy' })) })
  const answer = await ask()
  expect(answer.headers['content-disposition']).toBeUndefined()
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse((await buffer(answer)).toString())).toEqual({ message: 'Come again', code: 'exportBusy' })
  expect((await ask('?pages=101')).statusCode).toBe(400)
})

test.each([
  ['fails later', () => pagesOf(3, new Error('broken')), undefined],
  ['is shorter than announced', () => pagesOf(3), 4 * page.length],
])('a file that %s breaks the connection, so that nobody takes it for whole', async (_, body, size) => {
  make = () => ({ name: 'a.csv', body: body(), ...(size && { size }) })
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
