import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTunnel } from './proxiedAgent.ts'

test('words of a host that speaks first are not lost, even if they arrive with the answer of the proxy', async () => {
  const proxy = createServer().on('connect', (_, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n220 mail.example.com ready\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => (proxy.close(), proxy.closeAllConnections()))
  const url = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  const socket = await openTunnel({ url, variable: 'HTTPS_PROXY' }, 'mail.example.com', 25)
  onTestFinished(() => void socket.destroy())
  const [greeting] = (await once(socket, 'data')) as [Buffer]
  expect(greeting.toString()).toBe('220 mail.example.com ready\r\n')
})
