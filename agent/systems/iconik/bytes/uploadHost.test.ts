import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readProxies } from '#events/node/proxy.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import type { TransportOptions } from '../../http/transport.ts'
import { run, statesOf, withFiles } from '../testing.ts'
import { defaultTiming } from '../timing.ts'
import { newUploadHost, type UploadRequest } from './uploadHost.ts'

const cloud = 'https://app.iconik.example'
/** Names and the addresses that they have. */
const names: Record<string, string[]> = {
  'app.iconik.example': ['203.0.113.9'],
  'iconik.studio.example': ['127.0.0.1', '10.0.0.5'],
  'half.example': ['203.0.113.9', '10.0.0.5'],
  'vault.example': ['10.0.0.6'],
  'here.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'both.example': ['203.0.113.10', '192.168.1.1'],
  'metadata.example': ['169.254.169.254'],
}
const resolving = (known: Record<string, string[]>): NonNullable<TransportOptions['resolve']> =>
  ((host: string, { all }: { all?: boolean }, found: (...results: unknown[]) => void) => {
    const addresses = (isIP(host) ? [host] : (known[host] ?? [])).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    if (!addresses[0]) return found(Object.assign(new Error('Unknown'), { code: 'ENOTFOUND' }))
    return all ? found(null, addresses) : found(null, addresses[0].address, addresses[0].family)
  }) as never

async function send(iconik: string, request: Partial<UploadRequest>, options: TransportOptions = {}): Promise<string> {
  const host = newUploadHost(iconik, defaultTiming, { resolve: resolving(names), ...options })
  onTestFinished(host.close)
  const answer = host.send({ method: 'PUT', url: '', ...request }, new AbortController().signal)
  return answer.then(
    ({ statusCode, body }) => `${statusCode} ${Buffer.from(body).toString()}`,
    (error: Error) => error.message,
  )
}

/** A server of this machine, with the requests that it received. */
async function innerServer(answer: { status?: number; location?: string } = {}) {
  const requests: string[] = []
  const server = createServer(({ method, url, headers }, response) => {
    requests.push(`${method} ${headers.host}${url}`)
    const { status = 200, location } = answer
    response.writeHead(status, location === undefined ? {} : { location }).end('inner')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  return { port: (server.address() as AddressInfo).port, requests }
}

const internal = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '[::1]',
  '[::]',
  '[::ffff:10.0.0.1]',
  '[fd00::1]',
  '[fe80::1]',
  '[64:ff9b::a00:1]',
  'vault.example',
  'here.example',
  'six.example',
  'both.example',
  'metadata.example',
]
test.each(internal)('an upload to %s is blocked while Iconik is public', async (host) => {
  expect(await send(cloud, { url: `https://${host}/put` })).toContain('internal address for the upload')
  expect(await send('https://half.example', { url: `https://${host}/put` })).toContain('internal address')
})

test('an Iconik on an internal address may use others, but no cloud metadata', async () => {
  const { port, requests } = await innerServer()
  const own = 'http://iconik.studio.example'
  expect(await send(own, { url: `http://127.0.0.1:${port}/a?b` })).toBe('200 inner')
  expect(await send(own, { url: `http://here.example:${port}/c`, method: 'POST' })).toBe('200 inner')
  expect(await send('http://127.0.0.1:1', { url: `http://127.0.0.1:${port}/d` })).toBe('200 inner')
  expect(requests).toEqual([`PUT 127.0.0.1:${port}/a?b`, `POST here.example:${port}/c`, `PUT 127.0.0.1:${port}/d`])
  for (const host of ['169.254.169.254', 'metadata.example'])
    expect(await send(own, { url: `http://${host}/latest` })).toContain('internal address for the upload')
})

test('a name is checked for each connection, and a redirect is not followed', async () => {
  const { port, requests } = await innerServer()
  const known = { ...names, 'moves.example': ['203.0.113.10'] }
  const resolve = resolving(known)
  const host = newUploadHost(cloud, { ...defaultTiming, idleMs: 50 }, { resolve })
  onTestFinished(host.close)
  const put = () => host.send({ method: 'PUT', url: `https://moves.example:${port}/` }, new AbortController().signal)
  await expect(put()).rejects.not.toThrow('internal address')
  known['moves.example'] = ['127.0.0.1']
  await expect(put()).rejects.toThrow('internal address')
  expect(requests).toEqual([])
  const away = await innerServer({ status: 307, location: `http://127.0.0.1:${port}/admin` })
  expect(await send('http://127.0.0.1', { url: `http://127.0.0.1:${away.port}/` })).toBe('307 inner')
  expect([away.requests.length, requests.length]).toEqual([1, 0])
})

test('the proxy gets no name that is known to be internal', async () => {
  const proxy = await testProxy()
  const proxies = readProxies({ HTTPS_PROXY: proxy.address })
  for (const host of ['vault.example', '10.0.0.6', 'both.example'])
    expect(await send(cloud, { url: `https://${host}/` }, { proxies })).toContain('internal address')
  expect(proxy.requests).toEqual([])
  expect(await send(cloud, { url: 'https://unknown.example/' }, { proxies })).toContain('did not connect')
})

test.each(['DELETE', 'GET', 'PATCH', 'HEAD', 'CONNECT', 'put', 'PUT /x HTTP/1.1', ''])(
  'the method %j is not sent',
  async (method) => {
    const { port, requests } = await innerServer()
    const says = await send('http://127.0.0.1', { url: `http://127.0.0.1:${port}/`, method })
    expect(says).toContain('Only PUT and POST are sent')
    expect(requests).toEqual([])
  },
)

test.each(['http://203.0.113.10/', 'HTTP://cdn.example', 'ftp://203.0.113.10/', 'file:///etc/passwd', 'data:,x'])(
  'while Iconik has TLS, nothing is sent to %s',
  async (url) => expect(await send(cloud, { url })).toContain('Only https is used'),
)

test('an upload address for another server fails the file, and shows nothing of its answer', async () => {
  const { port, requests } = await innerServer({ status: 400 })
  const file = { id: 'f1', status: 'OPEN', upload_url: `http://127.0.0.1:${port}/admin/users/1` }
  const cases = [
    [
      { ...file, upload_method: 'DELETE' },
      'AZURE 1',
      'failed Iconik returned an upload by DELETE. Only PUT and POST are sent',
    ],
    [
      { ...file, upload_credentials: { authorizationToken: 'Basic cm9vdDpyb290' }, upload_filename: 'a' },
      'B2 1',
      'failed Iconik returned a key for the upload that is none of B2',
    ],
    [file, 'AZURE 1', 'failed The storage refused the upload: status 400, an answer in an unknown format'],
  ] as const
  for (const [record, storage, state] of cases) {
    const { iconik, list } = await withFiles([{ name: 'a', size: 10 }])
    iconik.faults.failNext('files.create', 201, record, { times: 9 })
    iconik.faults.failNext('files.read', 200, record, { times: 9 })
    await run(iconik, list, { storage })
    expect(statesOf(list)).toEqual([state])
  }
  expect(requests).toEqual([`PUT 127.0.0.1:${port}/admin/users/1`])
})
