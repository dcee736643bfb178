import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readProxies } from '#events/node/proxy.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import { forever } from '../testing.ts'
import { openS3 } from '../s3/index.ts'
import { connectionFailure } from './connectionFailure.ts'
import { newTransport, type TransportOptions } from './transport.ts'

const { fingerprint256 } = new X509Certificate(certificate.cert)

async function safeServer(): Promise<number> {
  const server = createServer(certificate, (request, response) => response.end(`answer to ${request.headers.host}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => (server.close(), server.closeAllConnections()))
  return (server.address() as AddressInfo).port
}

/** Sends one request, and returns the body of the answer, or the failure as users see it. */
async function send(address: string, options: TransportOptions): Promise<string> {
  const transport = newTransport(options)
  onTestFinished(transport.destroy)
  const { protocol, hostname, port, pathname } = new URL(address)
  const request = { protocol, hostname, method: 'GET', path: pathname, headers: { host: hostname } }
  return transport.handle({ ...request, ...(port && { port: Number(port) }) }).then(
    ({ response }) => response.body.toString(),
    (error: unknown) => connectionFailure(error, { host: hostname, hasAnswered: false, secrets: [] }).message,
  )
}

test('requests to stores go through the tunnel of a proxy, also where their certificate is pinned', async () => {
  const proxy = await testProxy({ target: await safeServer() })
  const proxies = readProxies({ HTTPS_PROXY: proxy.address })
  const pinned = { proxies, certificate: { fingerprint: fingerprint256 } }
  expect(await send('https://store.example.com/x', pinned)).toBe('answer to store.example.com')
  expect(await send('https://store.example.com:8443/x', pinned)).toBe('answer to store.example.com')
  expect(await send('https://store.example.com/x', { proxies })).toContain('certificate of store.example.com')
  const wrong = { proxies, certificate: { fingerprint: '00' } }
  expect(await send('https://store.example.com/x', wrong)).toContain('is not trusted')
  const hosts = ['store.example.com:443', 'store.example.com:8443', 'store.example.com:443', 'store.example.com:443']
  expect(proxy.requests).toEqual(hosts.map((host) => `CONNECT ${host}`))
})

test('plain requests are sent to the proxy with its sign-in, and those to this machine are not', async () => {
  const proxy = await testProxy()
  const proxies = readProxies({ HTTP_PROXY: proxy.address.replace('//', '//user:p%40ss@') })
  const answer = await send('http://store.example.com/a/b', { proxies })
  const signIn = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  expect(JSON.parse(answer)).toEqual({ url: 'http://store.example.com/a/b', signIn })
  expect(await send('http://127.0.0.1:1/', { proxies })).toContain('The host 127.0.0.1 refused the connection')
  expect(proxy.requests).toHaveLength(1)
})

test('a failure of the proxy names it and its variable, without its password', async () => {
  const [refusing, locked] = [await testProxy(), await testProxy({ status: 407 })]
  const through = (address: string, certificate?: TransportOptions['certificate']) =>
    send('https://store.example.com', {
      proxies: readProxies({ https_proxy: address }),
      ...(certificate && { certificate }),
    })
  for (const pinned of [undefined, { fingerprint: fingerprint256 }]) {
    expect(await through(refusing.address, pinned)).toBe(
      `The proxy ${new URL(refusing.address).host} in https_proxy did not connect to store.example.com (status 403)`,
    )
    expect(await through(locked.address.replace('//', '//user:secret@'), pinned)).toBe(
      `The proxy ${new URL(locked.address).host} in https_proxy refused the user name and password in its address, or needs one`,
    )
    expect(await through('http://127.0.0.1:1', pinned)).toBe(
      'The proxy 127.0.0.1:1 in https_proxy cannot be reached (ECONNREFUSED)',
    )
  }
})

test('a bucket of Backblaze is listed through the proxy, whose refusal is not taken for a wrong region', async () => {
  const proxy = await testProxy()
  const proxies = readProxies({ HTTPS_PROXY: proxy.address })
  const bucket = {
    type: 'BACKBLAZE_B2',
    region: 'us-west-004',
    accessKey: 'id',
    secretKey: 'key',
    bucket: 'media',
    prefix: '',
  } as const
  const page = openS3(bucket, { proxies }).page('', { idle: 0, signal: forever })
  await expect(page).rejects.toThrow('did not connect to')
  expect(proxy.requests[0]).toMatch(/^CONNECT (media\.)?s3\.us-west-004\.backblazeb2\.com:443$/)
})
