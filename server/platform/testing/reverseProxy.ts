import { createServer, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { atEndOfFile, testPort } from './testFile.ts'

/**
 * Settings of a reverse proxy, in nginx's terms: `location` is the path that it serves, which is removed unless `keeps`;
 * `headers` sets headers by the request's `Host`. By default nginx sends the host of the target.
 */
type ProxySettings = { location?: string; keeps?: boolean; headers?: (host: string) => Record<string, string> }

/** A reverse proxy on this machine, in front of a port, which may be known later; also for WebSockets. */
export async function testReverseProxy(
  target: number | (() => number),
  { location = '', keeps = false, headers }: ProxySettings = {},
) {
  const send = (incoming: IncomingMessage) => {
    const port = typeof target === 'number' ? target : target()
    const path = (incoming.url ?? '/').slice(keeps ? 0 : location.length) || '/'
    const set = headers?.(incoming.headers.host ?? '') ?? {}
    return request({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path,
      headers: { ...incoming.headers, host: `127.0.0.1:${port}`, ...set },
    })
  }
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(location)) return void outgoing.writeHead(404).end('another product')
    const sent = send(incoming)
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(outgoing)
    })
    sent.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(sent)
  })
  const sockets = new Set<Duplex>()
  proxy.on('upgrade', (incoming, near: Duplex) => {
    const sent = send(incoming)
    const answer = ({ statusCode, statusMessage, rawHeaders }: IncomingMessage, far?: Duplex) => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
      near.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`)
      if (!far) return near.end()
      for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
      near.pipe(far).pipe(near)
    }
    sent.on('upgrade', (response, far) => answer(response, far))
    sent.on('response', (response) => answer(response))
    sent.on('error', () => near.destroy())
    sent.end()
  })
  const port = await testPort(proxy)
  atEndOfFile(() => sockets.forEach((socket) => socket.destroy()))
  return { port, address: `http://127.0.0.1:${port}${location}` }
}
