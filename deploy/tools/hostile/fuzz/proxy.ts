import { createServer, type IncomingMessage, request as send, type RequestListener } from 'node:http'
import { createServer as createTlsServer, request as sendSafely } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { atEnd } from '../../kit/ends.ts'
import { mutations, type SentAnswer } from './mutations.ts'

/** Answers of a system to change: after `skip` correct ones, `times` of them, from the same seed in the same way. */
type Change = { mutation: string; seed: number; skip: number; times: number }

/** A system as its proxies change it together: the change that is under way, and the answers since it began. */
export type Lane = { change: Change | undefined; answers: number; turn: Promise<unknown> }

export type ProxyOptions = {
  lane: Lane
  /** Address of the system that answers a request, by the body of the request. */
  upstream: (body: string) => string
  /** Address that receives requests only if a redirect was followed. */
  trap: string
  /** Certificate for a system with TLS. */
  tls?: { key: string; cert: string }
  /** Changes all answers in the same way, such as addresses in them. */
  rewrite?: (text: string) => string
}

/** Starts a proxy on the loopback that passes requests on to a system, and changes its answers. Returns its address. */
export async function startProxy({ lane, upstream, trap, tls, rewrite }: ProxyOptions): Promise<string> {
  const listener: RequestListener = async (request, response) => {
    const sentBody = await buffer(request)
    let answer = await answerOf(upstream(sentBody.toString()), request, sentBody)
    if (rewrite && answer.body.length > 0) answer.body = Buffer.from(rewrite(answer.body.toString()))
    const { change } = lane
    const at = lane.answers++ - (change?.skip ?? 0)
    const url = `${tls ? 'https' : 'http'}://${request.headers.host}${request.url}`
    if (change && at >= 0 && at < change.times)
      answer = mutations[change.mutation]?.(answer, newRandom(change.seed + at), { url, trap }) ?? answer
    const hasBody = ![204, 304].includes(answer.status)
    response.on('error', () => {})
    response.writeHead(answer.status, { ...answer.headers, ...(hasBody && { 'content-length': answer.body.length }) })
    response.end(hasBody ? answer.body : undefined)
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('clientError', (_, socket) => socket.destroy())
  return `${tls ? 'https' : 'http'}://127.0.0.1:${await portOf(server)}`
}

/** Starts a server on a free port of the loopback, until the end of the run. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Sends a request on unchanged, with its own host, because signatures cover it. */
async function answerOf(upstream: string, request: IncomingMessage, body: Buffer): Promise<SentAnswer> {
  const { protocol, hostname, port } = new URL(upstream)
  const { method, url: path, headers } = request
  const options = { hostname, port, method, path, headers, agent: false, rejectUnauthorized: false }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = protocol === 'https:' ? sendSafely(options, resolve) : send(options, resolve)
    sent.once('error', reject).end(body)
  })
  const { connection: _, 'transfer-encoding': __, 'content-length': ___, ...kept } = response.headers
  return { status: response.statusCode ?? 500, headers: kept, body: await buffer(response) }
}
