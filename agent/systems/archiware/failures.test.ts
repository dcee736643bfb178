import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { ScanFailed } from '../system.ts'
import { clientsOf, namesOfIndexes, plansOf } from './index.ts'
import { fillIndex } from './simulator/index.ts'
import { simulator } from './simulator/testing.ts'
import { callsTo, connectionTo, contentsOf, defaultIndex, entriesOf, expectSame, openIndex, scan } from './testing.ts'

const forever = new AbortController().signal

/** The failure of a request: its sentence and P5's own text. Neither may hold the password. */
async function failure(request: Promise<unknown>): Promise<{ message: string; debugMessage: string }> {
  const error: unknown = await request.catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ScanFailed)
  const shown = JSON.stringify([String(error), (error as Error).stack, { ...(error as Error) }])
  expect(shown).not.toContain('planted-password')
  const { message, debugMessage } = error as Error & { debugMessage: string }
  return { message, debugMessage }
}

/** A server that is no P5, or one that does not work. */
async function serverWith(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: 'ana',
    password: 'planted-password',
  }
}

test('names of indexes, plans and clients are listed', async () => {
  for (const behavior of [
    {},
    { planProperties: 'upper', booleans: 'number' },
    { planProperties: 'camel', booleans: 'boolean', hasGroups: false },
  ] as const) {
    const p5 = await simulator({ behavior })
    p5.addIndex('Ärchive 2')
    p5.addPlan('10002', { name: 'Move to tape', index: 'Ärchive 2', deletesFiles: true, pool: 'Tapes' })
    for (let i = 0; i < 20; i++) p5.addClient(`studio ${i}`, { hostname: `10.0.0.${i}` })
    const connection = connectionTo(p5)
    expect(await namesOfIndexes(connection, forever)).toEqual(['Default-Archive', 'Ärchive 2'])
    expect(await plansOf(connection, forever)).toEqual([
      {
        planId: '10001',
        planName: 'Archive media',
        index: 'Default-Archive',
        deleteFiles: false,
        deleteAll: false,
        storage: 'Archive',
      },
      {
        planId: '10002',
        planName: 'Move to tape',
        index: 'Ärchive 2',
        deleteFiles: true,
        deleteAll: false,
        storage: 'Tapes',
      },
    ])
    const clients = await clientsOf(connection, forever)
    expect(clients).toHaveLength(21)
    expect(clients).toContainEqual({ clientName: 'studio 7', hostname: '10.0.0.7' })
    expect(p5.maxParallelRequests()).toBeLessThanOrEqual(4)
  }
})

test('a wrong password is sent once, by a scan and by a request for names', async () => {
  const p5 = await simulator()
  const wrong = { ...connectionTo(p5), password: 'wrong' }
  const { message, debugMessage } = await failure(namesOfIndexes(wrong, forever))
  expect(message).toBe(
    'Archiware P5 at 127.0.0.1 does not accept the user dataintell with this password. Correct the credentials, and if they are right, use the name of the host instead of its IP address',
  )
  expect(debugMessage).toBe('Wrong username or password.')
  expect(p5.requests).toHaveLength(1)
  await failure(openIndex(p5, { password: 'wrong' }).then(scan))
  expect(p5.requests).toHaveLength(2)
})

test('a password that changes during a scan ends it', async () => {
  const p5 = await simulator()
  fillIndex(defaultIndex(p5), 2_000)
  p5.faults.failNext(
    'GET archive/indexes/Default-Archive/inventory/mnt/Projects/',
    400,
    'Wrong username or password.',
    1_000,
  )
  expect((await failure(openIndex(p5).then(scan))).message).toMatch('does not accept the user dataintell')
  expect(callsTo(p5).filter((call) => call.includes('mnt/Projects/')).length).toBeLessThanOrEqual(4)
})

test('a certificate is accepted by its fingerprint, before which no password is sent', async () => {
  const p5 = await simulator({ tls: certificate })
  const index = defaultIndex(p5)
  fillIndex(index, 200)
  const fingerprint = p5.fingerprint ?? ''
  expectSame(entriesOf(await scan(await openIndex(p5, { fingerprint }))), contentsOf(p5, index))
  const requests = p5.requests.length
  const refused = await failure(namesOfIndexes(connectionTo(p5), forever))
  expect(refused.message).toBe(
    `The certificate of 127.0.0.1 is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If its SHA-256 fingerprint ${fingerprint} is the one of this server, enter it in the settings.`,
  )
  const other = await failure(namesOfIndexes({ ...connectionTo(p5), fingerprint: 'AB:CD' }, forever))
  expect(other.message).toMatch('is not the expected one')
  expect(p5.requests.length).toBe(requests)
})

