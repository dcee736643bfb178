import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { onTestFinished } from 'vitest'
import { bodyOf } from './simulate.ts'

/** 21 November 2026, 10:00 UTC. */
export const start = Date.UTC(2026, 10, 21, 10)

/** Clock of simulators that only the test moves. */
export const stoppedClock = { start, speed: 0 }

/** Closes a started simulator at the end of the test. */
export async function forTest<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
  const started = await starting
  onTestFinished(() => void started.close())
  return started
}

type AskOptions = {
  headers?: Record<string, string>
  /** Text or bytes, or an object that is sent as JSON. */
  body?: string | Buffer | object | undefined
}

/** Answer to a request such as `GET http://127.0.0.1:80/`, with its body as JSON if it is. Rejects if the connection is cut. */
export async function ask(request: string, { headers = {}, body }: AskOptions = {}) {
  const [method = '', address = ''] = request.split(/ (.*)/s)
  const url = new URL(address)
  const isObject = typeof body === 'object' && !Buffer.isBuffer(body)
  const type = isObject ? { 'content-type': 'application/json' } : {}
  const sent = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...type, ...headers },
    rejectUnauthorized: false,
    agent: false,
  })
  sent.end(isObject ? JSON.stringify(body) : body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = await bodyOf(response)
  const isJson = response.headers['content-type'] === 'application/json'
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of many shapes
  return { status: response.statusCode, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as any }
}
