import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { listCollections, listStorages } from './iconik/lists.ts'
import { readStoredFile } from './stornext/storedFile.ts'
import { openHttpEngine } from './transfers/httpEngine/index.ts'
import { newClient as newP5Client } from './archiware/client.ts'
import { newInventory } from './archiware/inventory.ts'
import { namesOfIndexes, plansOf } from './archiware/lists.ts'
import { openDropbox } from './dropbox/index.ts'
import { newTransport } from './http/transport.ts'
import { newClient as newOneFsClient } from './power-scale/client.ts'
import { readChanges } from './power-scale/delta/changelist.ts'
import { FullScanNeeded } from './power-scale/delta/fullScan.ts'
import { removeLeftovers } from './power-scale/snapshots.ts'
import { forever } from './testing.ts'

type Send = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A server that answers every request except sign-ins. */
async function answering(send: Send) {
  let requests = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      requests++
      if (/oauth2?\/token/.test(request.url ?? '')) response.end('{"access_token":"a","expires_in":3600}')
      else send(request, response, body)
    })
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests }
}

/** Calls of each system that read an answer in JSON. `list` is the field with the list of an answer, '' for an answer that is the list. */
const systems: Record<string, { list: string; call: (url: string) => Promise<unknown> }> = {
  'Iconik, storages': { list: 'objects', call: (url) => listStorages({ url, appId: 'a', token: 't' }, forever) },
  'Iconik, collections': { list: 'objects', call: (url) => listCollections({ url, appId: 'a', token: 't' }, forever) },
  'transfer service, storages': { list: 'data', call: (url) => engineAt(url).listStorages(forever) },
  'transfer service, files': { list: 'data', call: (url) => engineAt(url).listFiles('1', 1, forever) },
  'P5, indexes': { list: 'indexes', call: (url) => namesOfIndexes(p5At(url), forever) },
  'P5, plans': { list: 'plans', call: (url) => plansOf(p5At(url), forever) },
  'P5, a level': {
    list: 'inventory',
    async call(url) {
      const client = newP5Client(p5At(url))
      onTestFinished(() => client.close())
      return newInventory(client, { index: 'i', path: '/' }).list(['a'], forever)
    },
  },
  Dropbox: {
    list: 'entries',
    async call(url) {
      const folder = openDropbox({ url, appKey: 'k', refreshToken: 'r', path: '/', scannedPath: '' })
      onTestFinished(() => folder.close())
      return folder.page('', { idle: 0, signal: forever })
    },
  },
  StorNext: { list: 'fileInfos', call: (url) => readStoredFile({ host: url }, '/a', forever) },
}
const p5At = (url: string) => ({ url, username: 'u', password: 'p' })
function engineAt(url: string) {
  const engine = openHttpEngine({ url, clientId: 'c', clientSecret: 's' })
  onTestFinished(() => engine.close())
  return engine
}

const million = 1_000_000
/** Contents of a list, which a wrong or hostile server may send. */
const lists: Record<string, () => string> = {
  '15 MB of numbers': () => '1,'.repeat(7.5 * million),
  '24 MB of empty objects': () => '{},'.repeat(8 * million),
  '3,000,000 levels': () => '['.repeat(3 * million) + ']'.repeat(3 * million) + ',',
  'an object with 1,000,000 fields': () => `{${Array.from({ length: million }, (_, i) => `"f${i}":1`).join(',')}},`,
  '300,000 items with an id': () =>
    '{"id":"a","name":"a","attributes":{"name":"a","source":"a","state":"a"}},'.repeat(300_000),
}

test.each(
  Object.entries(systems).flatMap(([name, system]) => Object.keys(lists).map((list) => [name, list, system] as const)),
)('%s: %s end with a reason, and nothing waits', async (_, listed, { list, call }) => {
  const items = lists[listed]?.().slice(0, -1)
  const body = Buffer.from(`{"cursor":"c","has_more":false,"${list}":[${items}]}`)
  const server = await answering((_, response) => response.end(body))
  const before = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  // A level of P5 may be as long; odd entries of it are left out.
  const end = await call(server.url).then(
    () => 'is more than expected',
    (error: unknown) => (error as Error).message,
  )
  delay.disable()
  expect(end).toMatch(
    /than fits into one answer|too long to be|as (Dropbox|Archiware P5|a transfer service) does|another form|more than/,
  )
  expect(delay.max / 1e6).toBeLessThan(3_000)
  expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 ** 2)
})

const requestTo = (url: string, options = {}) => {
  const { hostname, port } = new URL(url)
  const transport = newTransport(options)
  onTestFinished(() => transport.destroy())
  return transport.handle({ protocol: 'http:', hostname, port: Number(port), method: 'GET', path: '/', headers: {} })
}

