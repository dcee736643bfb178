import { connect } from 'node:net'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { damaged, shown } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

/** Milliseconds for an answer: many damaged requests never end, so none comes. */
const answerMs = 400

const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n'
const json = '{"searchOperator":"AND","searchQueries":[{"name":{"value":"a"}}]}'

/** Requests that the server answers. `H` stands for its host, `C` for the cookies of an administrator. */
const requests = [
  'GET /api/loginInfo HTTP/1.1\r\nHost: H\r\nAccept: */*\r\n\r\n',
  'GET /api/v1/dashboard HTTP/1.1\r\nHost: H\r\nCookie: C\r\nAccept-Encoding: br, gzip;q=0.5\r\n\r\n',
  'GET /api/files/search?name=a*&size=10&sort=path HTTP/1.1\r\nHost: H\r\nCookie: C\r\n\r\n',
  `POST /api/v1/search HTTP/1.1\r\nHost: H\r\nCookie: C\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  `POST /api/v1/search HTTP/1.1\r\nHost: H\r\nCookie: C\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${json.length.toString(16)}\r\n${json}\r\n0\r\n\r\n`,
  'GET /actuator/health HTTP/1.1\r\nHost: H\r\nX-Forwarded-For: 10.0.0.1\r\nForwarded: for=10.0.0.1\r\n\r\n',
  'GET /search?q=%2e%2e%2f HTTP/1.0\r\nHost: H\r\nIf-None-Match: "a"\r\nRange: bytes=0-1\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: H\r\n\r\n',
  `GET /api/live HTTP/1.1\r\nHost: H\r\nOrigin: http://H\r\nCookie: C\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`,
  `GET /api/live HTTP/1.1\r\nHost: H\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]

/** Damaged HTTP requests and WebSocket upgrades, sent as bytes. */
export function rawHttp({ product, session }: Target): Fuzzer {
  const { host, hostname, port } = new URL(product.address)
  return {
    async send(random) {
      const request = random.pick(requests)
      const cookie = request.includes('Cookie: C') ? await session() : ''
      const sent = damaged(random, Buffer.from(request.replaceAll('H\r', `${host}\r`)))
      const bytes = Buffer.from(sent.toString('latin1').replace('Cookie: C', `Cookie: ${cookie}`), 'latin1')
      const answer = await exchange(random, { hostname, port: Number(port) }, bytes)
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? []
      const isFailure = status !== undefined && status >= '500'
      return {
        input: `http ${shown(sent)}`,
        answer: status ?? 'none',
        ...(isFailure && { wrong: answer.slice(0, 500) }),
      }
    },
  }
}

type Address = { hostname: string; port: number }

/** Sends bytes, in two pieces at times, and returns the start of the answer. */
function exchange(random: Random, { hostname, port }: Address, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, hostname)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(end, answerMs)
    socket.on('error', end).on('close', end)
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      if (/^HTTP\/1\.1 \d{3}/.test(answer)) setTimeout(end, 5)
    })
    const half = random.chance(0.2) ? random.below(bytes.length + 1) : bytes.length
    socket.write(bytes.subarray(0, half))
    if (half < bytes.length) setTimeout(() => socket.writable && socket.write(bytes.subarray(half)), 10)
  })
}
