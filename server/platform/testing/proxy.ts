import { createServer } from 'node:http'
import { connect } from 'node:net'
import { testPort } from './testFile.ts'

/**
 * A proxy on this machine that records requests. Tunnels lead to `target`, a port of this machine, for any host; without
 * one they get `status`. Plain requests are answered with their own address.
 */
export async function testProxy({ target, status = 403 }: { target?: number; status?: number } = {}) {
  const requests: string[] = []
  const proxy = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.end(JSON.stringify({ url: request.url, signIn: request.headers['proxy-authorization'] }))
  })
  proxy.on('connect', (request, near) => {
    requests.push(`CONNECT ${request.url}`)
    near.on('error', () => {})
    if (target === undefined) return near.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const far = connect(target, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      near.pipe(far).pipe(near)
    })
    far.on('error', () => near.destroy())
  })
  return { address: `http://127.0.0.1:${await testPort(proxy)}`, requests }
}
