import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { onTestFinished } from 'vitest'
import { type ArchiwareOptions, type ArchiwareSimulator, startArchiware } from './index.ts'
import { bodyOf } from './server.ts'

/** 21 November 2026, 10:00 UTC. */
export const start = Date.UTC(2026, 10, 21, 10)

/** A simulator for one test, whose clock stands still unless the test moves it. */
export async function simulator(options: ArchiwareOptions = {}): Promise<ArchiwareSimulator> {
  const started = await startArchiware({ clock: { start, speed: 0 }, ...options })
  onTestFinished(() => started.close())
  return started
}

type Options = { headers?: Record<string, string>; body?: object; base?: string; password?: string }

/** Answer to a call such as `GET archive/indexes`, with its body as JSON if it is. Rejects if the connection is cut. */
export async function ask(p5: ArchiwareSimulator, call: string, options: Options = {}) {
  const { headers = {}, body, base = p5.url, password = p5.password } = options
  const [method = '', path = ''] = call.split(/ (.*)/s)
  const { protocol, hostname, port } = new URL(base)
  const sent = (protocol === 'https:' ? httpsRequest : httpRequest)({
    hostname,
    port,
    method,
    path: path.startsWith('/') ? path : `/rest/v1/${path}`,
    auth: `${p5.user}:${password}`,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    rejectUnauthorized: false,
    agent: false,
  })
  sent.end(body && JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = await bodyOf(response)
  const isJson = response.headers['content-type'] === 'application/json'
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of many shapes
  return { status: response.statusCode, body: (isJson ? JSON.parse(text) : text) as any }
}