test('an answer that drips is given up after ten times the idle time', async () => {
  const server = await answering((_, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(requestTo(server.url, { idleMs: 60 })).rejects.toThrow('No answer in 60 ms')
})

test('compressed answers are not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 ** 2, ' '))
  const server = await answering((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  expect((await requestTo(server.url)).response.body.length).toBe(bomb.length)
})

test('an answer with an error status is cut at 256 kB', async () => {
  const server = await answering((_, response) => response.writeHead(500).end('x'.repeat(60 * million)))
  const { response } = await requestTo(server.url)
  expect(response.statusCode).toBe(500)
  expect(response.body.length).toBeLessThan(512 * 1024)
})

test.each([
  ['less than it says', '1000', '[1]'],
  ['more than it says', '2', '[1,2,3]'],
])('an answer that has %s fails, or ends where it says', async (_, length, body) => {
  const server = await answering((_, response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${body}`)
  })
  const read = await requestTo(server.url).then(
    ({ response }) => response.body.length,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  )
  expect(['ECONNRESET', 2]).toContain(read)
})

test('redirects are not followed', async () => {
  const server = await answering((_, response) => response.writeHead(302, { location: '/again' }).end())
  for (const { call } of Object.values(systems)) await call(server.url).catch(() => {})
  // Each call is sent once, or once for each address that a host may have.
  expect(server.requests()).toBeLessThan(4 * Object.keys(systems).length)
})

const pageOf = (items: object[], n: number) =>
  JSON.stringify({ data: items, meta: { pageInfo: { hasNextPage: true, endCursor: `cursor ${n}` } } })
const listedFile = { id: 1, attributes: { source: '/a', target: '/b', state: 'copied' } }

test.each([
  ['repeats one result at new cursors', (n: number) => pageOf([listedFile], n)],
  ['sends empty pages at new cursors', (n: number) => pageOf([], n)],
  ['repeats a cursor', () => pageOf([], 1)],
])('a transfer service that %s ends after a few pages', async (_, answer) => {
  let pages = 0
  const server = await answering((_, response) => response.end(answer(++pages)))
  const failure = engineAt(server.url).listFiles('1', 5, forever)
  await expect(failure).rejects.toThrow(/sent more than 10 items when it had to list the files of job 1|never ends/)
  expect(pages).toBeLessThanOrEqual(102)
})

test('storages of a transfer service may be 10,000', async () => {
  const storages = (count: number) =>
    JSON.stringify({ data: Array.from({ length: count }, (_, id) => ({ id, attributes: { name: `s${id}` } })) })
  let count = 10_000
  const server = await answering((_, response) => response.end(storages(count)))
  expect(await engineAt(server.url).listStorages(forever)).toHaveLength(10_000)
  count = 300_000
  await expect(engineAt(server.url).listStorages(forever)).rejects.toThrow('sends more than fits into one answer')
})

const collectionsAt = (url: string) =>
  listCollections({ url, appId: 'a', token: 't' }, forever, {
    timing: { requestsPerSecond: 1e6, retryDelaysMs: [], idleMs: 10_000, wait: async () => {} } as never,
  })
const page = (objects: object[], pages: number) => JSON.stringify({ objects, pages })

test('collections that are each in the one before, or in a circle, have short paths in little time', async () => {
  const count = 5_000
  const chain = Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    title: `t${i}`,
    status: 'ACTIVE',
    parent_id: i === 0 ? `c${count - 1}` : `c${i - 1}`,
  }))
  const server = await answering(({ url = '' }, response) => {
    const number = Number(new URL(url, 'http://x').searchParams.get('page'))
    response.end(page(chain.slice(100 * (number - 1), 100 * number), count / 100))
  })
  const before = performance.now()
  const listed = await collectionsAt(server.url)
  expect(performance.now() - before).toBeLessThan(10_000)
  expect(listed).toHaveLength(count)
  const path = listed.find(({ id }) => id === 'c4000')?.path ?? ''
  expect(path).toMatch(/^…\/t\d+\/.*\/t3999\/t4000$/)
  expect(path.split('/')).toHaveLength(65)
})

test('a list of Iconik with more objects in a page than requested, or that never ends, ends with a reason', async () => {
  const object = { id: 'a', title: 'a', name: 'a', method: 'S3', purpose: 'FILES', status: 'ACTIVE' }
  const long = await answering((_, response) =>
    response.end(
      page(
        Array.from({ length: 101 }, () => object),
        1,
      ),
    ),
  )
  await expect(collectionsAt(long.url)).rejects.toThrow('sends more than fits into one answer')
  const endless = await answering((_, response) => response.end(page([object], 1_000_000)))
  const storages = listStorages({ url: endless.url, appId: 'a', token: 't' }, forever, {
    timing: { requestsPerSecond: 1e6, retryDelaysMs: [], idleMs: 10_000, wait: async () => {} } as never,
  })
  await expect(storages).rejects.toThrow('Iconik lists more than 100,000 objects')
  expect(endless.requests()).toBe(1_000)
})

/** A cluster that answers each request after the sign-in with the next page. */
async function clusterWith(pageNumber: (n: number) => object) {
  let pages = 0
  const server = await answering(({ method }, response) => {
    if (method !== 'GET') response.writeHead(201, { 'set-cookie': 'isisessid=a' }).end('{}')
    else response.end(JSON.stringify(pageNumber(++pages)))
  })
  const { port } = new URL(server.url)
  const client = newOneFsClient({ host: 'cluster:8080', username: 'u', password: 'p' }, { toPort: Number(port) })
  onTestFinished(() => client.close())
  return { client, pages: () => pages }
}

test('snapshots and changes of a cluster that are repeated at new places end with a reason', async () => {
  const snapshot = { id: 1, name: 'DataIntell-1', state: 'active' }
  const snapshots = await clusterWith((n) => ({ snapshots: [snapshot], resume: `r${n}` }))
  const removed = removeLeftovers(snapshots.client, 'DataIntell', { name: '', id: undefined }, forever)
  await expect(removed).rejects.toThrow('The cluster does not list its snapshots: 10 pages in a row have nothing new')
  expect(snapshots.pages()).toBe(12)

  const stream = { change_types: ['ENTRY_ADS'], lin: 1, parent_lin: 2, path: '/a' }
  const changes = await clusterWith((n) => ({ entries: [stream], resume: `r${n}` }))
  await expect(readChanges(changes.client, '1_2', () => {}, forever)).rejects.toThrow(FullScanNeeded)
  expect(changes.pages()).toBe(4_001)
})
