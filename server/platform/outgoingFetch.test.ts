import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readProxies } from '#events/node/proxy.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import { outgoingFetch } from './outgoingFetch.ts'

test('requests of the server to other services use the proxy, and those to this machine do not', async () => {
  const proxy = await testProxy()
  const proxies = readProxies({ HTTP_PROXY: proxy.address, HTTPS_PROXY: proxy.address })
  const body = new URLSearchParams({ grant_type: 'authorization_code' })
  const response = await outgoingFetch('http://idp.example.com/token?x=1', { method: 'POST', body }, proxies)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ url: 'http://idp.example.com/token?x=1' })
  await expect(outgoingFetch('https://idp.example.com/token', {}, proxies)).rejects.toThrow(
    `The proxy ${new URL(proxy.address).host} in HTTPS_PROXY did not connect to idp.example.com (status 403)`,
  )
  const here = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
  await new Promise((resolve) => here.once('listening', resolve))
  const { port } = here.address() as { port: number }
  expect(await (await outgoingFetch(`http://127.0.0.1:${port}/`, {}, proxies)).text()).toBe('here')
  here.close()
  expect(proxy.requests).toEqual(['POST http://idp.example.com/token?x=1', 'CONNECT idp.example.com:443'])
})

/** Another service that sends a body, at an address of this machine. */
async function serviceWith(body: Buffer | string, headers: Record<string, string> = {}, status = 200) {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, requests: () => requests }
}

test('a response that unpacks to its content is read, and one that unpacks to more than 4 MB is not', async () => {
  const gzip = { 'content-encoding': 'gzip' }
  const small = await serviceWith(gzipSync('{"a":1}'), gzip)
  expect(await (await outgoingFetch(small.url)).json()).toEqual({ a: 1 })
  const bomb = await serviceWith(gzipSync(Buffer.alloc(512 * 1024 ** 2, ' '), { level: 1 }), gzip)
  const before = process.memoryUsage.rss()
  await expect(outgoingFetch(bomb.url)).rejects.toThrow('More than 4 MB')
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2)
})

test('a response with too many values, or in too many levels, is not read', async () => {
  const many = await serviceWith(`[${'1,'.repeat(1_500_000)}1]`)
  await expect(outgoingFetch(many.url)).rejects.toThrow('More than 200,000 values')
  const deep = await serviceWith('['.repeat(1_000_000))
  await expect(outgoingFetch(deep.url)).rejects.toThrow('more than 64 levels')
})

test('redirects are not followed, and a response that drips ends with the signal', async () => {
  const again = await serviceWith('', { location: '/' }, 302)
  expect((await outgoingFetch(again.url)).status).toBe(302)
  expect(again.requests()).toBe(1)
  const server = createServer((_, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  const dripping = outgoingFetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(300) })
  await expect(dripping).rejects.toMatchObject({ name: 'TimeoutError' })
})
