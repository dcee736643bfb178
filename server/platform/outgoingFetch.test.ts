import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { readProxies } from '#events/machine/proxy.ts'
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