test('a URL with the wrong scheme is named', async () => {
  const p5 = await simulator({ tls: certificate })
  const plain = p5.url.replace('https:', 'http:')
  const { message } = await failure(namesOfIndexes({ ...connectionTo(p5), url: `${plain}/` }, forever))
  expect(message).toMatch(/refuses requests without TLS: .* begin the URL with https:/)
  const tls = await failure(
    namesOfIndexes({ ...connectionTo(p5), url: p5.plainUrl.replace('http:', 'https:') }, forever),
  )
  expect(tls.message).toBe('The host 127.0.0.1 does not speak TLS there: is it http?')
})

test('a server that ends connections without TLS may need https', async () => {
  const closing = createServer()
    .on('connection', (socket) => socket.destroy())
    .listen(0, '127.0.0.1')
  onTestFinished(() => void closing.close())
  await once(closing, 'listening')
  const { port } = closing.address() as AddressInfo
  const connection = { url: `http://127.0.0.1:${port}`, username: 'scan', password: 'secret' }
  const { message } = await failure(namesOfIndexes(connection, forever))
  expect(message).toBe('The host 127.0.0.1 ended the connection: is it https?')
})

test('a URL without a P5 server is named', async () => {
  const p5 = await simulator()
  const reasonFor = async (url: string, user = p5) =>
    (await failure(namesOfIndexes({ ...connectionTo(user), url }, forever))).message
  for (const url of [
    'http://',
    '',
    'p5.example',
    'ftp://p5.example',
    'http://169.254.169.254',
    'http://ana:x@p5.example',
  ])
    expect(await reasonFor(url)).toMatch(/^The URL of Archiware P5 /)
  expect(await reasonFor('http://p5.invalid:8000')).toMatch("can't find the host")
  const closed = await serverWith(() => {})
  expect(await reasonFor(`${p5.url}/login`)).toMatch('does not answer as Archiware P5 does')
  const page = await serverWith(
    (_, response) => void response.setHeader('content-type', 'text/html').end('<html></html>'),
  )
  expect(await reasonFor(page.url)).toMatch('answers with a web page instead of the REST API')
  const json = await serverWith((_, response) => void response.end('{"buckets":[]}'))
  expect(await reasonFor(json.url)).toMatch('Check the host and the port')
  const moved = await serverWith(
    (_, response) => void response.writeHead(302, { location: page.url }).end('<html></html>'),
  )
  expect(await reasonFor(moved.url)).toMatch('redirects requests')
  const { message } = await failure(namesOfIndexes(connectionTo(closed), forever, { idleMs: 200 }))
  expect(message).toBe('The host 127.0.0.1 does not answer')
})

test('an unknown index, and one that is removed during a scan, end the scan', async () => {
  for (const unknownStatus of [404, 500] as const) {
    const p5 = await simulator({ behavior: { unknownStatus } })
    fillIndex(defaultIndex(p5), 5_000)
    const gone =
      'Archiware P5 at 127.0.0.1 has no index Default-Archive. Choose one of its indexes in the settings of the storage'
    expect((await failure(openIndex(p5, { index: 'gone' }).then(scan))).message).toMatch('has no index gone')
    p5.faults.latencyMs = () => {
      if (p5.requests.length > 40) p5.indexes.delete('Default-Archive')
      return 0
    }
    expect((await failure(openIndex(p5).then(scan))).message).toBe(gone)
  }
})

test('the folder that is the storage may be missing, or go during a scan', async () => {
  const p5 = await simulator()
  const index = defaultIndex(p5)
  fillIndex(index, 2_000)
  const missing = (path: string) => `The index Default-Archive has no folder ${path}. Correct the path of the storage`
  expect((await failure(openIndex(p5, { path: '/mnt/gone' }).then(scan))).message).toBe(missing('/mnt/gone'))
  p5.faults.latencyMs = () => {
    if (p5.requests.length > 30) index.remove('mnt/Projects')
    return 0
  }
  expect((await failure(openIndex(p5, { path: '/mnt/Projects' }).then(scan))).message).toBe(missing('/mnt/Projects'))
})
